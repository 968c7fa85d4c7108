/**
 * Runs a conformance scenario against a Foundry world, real or simulated. This file is part of the probe macro: it
 * imports nothing and uses only what its environment names.
 *
 * A scenario is data: `{id, fact, mark, profiles, watch, steps, expect}`. Everything it makes has a name that begins
 * with the prefix, so that noise of a living world is told apart and the clean-up finds it.
 */

export const PREFIX = "AAGM probe ";

/**
 * @param {object} env `{game, Hooks, CONFIG, CONST, foundry, canvas, fromUuid, getDocumentClass}`
 * @param {object} scenario
 * @returns {Promise<{id: string, trace: string[], values: Record<string, unknown>, failed?: string}>}
 */
export async function runScenario(env, scenario) {
  const run = new ScenarioRun(env);
  for (const hook of scenario.watch ?? []) run.watch(hook);
  const outcome = { id: scenario.id, trace: run.trace, values: run.values };
  try {
    for (const step of scenario.steps) await run.step(step);
    await run.settle();
  } catch (error) {
    outcome.failed = String(error?.message ?? error);
  }
  run.stop();
  await run.cleanUp();
  return outcome;
}

/** One run: the documents it knows by alias, the hooks it heard, the values it read. */
class ScenarioRun {
  constructor(env) {
    this.env = env;
    this.documents = {};
    this.trace = [];
    this.values = {};
    this.listeners = [];
    this.made = [];
    this.heard = 0;
  }

  on(hook, listener) {
    this.listeners.push([hook, this.env.Hooks.on(hook, listener)]);
  }

  watch(hook) {
    this.on(hook, (document) => {
      this.heard += 1;
      const label = this.label(document);
      if (label) this.trace.push(`${hook} ${label}`);
    });
  }

  /** The name without the prefix, of the document or of what it is in; null for what is not ours. */
  label(document) {
    const name = document?.name ?? "";
    if (name.startsWith?.(PREFIX)) return name.slice(PREFIX.length);
    if (document?.key?.startsWith?.("world.aagmProbe")) return document.key;
    const parent = document?.parent ? this.label(document.parent) : null;
    return parent === null ? null : `${parent}/${document.documentName}`;
  }

  stop() {
    for (const [hook, id] of this.listeners) this.env.Hooks.off(hook, id);
  }

  /** Wait until no hook has been heard for a while, or two seconds. */
  async settle() {
    for (let quiet = 0, last = -1, i = 0; quiet < 4 && i < 40; i += 1) {
      await this.env.wait(50);
      quiet = last === this.heard ? quiet + 1 : 0;
      last = this.heard;
    }
  }

  async cleanUp() {
    for (const uuid of this.made.reverse()) {
      const document = await this.env.fromUuid(uuid);
      if (document) await document.delete({ deleteContents: true, deleteSubfolders: true }).catch(() => {});
    }
  }

  async step(step) {
    const { do: kind, rejects, ...given } = step;
    if (!rejects) {
      await this[`step_${kind}`](given);
      return;
    }
    try {
      await this[`step_${kind}`](given);
      this.values[rejects] = "resolved";
    } catch {
      this.values[rejects] = "rejected";
    }
  }

  target(alias) {
    const found = this.documents[alias];
    if (!found) throw new Error(`nothing is called ${alias}`);
    return typeof found === "function" ? found() : found;
  }

  /** Fill `$alias` with the id of a document, and the first types of the system. */
  fill(value) {
    if (Array.isArray(value)) return value.map((element) => this.fill(element));
    if (value?.$source) return this.target(value.$source).toObject();
    if (value?.$value) return this.values[value.$value];
    if (value?.$operator) return this.operator(value);
    if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.fill(inner)]));
    if (typeof value !== "string") return value;
    if (value.startsWith("$type:")) return this.type(...value.slice(6).split(":"));
    return value.startsWith("$") ? this.target(value.slice(1)).id : value;
  }

  operator({ $operator, value }) {
    const { ForcedDeletion, ForcedReplacement } = this.env.foundry.data.operators;
    return $operator === "delete" ? new ForcedDeletion() : new ForcedReplacement(value);
  }

  type(documentName, index = 0) {
    const types = Object.keys(this.env.game.system.documentTypes?.[documentName] ?? {});
    const named = Array.isArray(this.env.game.system.documentTypes?.[documentName]) ? this.env.game.system.documentTypes[documentName] : types;
    return named.filter((type) => type !== "base")[Number(index)] ?? named[0];
  }

  prefixed(data) {
    const filled = this.fill(data);
    return { ...filled, ...(filled.name ? { name: PREFIX + filled.name } : {}) };
  }

  async step_create({ as, type, data, parent, options = {} }) {
    const Class = this.env.getDocumentClass(type);
    const operation = { ...options, ...(parent ? { parent: this.target(parent) } : {}) };
    const list = Array.isArray(data) ? data : [data];
    const created = await Class.createDocuments(list.map((entry) => this.prefixed(entry)), operation);
    created.forEach((document, i) => {
      if (!document.parent) this.made.push(document.uuid);
      if (as) this.documents[Array.isArray(as) ? as[i] : as] = document;
    });
    this.values.created = created.length;
  }

  async step_update({ on, changes, options }) {
    const updated = await this.target(on).update(this.fill(changes), options);
    this.values.updated = updated === undefined ? "nothing" : "document";
  }

  async step_delete({ on, options }) {
    await this.target(on).delete(options);
  }

  async step_deleteChildren({ on, type, ids = [], options }) {
    await this.target(on).deleteEmbeddedDocuments(type, this.fill(ids), options);
  }

  async step_call({ on, method, args = [] }) {
    await this.target(on)[method](...this.fill(args));
  }

  /** Give a name to a document reached from another: `token.actor`, `actor.items.first`. */
  async step_name({ as, on, path }) {
    this.documents[as] = () => {
      let found = this.target(on);
      for (const part of path.split(".")) found = part === "first" ? found.contents[0] : found?.[part];
      return found;
    };
  }

  /** Read a value: from the source, or from the document with `prepared`. */
  async step_read({ as, on, path, prepared = false }) {
    const { getProperty, hasProperty, deepClone } = this.env.foundry.utils;
    const root = prepared ? this.target(on) : this.target(on).toObject();
    this.values[as] = hasProperty(root, path) ? deepClone(getProperty(root, path)) : "absent";
  }

  /** Does the uuid of a document still resolve? */
  async step_exists({ as, on, uuid }) {
    this.values[as] = Boolean(await this.env.fromUuid(uuid ?? this.values[on]));
  }

  async step_uuid({ as, on }) {
    this.values[as] = this.target(on).uuid;
  }

  async step_same({ as, a, b }) {
    this.values[as] = JSON.stringify(this.values[a]) === JSON.stringify(this.values[b]);
  }

  /** Refuse the next call of a pre hook for a document of ours. */
  async step_veto({ hook }) {
    this.on(hook, (document) => (this.label(document) ? false : undefined));
  }

  /** Add an option in one hook, read it in another. */
  async step_tag({ hook, read, as }) {
    this.on(hook, (document, ...rest) => {
      if (this.label(document)) rest.at(-2)._aagmProbe = "tag";
    });
    this.on(read, (document, ...rest) => {
      if (this.label(document)) this.values[as] = rest.at(-2)._aagmProbe ?? "absent";
    });
  }

  /** Keep the keys of the changes a hook sees. */
  async step_keys({ hook, as }) {
    this.on(hook, (document, changes) => {
      if (this.label(document)) this.values[as] = Object.keys(changes).sort();
    });
  }

  /** Two listeners of one hook, in the order they registered. */
  async step_order({ hook, as }) {
    this.values[as] = [];
    for (const name of ["first", "second"]) {
      this.on(hook, (document) => {
        if (this.label(document)) this.values[as].push(name);
      });
    }
  }

  /** A throwing listener before a counting one. */
  async step_throwing({ hook, as }) {
    this.values[as] = 0;
    this.on(hook, (document) => {
      if (this.label(document)) throw new Error(`${PREFIX}throws on purpose`);
    });
    this.on(hook, (document) => {
      if (this.label(document)) this.values[as] += 1;
    });
  }

  /** Was the post hook heard before the awaited call came back? */
  async step_awaits({ hook, step, as }) {
    let heard = false;
    this.on(hook, (document) => {
      if (this.label(document)) heard = true;
    });
    await this.step(step);
    this.values[as] = heard;
  }

  async step_settle() {
    await this.settle();
  }

  async step_setting({ key, value, as }) {
    const { settings } = this.env.game;
    if (!settings.settings.has(`world.${key}`)) {
      settings.register("world", key, { scope: "world", config: false, type: Object, default: {}, onChange: () => { this.values.onChange = (this.values.onChange ?? 0) + 1; } });
    }
    if (value !== undefined) await settings.set("world", key, value);
    if (as) this.values[as] = settings.get("world", key);
  }

  async step_deleteSetting({ key }) {
    const stored = this.env.game.settings.storage.get("world").find((setting) => setting.key === `world.${key}`);
    this.values.onChange = 0;
    await stored.delete();
  }

  async step_macro({ command, scope = {}, as }) {
    const Macro = this.env.getDocumentClass("Macro");
    const macro = await Macro.create({ name: `${PREFIX}macro`, type: "script", command });
    this.made.push(macro.uuid);
    try {
      const running = macro.execute(this.fill(scope));
      this.values[as] = await running.then((value) => ["returned", value], () => ["rejected"]);
    } catch {
      this.values[as] = ["thrown"];
    }
  }
}

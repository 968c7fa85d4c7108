/**
 * Questions that have no expected answer here: what dialogs, locked settings, packs and Item Piles do on a real world.
 * Part of the probe macro: imports nothing. Each gives JSON; a probe that fails says so and the rest go on.
 */

const tell = (value) => {
  if (value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)) return value ?? null;
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (value.documentName) return `document ${value.documentName}`;
  return `${value.constructor?.name ?? "object"} with ${Object.keys(value).slice(0, 12).join(",")}`;
};

export const PROBES = {
  /** Versions only: no names, no ids. */
  versions: async ({ game }) => ({
    foundry: game.version, generation: game.release.generation, system: game.system.id, systemVersion: game.system.version,
    modules: [...game.modules.values()].filter((module) => module.active).map(({ id, version }) => `${id} ${version}`),
  }),

  documentTypes: async ({ CONST }) => [...CONST.ALL_DOCUMENT_TYPES],

  embeddedKeys: async ({ CONST, getDocumentClass }) =>
    Object.fromEntries([...CONST.ALL_DOCUMENT_TYPES].map((name) => [name, getDocumentClass(name)?.metadata?.embedded ?? null])),

  /** A window of ours: its parts, its classes, its hooks' arguments. */
  async window({ foundry, Hooks }) {
    const seen = {};
    class AagmProbeWindow extends foundry.applications.api.ApplicationV2 {
      static DEFAULT_OPTIONS = { id: "aagm-probe-window", window: { title: "AAGM probe", resizable: true }, position: { width: 300, height: 120 } };

      async _renderHTML() {
        return Object.assign(globalThis.document.createElement("p"), { textContent: "probe" });
      }

      _replaceHTML(result, content) {
        content.replaceChildren(result);
      }
    }
    const id = Hooks.on("renderAagmProbeWindow", (...args) => {
      seen.hookArguments = args.map(tell);
    });
    const app = await new AagmProbeWindow().render({ force: true });
    Object.assign(seen, { tag: app.element?.tagName ?? null, classes: [...(app.element?.classList ?? [])], content: Boolean(app.element?.querySelector(".window-content p")), instances: foundry.applications.instances?.has(app.id) ?? null });
    await app.close();
    Hooks.off("renderAagmProbeWindow", id);
    return seen;
  },

  /** How a dismissed dialog ends, with and without `rejectClose`. */
  async dialogs({ foundry }) {
    const { DialogV2 } = foundry.applications.api;
    const dismissed = async (options) => {
      let dialog;
      const asked = DialogV2.wait({
        window: { title: "AAGM probe" }, content: "<p>closes by itself</p>", buttons: [{ action: "ok", label: "OK" }],
        render: (event, shown) => {
          dialog = shown;
        }, ...options,
      });
      const outcome = asked.then((value) => ["value", value], () => ["rejected"]);
      for (let i = 0; i < 40 && !dialog; i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
      const app = dialog?.close ? dialog : [...foundry.applications.instances.values()].find((one) => one instanceof DialogV2);
      const rendered = tell(dialog);
      await app?.close();
      return { outcome: await outcome, renderGets: rendered };
    };
    return { byDefault: await dismissed({}), rejectCloseFalse: await dismissed({ rejectClose: false }) };
  },

  /** World settings: is a second registration kept, what does a bad value do, when is one refused? */
  async settings({ game }) {
    const calls = [];
    const register = (value) => game.settings.register("world", "aagmProbe3", { scope: "world", type: Number, default: value, onChange: (next) => calls.push(next) });
    register(1);
    register(2);
    const read = game.settings.get("world", "aagmProbe3");
    const stored = await game.settings.set("world", "aagmProbe3", "7").then(tell, (error) => `rejected: ${error.message}`);
    const bad = await game.settings.set("world", "aagmProbe3", "no number").then(tell, (error) => `rejected: ${error.message}`);
    const document = game.settings.storage.get("world").find((setting) => setting.key === "world.aagmProbe3");
    const rawType = typeof document?._source?.value;
    await document?.delete();
    return { defaultAfterTwo: read, stored, bad, rawType, onChange: calls.length };
  },

  /** Where a locked pack is refused: are the pre hooks called first? */
  async lockedPack({ game, Hooks, foundry, getDocumentClass }) {
    const Packs = foundry.documents.collections?.CompendiumCollection ?? globalThis.CompendiumCollection;
    const pack = await Packs.createCompendium({ type: "Actor", label: "AAGM probe pack", name: "aagm-probe-pack" });
    const heard = [];
    const id = Hooks.on("preCreateActor", () => {
      heard.push("preCreateActor");
    });
    const type = Object.keys(game.system.documentTypes.Actor).find((name) => name !== "base");
    await pack.configure({ locked: true });
    const outcome = await getDocumentClass("Actor").create({ name: "AAGM probe", type }, { pack: pack.collection }).then(() => "created", () => "rejected");
    Hooks.off("preCreateActor", id);
    await pack.configure({ locked: false });
    await pack.deleteCompendium();
    return { outcome, heard };
  },

  /** Hit points as the system stores them, of a fresh actor of each type: names of fields, no values. */
  async hitPoints({ game, getDocumentClass }) {
    const fields = {};
    for (const type of Object.keys(game.system.documentTypes.Actor ?? {})) {
      if (type === "base") continue;
      const actor = new (getDocumentClass("Actor"))({ name: "AAGM probe", type });
      const pools = actor._source.system?.attributes ?? {};
      fields[type] = Object.fromEntries(["hp", "vigor", "wounds", "sp"].filter((name) => pools[name]).map((name) => [name, Object.keys(pools[name]).sort()]));
    }
    return { primary: game.system.primaryTokenAttribute ?? null, fields };
  },

  /** Item Piles: its calls, its hooks, the shapes of their arguments. */
  async itemPiles({ game, Hooks, canvas, fromUuid }) {
    const API = game.itempiles?.API;
    if (!API) return { installed: false };
    if (!canvas.scene) return { installed: true, note: "view a scene first" };
    const heard = {};
    const names = ["preCreateItemPile", "createItemPile", "preAddItems", "addItems", "preRemoveItems", "removeItems", "preDeleteItemPile", "deleteItemPile"];
    const ids = names.map((name) => [
      name,
      Hooks.on(`item-piles-${name}`, (...args) => {
        heard[name] = args.map(tell);
      }),
    ]);
    const type = Object.keys(game.system.documentTypes.Item).find((name) => ["loot", "gear", "equipment", "treasure"].includes(name)) ?? Object.keys(game.system.documentTypes.Item)[0];
    const made = await API.createItemPile({ sceneId: canvas.scene.id, position: { x: 0, y: 0 }, items: [{ name: "AAGM probe item", type }] });
    const token = await fromUuid(made?.tokenUuid ?? "");
    const result = { installed: true, calls: Object.keys(API).sort(), created: tell(made), unlinked: token ? !token.actorLink : null, flagKeys: Object.keys(token?.flags?.["item-piles"]?.data ?? {}).sort() };
    if (token) {
      await API.addItems(token, [{ name: "AAGM probe second", type }]).catch((error) => {
        result.addItems = error.message;
      });
      const base = await fromUuid(`Actor.${token.actorId}`);
      await API.deleteItemPile(token);
      if (base?.name.includes("Item Pile")) await base.delete();
    }
    for (const [name, id] of ids) Hooks.off(`item-piles-${name}`, id);
    return { ...result, hooks: heard };
  },
};

/** Run them all. */
export async function runProbes(env) {
  const answers = {};
  for (const [name, probe] of Object.entries(PROBES)) {
    try {
      answers[name] = await probe(env);
    } catch (error) {
      answers[name] = { failed: String(error?.message ?? error) };
    }
  }
  return answers;
}

/*
 * Claude Total Actor Backup: keeps whole actors as "Backup Seed" items, and brings them back.
 *
 * Changes: backup makes Items in the folder "Claude Actor Backups" (made when it is missing); restore writes the target
 * actor, its items and effects; prune deletes old seeds. Spells are not brought back.
 * Needs: a world Script macro named exactly "Claude Total Actor Backup" with this text; a GM.
 * Returns: {ok: true, …} or {ok: false, error}. backup: uuids, names. list: seeds. restore: uuid, items, effects,
 * stripped, spells, done. prune: deleted. backup and restore stop after 90 seconds and say done: false.
 */
const ofAction = (action, ...required) => ({ if: { properties: { action: { const: action } } }, then: { required } });
const REF = { type: "string", minLength: 1 };
const MANIFEST = {
  api: "aagm-plugin/1.0",
  name: "Claude Total Actor Backup",
  version: "1.0.0",
  description: "Backs whole actors up into seed items, lists the seeds, restores one into a blank actor, prunes old ones.",
  args: {
    type: "object",
    required: ["action"],
    properties: {
      action: { enum: ["backup", "list", "restore", "prune"] },
      actors: { type: "array", items: REF, minItems: 1, maxItems: 200, description: "backup: which actors, by uuid, id or name." },
      actorRef: { ...REF, description: "list, prune: only the seeds of this actor, by uuid, id or name." },
      seed: { ...REF, description: "restore: the seed, by uuid, id or name." },
      target: { ...REF, description: "restore: the actor to write, by uuid, id or name." },
      allowNonEmpty: { type: "boolean", description: "restore: true: although the target has items or effects." },
      keep: { type: "integer", minimum: 1, maximum: 100, description: "prune: how many seeds of each actor stay; 5 by default." },
    },
    allOf: [ofAction("backup", "actors"), ofAction("restore", "seed", "target")],
    additionalProperties: false,
  },
  writes: ["Actor", "Item", "ActiveEffect", "Folder"],
  modes: ["run", "read"],
};
if (!scope || Object.keys(scope).length === 0) return MANIFEST;

const FOLDER = "Claude Actor Backups";
const FLAG = { scope: "claude-tab", key: "snapshot" };
const FIRST = ["race", "class"]; // they make other items appear
const LAST = ["spell"]; // left out
const SETTLE_MS = 1500;
const BOX_MS = 90 * 1000;
const ON_USE = `const macro = game.macros.getName("${MANIFEST.name}");
await macro.execute({ action: "restore", seed: item.uuid, target: actor.uuid });`;
const began = Date.now();
const isOver = () => Date.now() - began > BOX_MS;
const failed = (error, more = {}) => ({ ok: false, error, ...more });
const snapshotOf = (item) => item?.flags?.[FLAG.scope]?.[FLAG.key];
const isSeed = (item) => Boolean(snapshotOf(item)?.source);
const find = async (ref, all) => {
  const byUuid = ref.includes(".") ? await fromUuid(ref).catch(() => null) : null;
  if (byUuid ?? all.get(ref)) return byUuid ?? all.get(ref);
  const named = all.filter(({ name }) => name === ref);
  return named.length === 1 ? named[0] : null; // two of a name are none
};

const { action, keep = 5 } = scope;
if (!game.user.isGM) return failed("only a GM can back actors up");
if (scope.mode === "read" && action !== "list") return failed("only list reads");

const seeds = game.items.filter(isSeed).sort((a, b) => snapshotOf(b).at - snapshotOf(a).at); // newest first
const isOf = (seed, ref) => [snapshotOf(seed).uuid, snapshotOf(seed).source._id, snapshotOf(seed).source.name].includes(ref);
const chosen = scope.actorRef === undefined ? seeds : seeds.filter((seed) => isOf(seed, scope.actorRef));

if (action === "list") {
  const row = (seed) => ({ uuid: seed.uuid, name: seed.name, actor: snapshotOf(seed).uuid, actorName: snapshotOf(seed).source.name, at: new Date(snapshotOf(seed).at).toISOString() });
  return { ok: true, seeds: chosen.slice(0, 100).map(row), count: chosen.length };
}

if (action === "prune") {
  const kept = new Map();
  const old = chosen.filter((seed) => {
    const { uuid } = snapshotOf(seed);
    kept.set(uuid, (kept.get(uuid) ?? 0) + 1);
    return kept.get(uuid) > keep;
  });
  if (old.length) await getDocumentClass("Item").deleteDocuments(old.map(({ id }) => id));
  return { ok: true, deleted: old.length, names: old.slice(0, 50).map(({ name }) => name) };
}

if (action === "backup") {
  const found = await Promise.all(scope.actors.map((ref) => find(ref, game.actors)));
  const lost = scope.actors.filter((_, i) => found[i]?.documentName !== "Actor");
  if (lost.length) return failed(`no actors, or several, of these names: ${lost.slice(0, 10).join(", ")}`);
  const folder =
    game.folders.find(({ name, type }) => name === FOLDER && type === "Item") ?? (await getDocumentClass("Folder").create({ name: FOLDER, type: "Item" }));
  const types = game.documentTypes.Item.filter((type) => type !== "base");
  const type = types.includes("loot") ? "loot" : types[0];
  const made = [];
  for (const actor of new Set(found)) {
    if (isOver()) break;
    const at = Date.now();
    const source = actor.toObject();
    const system = game.system.id === "pf1" ? { scriptCalls: [{ _id: foundry.utils.randomID(8), name: "Restore", category: "use", type: "script", value: ON_USE }] } : {};
    const flags = { [FLAG.scope]: { [FLAG.key]: { version: 1, at, uuid: actor.uuid, source } } };
    const name = `Backup Seed: ${actor.name}, ${new Date(at).toISOString().slice(0, 16).replace("T", " ")}`;
    made.push(await getDocumentClass("Item").create({ name, type, img: actor.img, system, folder: folder.id, flags }));
  }
  const done = made.length === new Set(found).size;
  return { ok: true, uuids: made.map(({ uuid }) => uuid), names: made.map(({ name }) => name), done };
}

const seed = await find(scope.seed, game.items);
const target = await find(scope.target, game.actors);
if (!isSeed(seed)) return failed(`${scope.seed} is no backup seed`);
if (target?.documentName !== "Actor") return failed(`no actor, or several, of the name ${scope.target}`);
const { source } = snapshotOf(seed);
if (target.type !== source.type) return failed(`the seed is of a ${source.type}, and ${target.name} is a ${target.type}`);
const own = target.items.filter((item) => !isSeed(item));
if (own.length + target.effects.size && !scope.allowNonEmpty) {
  return failed(`${target.name} is not blank: it has ${own.length} items and ${target.effects.size} effects`, { items: own.length, effects: target.effects.size });
}

const before = new Set(target.items.map(({ id }) => id));
const wanted = source.items.filter(({ type, _id, flags }) => !LAST.includes(type) && !before.has(_id) && !flags?.[FLAG.scope]?.[FLAG.key]);
const add = async (items) => {
  for (let i = 0; i < items.length && !isOver(); i += 20) await target.createEmbeddedDocuments("Item", items.slice(i, i + 20), { keepId: true });
};
const first = FIRST.flatMap((type) => wanted.filter((item) => item.type === type));
await add(first);
let stripped = 0;
if (first.length) {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const ours = new Set([...before, ...first.map(({ _id }) => _id)]);
  const extra = target.items.filter(({ id }) => !ours.has(id)).map(({ id }) => id);
  if (extra.length) await target.deleteEmbeddedDocuments("Item", extra);
  stripped = extra.length;
}
await add(wanted.filter((item) => !FIRST.includes(item.type)));
const effects = source.effects.filter(({ _id }) => !target.effects.has(_id));
if (effects.length && !isOver()) await target.createEmbeddedDocuments("ActiveEffect", effects, { keepId: true });
await target.update({ name: source.name, img: source.img, system: source.system, prototypeToken: source.prototypeToken });

const missing = wanted.filter(({ _id }) => !target.items.has(_id));
return {
  ok: true,
  uuid: target.uuid,
  items: wanted.length - missing.length,
  effects: effects.filter(({ _id }) => target.effects.has(_id)).length,
  stripped,
  spells: source.items.filter(({ type }) => LAST.includes(type)).length,
  done: missing.length === 0,
};

/**
 * Random programs: sequences of operations over all document kinds, as data, so that a failing one can be shrunk.
 *
 * A step names its target by number; the number is taken modulo what exists when the step runs, so that every
 * sub-sequence of a program is a program.
 */
import { createRandom } from "../core/random.js";

const PRIMARY = ["Actor", "Item", "Scene", "JournalEntry", "RollTable", "Playlist", "Cards", "Macro", "Folder", "Combat", "ChatMessage"];

/** What a new document of a type needs. */
const MINIMAL = {
  Actor: (system) => ({ type: system.types.Actor[0], items: [{ name: "Carried", type: system.types.Item.at(-1) }] }),
  Item: (system) => ({ type: system.types.Item.at(-1) }),
  Cards: () => ({ type: "deck", cards: [{ name: "One" }] }),
  Macro: () => ({ type: "script", command: "return 1;" }),
  Folder: () => ({ type: "Actor" }),
  Wall: () => ({ c: [0, 0, 10, 10] }),
  RegionBehavior: () => ({ type: "pauseGame" }),
  Token: () => ({}),
};

const KINDS = [
  ["update", 8], ["create", 4], ["delete", 3], ["createChild", 5], ["updateChild", 8], ["deleteChild", 4], ["inline", 2], ["replace", 2], ["batchUpdate", 2], ["synthetic", 4],
  ["deleteFolder", 1], ["activate", 1], ["flag", 3], ["setting", 2], ["move", 2], ["noop", 1], ["removeKey", 2], ["deleteThenCreate", 1],
];

/**
 * Make a program.
 * @param {number|string} seed
 * @param {{min?: number, max?: number, without?: string[]}} [options] without: kinds of steps left out.
 * @returns {Array<{kind: string, a: number, b: number, c: number}>}
 */
export function randomProgram(seed, { min = 1, max = 40, without = [] } = {}) {
  const random = createRandom(`program/${seed}`);
  const bag = KINDS.filter(([kind]) => !without.includes(kind)).flatMap(([kind, weight]) => Array(weight).fill(kind));
  const length = min + Math.floor(random() * (max - min + 1));
  const number = () => Math.floor(random() * 1e6);
  return Array.from({ length }, () => ({ kind: bag[number() % bag.length], a: number(), b: number(), c: number() }));
}

/**
 * Run a program as a client; a step that has nothing to work on does nothing.
 * @param {import("../client/client.js").Client} client
 * @param {ReturnType<typeof randomProgram>} steps
 * @param {(step: object, error: Error) => void} [refused] Told of steps the server or a listener refused.
 */
export async function runProgram(client, steps, refused = () => {}) {
  for (const step of steps) {
    try {
      await STEPS[step.kind](client, step);
    } catch (error) {
      refused(step, error);
    }
  }
}

/**
 * Find a small program that still fails.
 * @param {ReturnType<typeof randomProgram>} steps
 * @param {(steps: object[]) => Promise<boolean>} fails
 */
export async function shrink(steps, fails) {
  let current = steps;
  for (let size = Math.ceil(current.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < current.length; ) {
      const shorter = [...current.slice(0, at), ...current.slice(at + size)];
      if (shorter.length < current.length && (await fails(shorter))) current = shorter;
      else at += size;
    }
  }
  return current;
}

const pick = (list, n) => (list.length ? list[n % list.length] : undefined);

const collectionOf = (client, n) => client.game.collections.get(pick(PRIMARY, n));

/** Data for a new document, valid in its table. */
function dataFor(client, documentName, n) {
  const { system } = client.world;
  const data = { name: `${documentName} ${n % 1000}`, ...MINIMAL[documentName]?.(system) };
  const types = client.schema.typesOf(documentName);
  if (types && !("type" in data) && !["Folder", "TableResult"].includes(documentName)) data.type = types[n % types.length];
  if (documentName === "Token") {
    const actor = pick(client.game.actors.contents, n);
    Object.assign(data, { actorId: actor?.id ?? null, actorLink: n % 3 === 0, x: n % 3000, y: (n >> 3) % 2000 });
  }
  if (documentName === "Actor" || documentName === "Item") data.folder = pick(client.game.folders.filter((folder) => folder.type === documentName), n)?.id ?? null;
  return data;
}

/** A change that means something for most documents. */
function changeFor(document, b, c) {
  const choices = [
    { name: `Renamed ${c % 100}` },
    { "flags.world.note": c % 10 },
    { flags: { world: { list: [c % 3, c % 5], deep: { [`k${b % 3}`]: c % 7 } } } },
    { sort: c % 1000 },
    { img: `images/${c % 9}.webp` },
  ];
  if ("system" in document._source) choices.push({ [`system.value${b % 4}`]: c % 50 }, { system: { nested: { [`n${b % 3}`]: { x: c % 9 } } } });
  if ("ownership" in document._source) choices.push({ ownership: { default: c % 4 } });
  if (document.documentName === "Scene") choices.push({ "grid.size": 50 + (c % 100) });
  if (document.documentName === "Wall") choices.push({ door: c % 3, c: [c % 9, 0, b % 9, 5] });
  return pick(choices, b);
}

/** All documents below a primary one, the synthetic actors' included. */
function children(document) {
  const below = [];
  for (const [key] of document.constructor.table.childFields) for (const child of document[key]) below.push(child, ...children(child));
  return below;
}

const STEPS = {
  async update(client, { a, b, c }) {
    const target = pick(collectionOf(client, a).contents, b);
    if (target) await target.update(changeFor(target, b, c));
  },

  async create(client, { a, b }) {
    const { documentClass, documentName } = collectionOf(client, a);
    await documentClass.create(dataFor(client, documentName, b));
  },

  async delete(client, { a, b }) {
    const target = pick(collectionOf(client, a).contents, b);
    if (target) await target.delete();
  },

  async createChild(client, { a, b, c }) {
    const parent = pick(collectionOf(client, a).contents, b);
    const kind = parent && pick(parent.constructor.table.childFields, c);
    if (!kind) return;
    const many = Array.from({ length: 1 + (c % 3) }, (_, i) => dataFor(client, kind[1], c + i));
    await parent.createEmbeddedDocuments(kind[1], many);
  },

  async updateChild(client, { a, b, c }) {
    const parent = pick(collectionOf(client, a).contents, b);
    const target = parent && pick(children(parent), c);
    if (target) await target.update(changeFor(target, b, c));
  },

  async deleteChild(client, { a, b, c }) {
    const parent = pick(collectionOf(client, a).contents, b);
    const target = parent && pick(children(parent), c);
    if (target) await target.delete();
  },

  /** Children written through their parent: one updated, one new. */
  async inline(client, { a, b, c }) {
    const parent = pick(collectionOf(client, a).contents, b);
    const kind = parent && pick(parent.constructor.table.childFields, c);
    if (!kind || kind[1] === "Token") return;
    const known = pick(parent[kind[0]].contents, b);
    const list = [dataFor(client, kind[1], c), ...(known ? [{ _id: known.id, "flags.world.inline": c % 9 }] : [])];
    await parent.update({ [kind[0]]: list.map((entry) => client.utils.expandObject(entry)) });
  },

  /** A whole top-level key put in place of what was there. */
  async replace(client, { a, b, c }) {
    const target = pick(collectionOf(client, a).contents, b);
    if (!target || !("flags" in target._source)) return;
    await target.update({ flags: { world: { replaced: c % 9 } } }, { diff: false, recursive: false });
  },

  async batchUpdate(client, { a, b, c }) {
    const collection = collectionOf(client, a);
    const updates = collection.contents.slice(0, 1 + (b % 4)).map((document) => ({ _id: document.id, ...changeFor(document, b, c) }));
    if (updates.length) await collection.documentClass.updateDocuments(updates);
  },

  /** Something done to an unlinked token's actor. */
  async synthetic(client, { a, b, c }) {
    const tokens = client.game.scenes.contents.flatMap((scene) => scene.tokens.filter((token) => token.actor?.isToken));
    const actor = pick(tokens, a)?.actor;
    if (!actor) return;
    const item = pick(actor.items.contents, c);
    const acts = [
      () => actor.update({ [`system.value${c % 3}`]: c % 20 }),
      () => actor.createEmbeddedDocuments("Item", [dataFor(client, "Item", c)]),
      () => item?.update({ name: `Wet ${c % 50}` }),
      () => item?.delete(),
      () => actor.createEmbeddedDocuments("ActiveEffect", [{ name: `Effect ${c % 9}` }]),
      () => actor.token.update({ delta: { flags: { world: { direct: c % 9 } } } }),
    ];
    await acts[b % acts.length]();
  },

  async deleteFolder(client, { a, b }) {
    const folder = pick(client.game.folders.contents, a);
    if (folder) await folder.delete({ deleteContents: b % 2 === 0, deleteSubfolders: b % 3 === 0 });
  },

  async activate(client, { a, b }) {
    const target = pick((a % 2 ? client.game.scenes : client.game.combats).contents, b);
    if (target) await target.activate();
  },

  async flag(client, { a, b, c }) {
    const target = pick(collectionOf(client, a).contents, b);
    if (target) await target.setFlag("world", `flag${c % 3}`, { n: c % 9 });
  },

  async setting(client, { a, c }) {
    await client.game.settings.set("core", pick(["time", "permissions"], a), a % 2 ? { note: c % 9 } : c % 1000);
  },

  async move(client, { a, b, c }) {
    const token = pick(client.game.scenes.contents.flatMap((scene) => scene.tokens.contents), a);
    if (token) await token.update({ x: b % 3000, y: c % 2000 });
  },

  async noop(client, { a, b }) {
    const target = pick(collectionOf(client, a).contents, b);
    if (target) await target.update(target.toObject());
  },

  async removeKey(client, { a, c }) {
    const all = PRIMARY.flatMap((name) => client.game.collections.get(name).contents);
    const target = pick(all.filter((document) => Object.keys(document._source.flags?.world ?? {}).length), a);
    const key = target && pick(Object.keys(target._source.flags?.world ?? {}), c);
    if (key) await target.unsetFlag("world", key);
  },

  async deleteThenCreate(client, { a, b }) {
    const collection = collectionOf(client, a);
    const target = pick(collection.contents, b);
    if (!target) return;
    const data = { ...target.toObject(), ...(target._source.name ? { name: "Replaced" } : {}) };
    await target.delete();
    await collection.documentClass.create(data, { keepId: true, keepEmbeddedIds: true });
  },
};

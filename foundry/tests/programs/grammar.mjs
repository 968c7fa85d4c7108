/**
 * What a program may do. An operation is `{kind, seed}`: its kind, and what its choices are made from, so that a
 * program stays a program when operations are taken out of it.
 */

import { Chance } from "./chance.mjs";
import { changesFor, newData } from "./field-values.mjs";
import { HOSTILE_KINDS } from "./hostile.mjs";


/** World documents of their own, of the kinds that can be made by anybody. */
const PRIMARY = ["Actor", "Item", "Scene", "JournalEntry", "RollTable", "Playlist", "Cards", "Macro", "Folder", "Combat", "ChatMessage"];

/** @type {Record<string, [weight: number, (chance: Chance, client: object) => unknown]>} */
export const KINDS = {
  createPrimary: [8, createPrimary],
  createChild: [10, createChild],
  createMany: [3, createMany],
  createNoHook: [1, (chance, client) => classOf(client, "Item").create(fresh(chance, client, "Item"), { noHook: true })],
  update: [16, update],
  updateMany: [4, updateMany],
  updateNothing: [1, (chance, client) => any(chance, client)?.update({})],
  updateWhole: [2, (chance, client) => { const one = any(chance, client); return one?.update(one.toObject()); }],
  updateRaw: [2, updateRaw],
  updateInline: [4, updateInline],
  changeType: [2, changeType],
  delete: [10, deleteOne],
  deleteMany: [2, deleteMany],
  deleteFolder: [3, deleteFolder],
  deleteScene: [1, (chance, { game }) => chance.pick(game.scenes.contents)?.delete()],
  deleteAndCreateAgain: [2, deleteAndCreateAgain],
  createAndDelete: [2, createAndDelete],
  syntheticUpdate: [6, syntheticUpdate],
  syntheticItem: [5, syntheticItem],
  syntheticEffect: [3, syntheticEffect],
  deltaUpdate: [2, deltaUpdate],
  moveToken: [3, moveToken],
  toggleLink: [1, (chance, { game }) => { const one = token(chance, game, () => true); return one?.update({ actorLink: !one.actorLink }); }],
  setFlag: [3, (chance, client) => flagged(chance, client)?.setFlag("world", chance.key(), chance.value())],
  unsetFlag: [2, (chance, client) => flagged(chance, client)?.unsetFlag("world", chance.key())],
  moveToFolder: [3, moveToFolder],
  sort: [2, sortSiblings],
  activateScene: [2, (chance, { game }) => chance.pick(game.scenes.contents)?.activate()],
  combat: [3, combat],
  setting: [2, setting],
  user: [1, (chance, { game }) => game.users.contents.at(-1).update({ color: "#112233", name: chance.text() })],
  status: [2, (chance, { game }) => chance.pick(game.actors.contents)?.toggleStatusEffect("dead")],
  pack: [4, packWrite],
  packFolder: [1, packFolder],
  locked: [1, (chance, { game }) => inPack(chance, game.packs.get("world.old-menus"))],
  refused: [1, (chance, { game }) => classOf({ game }, "Actor").create({ name: "", type: "npc" })],
  parallel: [3, parallel],
  macro: [1, macro],
  modifyBatch: [1, modifyBatch],
};

/** How often a hostile program does what no recorder can see, or what is not put back on purpose. */
const RARE = 0.001;

/**
 * @param {number|string} seed
 * @param {{ hostile: boolean }} about
 */
export function makeProgram(seed, { hostile }) {
  const chance = new Chance(seed);
  const bag = Object.entries(KINDS).flatMap(([kind, [weight]]) => Array(weight).fill(kind));
  const pick = () => (hostile && chance.is(RARE) ? chance.pick(Object.keys(HOSTILE_KINDS)) : chance.pick(bag));
  const length = chance.between(1, 40);
  return Array.from({ length }, (_, i) => ({ kind: pick(), seed: `${seed}/${i}` }));
}

/** Do one operation; what Foundry refuses is refused. */
export async function perform({ kind, seed }, client) {
  const run = KINDS[kind]?.[1] ?? HOSTILE_KINDS[kind];
  await run(new Chance(seed), client);
}

const classOf = ({ game }, name) => game.collections.get(name).documentClass;

const fresh = (chance, client, name) => newData(chance, client.schema.tables[name], client.schema);

/** World documents and their children, not users and settings. */
function everything({ game }) {
  const out = [];
  const add = (document) => {
    out.push(document);
    for (const [key] of document.constructor.table.childFields) for (const child of document[key]) add(child);
  };
  for (const name of PRIMARY) for (const document of game.collections.get(name)) add(document);
  return out;
}

const any = (chance, client) => chance.pick(everything(client));

const flagged = (chance, client) => chance.pick(everything(client).filter((each) => "flags" in each.constructor.table.fields));

function token(chance, game, wanted = (each) => !each.actorLink && each.actor) {
  return chance.pick(game.scenes.contents.flatMap((scene) => scene.tokens.filter(wanted)));
}

function createPrimary(chance, client) {
  const name = chance.pick(PRIMARY);
  const data = fresh(chance, client, name);
  const folders = client.game.folders.filter((folder) => folder.type === (name === "Folder" ? data.type : name));
  if (folders.length && chance.is(0.5)) data.folder = chance.pick(folders).id;
  if (name === "Macro") data.command = "return 1;";
  const options = chance.is(0.2) ? { keepId: true } : {};
  if (options.keepId) data._id = chance.id();
  return classOf(client, name).create(data, options);
}

function createChild(chance, client) {
  const parents = everything(client).filter((each) => each.constructor.table.childFields.length);
  const parent = chance.pick(parents);
  const [, childName] = chance.pick(parent.constructor.table.childFields);
  const data = fresh(chance, client, childName);
  if (childName === "Token") Object.assign(data, placed(chance, client));
  return parent.createEmbeddedDocuments(childName, [data]);
}

function placed(chance, { game }) {
  const actor = chance.pick(game.actors.contents);
  return actor ? { actorId: actor.id, actorLink: chance.is(0.3), x: chance.below(2000), y: chance.below(2000) } : {};
}

function createMany(chance, client) {
  const scene = chance.pick(client.game.scenes.contents);
  const walls = Array.from({ length: chance.between(2, 8) }, () => fresh(chance, client, "Wall"));
  return scene?.createEmbeddedDocuments("Wall", walls);
}

function update(chance, client) {
  const one = any(chance, client);
  return one?.update(changesFor(chance, one, client.generation), chance.is(0.1) ? { diff: false } : {});
}

function updateRaw(chance, client) {
  const one = any(chance, client);
  const changes = one && changesFor(chance, one, 0);
  const plain = Object.fromEntries(Object.entries(changes ?? {}).filter(([key]) => !key.includes(".")));
  return one?.update(plain, { recursive: false, ...(chance.is(0.5) && { diff: false }) });
}

function updateMany(chance, client) {
  const parent = chance.pick(everything(client).filter((each) => each.constructor.table.childFields.some(([key]) => each[key].size)));
  const [key, childName] = chance.pick(parent.constructor.table.childFields.filter(([name]) => parent[name].size));
  const updates = chance.some(parent[key].contents, 6).map((child) => ({ ...changesFor(chance, child, client.generation), _id: child.id }));
  return parent.updateEmbeddedDocuments(childName, updates);
}

function updateInline(chance, client) {
  const parent = chance.pick(everything(client).filter((each) => each.constructor.table.childFields.length && each.documentName !== "Scene"));
  const [key, childName] = chance.pick(parent.constructor.table.childFields);
  const list = parent[key].contents.filter(() => chance.is(0.5)).map((child) => ({ _id: child.id, name: chance.text() }));
  if (chance.is(0.7)) list.push(fresh(chance, client, childName));
  const changes = { [key]: list, ...(chance.is(0.3) && { name: chance.text() }) };
  return parent.update(changes, chance.is(0.15) ? { recursive: false } : {});
}

function changeType(chance, client) {
  const { game } = client;
  const one = chance.pick([...game.actors, ...game.items]);
  if (!one) return undefined;
  const type = chance.pick(client.schema.typesOf(one.documentName).filter((each) => each !== one.type));
  const system = chance.object();
  if (client.generation >= 14) return one.update({ type, system: globalThis._replace(system) });
  return one.update({ type, system }, { recursive: chance.is(0.5) });
}

function deleteOne(chance, client) {
  return any(chance, client)?.delete();
}

function deleteMany(chance, client) {
  const name = chance.pick(["Actor", "Item", "ChatMessage", "JournalEntry", "Macro"]);
  const ids = chance.some(client.game.collections.get(name).contents, 3).map((each) => each.id);
  return ids.length ? classOf(client, name).deleteDocuments(ids) : undefined;
}

function deleteFolder(chance, { game }) {
  return chance.pick(game.folders.contents)?.delete({ deleteSubfolders: chance.is(0.5), deleteContents: chance.is(0.5) });
}

async function deleteAndCreateAgain(chance, client) {
  const one = any(chance, client);
  if (!one) return;
  const { parent, documentName } = one;
  const data = { ...one.toObject(), ...("name" in one.constructor.table.fields && { name: chance.text() }) };
  await one.delete();
  const options = { keepId: true, keepEmbeddedIds: chance.is(0.7) };
  if (parent) await parent.createEmbeddedDocuments(documentName, [data], options);
  else await classOf(client, documentName).create(data, options);
}

async function createAndDelete(chance, client) {
  const name = chance.pick(PRIMARY);
  const made = await classOf(client, name).create(fresh(chance, client, name));
  if (made && chance.is(0.5)) await made.update({ flags: { world: chance.object() } });
  await made?.delete();
}

function syntheticUpdate(chance, client) {
  const actor = token(chance, client.game)?.actor;
  if (!actor) return undefined;
  const children = [...actor.items, ...actor.effects];
  if (children.length && chance.is(0.4)) {
    const child = chance.pick(children);
    return child.update(changesFor(chance, child, client.generation));
  }
  return actor.update(changesFor(chance, actor, client.generation));
}

function syntheticItem(chance, client) {
  const actor = token(chance, client.game)?.actor;
  if (!actor) return undefined;
  if (actor.items.size && chance.is(0.5)) return chance.pick(actor.items.contents).delete();
  return actor.createEmbeddedDocuments("Item", [fresh(chance, client, "Item")]);
}

function syntheticEffect(chance, client) {
  const actor = token(chance, client.game)?.actor;
  if (!actor) return undefined;
  const parent = actor.items.size && chance.is(0.4) ? chance.pick(actor.items.contents) : actor;
  if (parent.effects.size && chance.is(0.4)) return chance.pick(parent.effects.contents).delete();
  return parent.createEmbeddedDocuments("ActiveEffect", [fresh(chance, client, "ActiveEffect")]);
}

function deltaUpdate(chance, client) {
  const one = token(chance, client.game);
  if (!one) return undefined;
  return one.update({ delta: { name: chance.text(), system: chance.object(), flags: { world: chance.object() } } });
}

function moveToken(chance, { game }) {
  return token(chance, game, () => true)?.update({ x: chance.below(3000), y: chance.below(2000), elevation: chance.below(30) });
}

function moveToFolder(chance, client) {
  const one = chance.pick([...client.game.actors, ...client.game.items, ...client.game.folders]);
  const type = one.documentName === "Folder" ? one.type : one.documentName;
  const folders = client.game.folders.filter((each) => each.type === type && !isBelow(each, one));
  return one.update({ folder: folders.length && chance.is(0.7) ? chance.pick(folders).id : null });
}

function isBelow(folder, above) {
  for (let at = folder; at; at = at.folder) if (at === above) return true;
  return false;
}

function sortSiblings(chance, client) {
  const { items } = client.game;
  const updates = items.map((item) => ({ _id: item.id, sort: chance.below(100000) }));
  return updates.length ? classOf(client, "Item").updateDocuments(updates) : undefined;
}

function combat(chance, { game }) {
  const one = chance.pick(game.combats.contents);
  if (!one) return undefined;
  return chance.pick([() => one.startCombat(), () => one.nextTurn(), () => one.activate(), () => one.rollInitiative(one.combatants.map((each) => each.id))])();
}

function setting(chance, { game }) {
  return game.settings.set("programs", chance.pick(["first", "second"]), chance.value());
}

function inPack(chance, pack) {
  return pack.getDocument(chance.pick(pack.index.contents)._id).then((one) => one.update({ name: chance.text() }));
}

async function packWrite(chance, client) {
  const pack = client.game.packs.get("world.lake-bestiary");
  const ids = pack.index.contents.map((each) => each._id);
  if (!ids.length || chance.is(0.3)) {
    await pack.documentClass.create(fresh(chance, client, "Actor"), { pack: pack.collection });
    return;
  }
  const one = await pack.getDocument(chance.pick(ids));
  const what = chance.below(10);
  if (what < 4) await one.update(changesFor(chance, one, client.generation));
  else if (what < 7) await one.createEmbeddedDocuments("Item", [fresh(chance, client, "Item")]);
  else await one.delete();
}

function packFolder(chance, { game }) {
  const pack = game.packs.get("world.lake-bestiary");
  return chance.pick(pack.folders.contents)?.delete({ deleteSubfolders: chance.is(0.5), deleteContents: chance.is(0.5) });
}

async function parallel(chance, client) {
  const kinds = ["update", "createPrimary", "createChild", "delete", "moveToken", "syntheticUpdate"];
  const work = Array.from({ length: chance.between(2, 4) }, (_, i) => perform({ kind: chance.pick(kinds), seed: `${chance.below(1e9)}/${i}` }, client));
  await Promise.allSettled(work);
}

async function macro(chance, client) {
  const code = 'await game.actors.contents[0]?.update({ sort: scope.n }); return scope.n;';
  const made = await classOf(client, "Macro").create({ name: chance.text(), type: "script", command: code });
  await made.execute({ n: chance.below(999) });
}

function modifyBatch(chance, client) {
  if (client.generation < 14) return undefined;
  const actor = chance.pick(client.game.actors.contents);
  return globalThis.foundry.documents.modifyBatch([
    { action: "create", documentName: "Item", data: [fresh(chance, client, "Item")] },
    ...(actor ? [{ action: "update", documentName: "Actor", updates: [{ _id: actor.id, name: chance.text() }] }] : []),
  ]);
}


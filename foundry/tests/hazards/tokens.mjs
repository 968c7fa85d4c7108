/** Hazards 17 to 21, 26, 41: leaves, types, deltas, places. */

import assert from "node:assert/strict";

import { hazard, listen } from "./stage.mjs";

/** A system whose `npc` actors have a closed schema: 12 drops deletion keys in it. */
const MODELLED = {
  id: "sim-modelled", title: "Modelled", version: "1.0.0", primaryTokenAttribute: "resource",
  types: { Actor: ["character", "npc"], Item: ["gear"] },
  models: { Actor: { npc: { resource: { value: 10, max: 10 }, notes: {} } } },
};

hazard(17, "keys that were added are gone, in open data and in a data model", {
  variants: [{}, { system: MODELLED }],
  mutant: { file: "recorder/leaves.js", find: "if (before !== undefined) change.before = cloneJson(before);", put: "change.before = cloneJson(before ?? null);" },
}, async (stage) => {
  const actor = stage.actor("Old Pike");
  await stage.settle(actor.update({ "system.notes": { kept: 1, old: { a: 1 } }, "flags.world.mood": { grim: true } }));
  const added = await stage.exactly(() => actor.update({ "system.notes.fresh": 2, "flags.world.extra": "x", "flags.world.mood.worse": 1 }));
  assert.equal(JSON.stringify(actor.toObject()).includes("-="), false);
  await stage.exactly(() => actor.update({ "system.notes.old": 5 }));
  await stage.exactly(() => actor.update({ system: { notes: {} } }, { recursive: false }));
  assert.ok(added.entries.length);
});

hazard(18, "where it came from survives a restore that clears the statistics", {
  variants: [{ faults: [{ fault: "clearStats" }] }],
  mutant: { file: "recorder/diff-document.js", find: "for (const key of KEPT_STATS) {", put: "for (const key of []) {" },
}, async (stage) => {
  const [item] = stage.game.items.contents;
  await stage.settle(item.update({ _stats: { compendiumSource: "Compendium.world.things.Item.aaaaaaaaaaaaaaaa" } }));
  await stage.exactly(() => item.update({ system: { only: 1 } }, { recursive: false }));
  assert.equal(item._source._stats.compendiumSource, "Compendium.world.things.Item.aaaaaaaaaaaaaaaa");
});

hazard(19, "a changed type goes back together with its data", {
  mutant: { file: "recorder/undo/writes.js", find: "const hasType = changes.some(({ path }) => path === \"type\");", put: "const hasType = false; changes = changes.filter(({ path }) => path !== \"type\");" },
}, async (stage) => {
  const actor = stage.actor("Old Pike");
  const system = { resource: { value: 1, max: 2 }, only: { here: true } };
  const changes = { type: "character", system: stage.version >= 14 ? globalThis._replace(system) : system };
  await stage.exactly(() => actor.update(changes, { recursive: stage.version >= 14 }));
  assert.equal(actor.type, "npc");
});

hazard(20, "a change inside an unlinked token is a change of its delta, and the token's actor follows", {
  variants: [{}, { facts: { emitDeltaHooks: true } }],
  mutant: { file: "recorder/documents.js", find: "for (let at = document.parent; at; at = at.parent) if (at.documentName === \"Token\") return at;", put: "" },
}, async (stage) => {
  const token = stage.token("Changed rat");
  const base = stage.actor("Cellar Rat").toObject();
  await stage.exactly(() => token.actor.update({ "system.resource.value": 1, name: "Wet rat" }));
  await stage.exactly(() => token.actor.items.getName("Crown of crumbs").update({ name: "Crown of mould" }));
  await stage.exactly(() => token.actor.items.getName("Crown of crumbs").delete());
  await stage.exactly(() => token.actor.createEmbeddedDocuments("ActiveEffect", [{ name: "Dazed" }]));
  const plain = stage.token("Rat on the stairs");
  await stage.exactly(() => plain.actor.items.contents[0].delete());
  assert.equal(plain.actor.items.size, 1);
  assert.equal(JSON.stringify(plain._source.delta).includes("_tombstone"), false);
  await stage.exactly(() => plain.update({ delta: { name: "Named at the door" } }));
  assert.equal(plain.actor.name, "Cellar Rat");
  const point = await stage.exactly(() => plain.actor.update({ "system.resource.value": 2 }));
  assert.deepEqual(point.entries.map(({ documentName, types }) => [documentName, types]), [["Token", ["Actor"]]]);
  await stage.exactly(() => token.delete());
  await stage.exactly(() => token.update({ actorLink: true }));
  assert.deepEqual(stage.actor("Cellar Rat").toObject(), base);
});

hazard(21, "a moved token goes back past movement rules, without Foundry's own fields", {
  mutant: { file: "recorder/undo/writes.js", find: "return documentName === \"Token\" ? { ...options, isUndo: true, animate: false } : options;", put: "return options;" },
}, async (stage) => {
  const token = stage.token();
  const point = await stage.record(() => token.update({ x: 777, y: 888, elevation: 5 }));
  assert.deepEqual(point.entries[0].changes.map(({ path }) => path).sort(), ["elevation", "x", "y"]);
  const seen = [];
  listen(stage.gm, "updateToken", (_token, changes, options) => seen.push([Object.keys(changes).some((key) => key.startsWith("_m")), options.isUndo, options.animate]));
  await stage.undo(point);
  assert.deepEqual(seen, [[false, true, false]]);
  assert.deepEqual([token.x, token.y], [2100, 1700]);
});

hazard(26, "sorting siblings keeps only their place, whatever else is written to them meanwhile", {
  mutant: { file: "recorder/recorder.js", find: "const touched = touchedBy(changes ?? document._source, {", put: "const touched = touchedBy(document._source, {" },
}, async (stage) => {
  const items = stage.game.items.contents;
  const [first] = items;
  const other = stage.others.player.game.items.get(first.id);
  stage.world.network.latency = 0;
  let stolen;
  listen(stage.gm, "preUpdateItem", (item) => {
    if (item === first) stolen ??= stage.others.gm.game.items.get(first.id).update({ name: "Renamed by another" });
  });
  const point = await stage.record(() => stage.game.items.documentClass.updateDocuments(items.map((item, i) => ({ _id: item.id, sort: i * 7 + 3 }))));
  await stage.settle(stolen);
  for (const { changes } of point.entries) assert.deepEqual(changes.map(({ path }) => path), ["sort"]);
  await stage.undo(point);
  assert.equal(first.name, "Renamed by another");
  assert.equal(other.name, "Renamed by another");
});

hazard(41, "a document that no longer validates is still found and put back", {
  mutant: { file: "recorder/lookup.js", find: "if (!collection?.invalidDocumentIds?.has(id)) return null;", put: "return null;" },
}, async (stage) => {
  const actor = stage.actor();
  const before = stage.look();
  const point = await stage.record(() => actor.update({ name: "Bad" }));
  // What Foundry does with a document its own model refuses after a reload.
  const { actors } = stage.game;
  const { get } = actors;
  actors.invalidDocumentIds.add(actor.id);
  actors.getInvalid = (id) => (id === actor.id ? actor : undefined);
  let hidden = true;
  actors.get = function (id, options) {
    return hidden && id === actor.id && !options?.strict ? undefined : get.call(this, id, options);
  };
  const { updateDocuments } = actors.documentClass;
  actors.documentClass.updateDocuments = function (...args) {
    hidden = false;
    return updateDocuments.apply(this, args).finally(() => { hidden = true; });
  };
  const redo = await stage.undo(point);
  actors.documentClass.updateDocuments = updateDocuments;
  delete actors.get;
  assert.deepEqual(redo.applied.map(({ ok }) => ok), [true]);
  assert.deepEqual(stage.changed(before), []);
});

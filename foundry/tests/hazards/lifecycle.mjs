/** Hazards 1 to 6, 42, 43: what was asked for and what happened. */

import assert from "node:assert/strict";

import { hazard, listen, told } from "./stage.mjs";

hazard(1, "a later listener's veto leaves no entry", {
  mutant: { file: "recorder/recording.js", find: "    this.#entries.drop(dropped);", put: "" },
}, async (stage) => {
  listen(stage.gm, "preUpdateActor", () => false);
  listen(stage.gm, "preDeleteItem", () => false);
  const before = stage.look();
  const point = await stage.record(async () => {
    await stage.actor().update({ name: "Nobody" });
    await stage.game.items.contents[0].delete();
  });
  assert.deepEqual(stage.changed(before), []);
  assert.deepEqual(point.entries, []);
});

hazard(2, "an earlier listener's veto hides one document of a batch, and ours stops none", {
  mutant: { file: "recorder/recorder.js", find: "return recording.vetoed.has(document.uuid) ? false : undefined;", put: "return false;" },
}, async (stage) => {
  const [first, second] = stage.game.items.contents;
  // Registered before ours as far as order goes: it is put at the front.
  stage.gm.Hooks.on("preUpdateItem", (item) => (item === first ? false : undefined));
  stage.gm.Hooks.events.preUpdateItem.unshift(stage.gm.Hooks.events.preUpdateItem.pop());
  const point = await stage.exactly(() => stage.game.items.documentClass.updateDocuments([
    { _id: first.id, name: "refused" }, { _id: second.id, name: "taken" },
  ]));
  assert.deepEqual(told(point), [`update ${second.uuid}`]);
});

hazard(3, "what the server refuses leaves no entry", {
  mutant: { file: "recorder/closing.js", find: 'if (isThere) return { kind: "dropped" };', put: "" },
}, async (stage) => {
  const before = stage.look();
  stage.world.faults.add({ fault: "rejectAfterPre", reason: "the server says no" });
  const point = await stage.record(async () => {
    await assert.rejects(stage.actor().update({ name: "Nobody" }));
    await assert.rejects(stage.game.items.contents[0].delete());
  });
  assert.deepEqual(stage.changed(before), []);
  assert.deepEqual(point.entries, []);
});

hazard(4, "an update that changes nothing sends nothing", {
  mutant: { file: "recorder/recording.js", find: 'if (op !== "update" || guess.length) {', put: "{" },
}, async (stage) => {
  const point = await stage.record(() => stage.actor().update(stage.actor().toObject()));
  assert.deepEqual(point.entries, []);
  assert.equal(stage.bench.relay.raw.has(point.id), false);
});

hazard(5, "what a later listener adds to the changes is in the entry", {
  mutant: { file: "recorder/recording.js", find: "const changes = diffBody(documentName, intent.before, source, touched);", put: "const changes = intent.guess;" },
}, async (stage) => {
  listen(stage.gm, "preUpdateActor", (actor, changes) => {
    changes.flags = { world: { seen: actor.name } };
  });
  const before = stage.look();
  const point = await stage.record(() => stage.actor().update({ name: "Somebody" }));
  assert.deepEqual(point.entries[0].changes.map(({ path }) => path).sort(), ["flags", "name"]);
  stage.gm.Hooks.events.preUpdateActor.pop();
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

hazard(6, "writes without pre hooks are covered as far as they can be, and the rest is said", {
  mutant: { file: "recorder/recorder.js", find: "recording.unannounced(op, document, touched);", put: "" },
}, async (stage) => {
  const actor = stage.actor();
  const before = stage.look();
  const point = await stage.record(async () => {
    await stage.game.items.documentClass.create({ name: "Blind cask", type: "gear" }, { noHook: true });
    await stage.game.items.contents[0].delete({ noHook: true });
    await actor.update({ sort: 77 }, { noHook: true });
  });
  assert.deepEqual(point.entries.map(({ op }) => op), ["create", "delete"]);
  assert.deepEqual(point.uncovered, [{ op: "update", uuid: actor.uuid, documentName: "Actor", name: actor.name, why: "noHook" }]);
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), [actor.uuid]);
});

hazard(42, "a batch of twenty that shares its options gives twenty entries", {
  mutant: { file: "recorder/intents.js", find: "    this.#all.delete(intent);\n", put: "    this.#all.delete(intent);\n    return;\n" },
}, async (stage) => {
  const walls = Array.from({ length: 20 }, (_, i) => ({ c: [i, 0, i, 9] }));
  const point = await stage.exactly(() => stage.scene.createEmbeddedDocuments("Wall", walls));
  assert.equal(new Set(told(point)).size, 20);
});

hazard(43, "order is by number, whatever the clock does", {
  mutant: { file: "recorder/stream.js", find: "seq: ++told.lastSeq", put: "seq: told.lastSeq" },
}, async (stage) => {
  const before = stage.look();
  const point = await stage.record(async () => {
    await stage.actor().update({ sort: 1 });
    stage.bench.clock.jump(-3_600_000);
    await stage.actor().update({ sort: 2 });
    stage.bench.clock.jump(7_200_000);
    await stage.actor().update({ sort: 3 });
  });
  assert.deepEqual([...stage.bench.relay.raw.get(point.id).keys()], [1, 2, 3, 4, 5, 6]);
  assert.equal(point.entries[0].changes[0].after, 3);
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

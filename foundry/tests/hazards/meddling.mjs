/** Hazards 11 to 14, 27, 28, 34 to 39: time, other people, other modules, breaks. */

import assert from "node:assert/strict";

import { failures } from "../module/bench.mjs";
import { hazard, listen, told } from "./stage.mjs";

hazard(11, "what another module writes a little later is in the point, marked", {
  mutant: { file: "recorder/recorder.js", find: "    this.#waitForQuiet(recording);\n    if (recording.raw", put: "    this.#close(recording);\n    if (recording.raw" },
}, async (stage) => {
  const { clock } = stage.bench;
  listen(stage.gm, "updateActor", (actor, changes) => {
    if ("name" in changes) clock.setTimeout(() => void actor.setFlag("world", "echo", changes.name), 50);
  });
  const before = stage.look();
  const point = await stage.record(() => stage.actor().update({ name: "Loud" }));
  const { id } = point;
  const raw = [...stage.bench.relay.raw.get(id).values()];
  assert.deepEqual(raw.filter(({ op }) => op).map(({ tail }) => Boolean(tail)), [false, true]);
  stage.gm.Hooks.events.updateActor.pop();
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

hazard(12, "the GM's own hand is marked, and nothing is recorded while nobody asked", {
  mutant: { file: "recorder/own-hand.js", find: "if (method !== undefined) return BY_HAND.has(method);", put: "if (method !== undefined) return false;" },
}, async (stage) => {
  await stage.settle(stage.actor().update({ name: "By hand" }));
  assert.equal(stage.bench.relay.frames.length, 0);
  const token = stage.token();
  const point = await stage.record(async () => {
    await stage.actor("By hand").update({ "system.resource.value": 3 });
    await token.update({ x: 5 }, { movement: { [token.id]: { method: "dragging" } } });
  });
  assert.deepEqual(point.entries.map(({ documentName, own }) => [documentName, Boolean(own)]), [["Actor", false], ["Token", true]]);
  await stage.undo(point);
  assert.equal(token.x, 5);
});

hazard(13, "a player's write is no entry, and a conflict when it is in the way", {
  mutant: { file: "recorder/undo/restore.js", find: "const conflicts = force || entry.confirmed === false ? [] : changed(document, changes);", put: "const conflicts = [];" },
}, async (stage) => {
  const theirs = stage.others.player.game.actors.getName("Ottar Reed");
  const point = await stage.record(async () => {
    await stage.actor().update({ "system.resource.value": 3 });
    await theirs.update({ "flags.world.mine": 1 });
  });
  assert.deepEqual(point.entries.map(({ changes }) => changes.map(({ path }) => path)), [["system.resource.value"]]);
  await stage.settle(theirs.update({ "system.resource.value": 20 }));
  assert.deepEqual(failures(await stage.undo(point)).map(({ error }) => error), ["changed since: system.resource.value"]);
  assert.equal(stage.actor().system.resource.value, 20);
  assert.deepEqual(failures(await stage.undo(point, { force: true })), []);
  assert.equal(stage.actor().system.resource.value, 31);
  assert.equal(stage.actor().flags.world.mine, 1);
});

hazard(14, "work another GM's client did meanwhile is said, not kept", {
  mutant: { file: "recorder/recorder.js", find: "} else if (isGm(userId)) recording.uncovered({ ...told(op, document), why: \"other-client\" });", put: "}" },
}, async (stage) => {
  const theirs = stage.others.gm.game.actors.getName("Old Pike");
  const point = await stage.record(async () => {
    await stage.actor().update({ name: "Asks for help" });
    await theirs.update({ name: "Helped" });
  });
  assert.deepEqual(told(point), [`update ${stage.actor("Asks for help").uuid}`]);
  assert.deepEqual(point.uncovered.map(({ uuid, why }) => [uuid, why]), [[theirs.uuid, "other-client"]]);
});

hazard(27, "many walls stay small, big documents come in parts, fog is left alone", {
  mutant: { file: "recorder/hooks.js", find: "const EXCLUDED = new Set([\"FogExploration\"]);", put: "const EXCLUDED = new Set();" },
}, async (stage) => {
  const walls = Array.from({ length: 600 }, (_, i) => ({ c: [i, 0, i, 9] }));
  const { scene } = stage;
  await stage.settle(scene.createEmbeddedDocuments("Wall", walls));
  const point = await stage.record(async () => {
    await scene.updateEmbeddedDocuments("Wall", scene.walls.map((wall) => ({ _id: wall.id, door: 1 })));
    await stage.game.collections.get("FogExploration").documentClass.create({ scene: scene.id, user: stage.game.user.id });
  });
  assert.equal(point.entries.length, scene.walls.size);
  assert.ok(JSON.stringify(point.entries).length < 600 * 1000); // 5,000 stay below 5 MB
  assert.ok(stage.bench.relay.frames.every(({ size, entries }) => size < 4.1 * 2 ** 20 && entries.length <= 256));
  const huge = await stage.record(() => stage.actor().update({ "flags.world.book": "ü😀".repeat(900_000) }));
  assert.ok(stage.bench.relay.frames.some(({ entries }) => "part" in entries[0]));
  assert.equal(huge.entries[0].changes[0].after.book?.length ?? huge.entries[0].changes[0].after.world.book.length, 2_700_000);
});

hazard(28, "a chat card made along the way goes again", {
  mutant: { file: "recorder/hooks.js", find: "const EXCLUDED = new Set([\"FogExploration\"]);", put: "const EXCLUDED = new Set([\"FogExploration\", \"ChatMessage\"]);" },
}, async (stage) => {
  listen(stage.gm, "updateActor", (actor, changes) => {
    if (changes.system) void stage.game.messages.documentClass.create({ content: `${actor.name} was hurt` });
  });
  const before = stage.look();
  const point = await stage.record(() => stage.actor().update({ "system.resource.value": 1 }));
  assert.deepEqual(point.entries.map(({ documentName, op }) => `${op} ${documentName}`), ["update Actor", "create ChatMessage"]);
  stage.gm.Hooks.events.updateActor.pop();
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

hazard(34, "what modules do in answer to a rollback is in its redo point", {
  mutant: { file: "recorder/recorder.js", find: "const side = recording.isUndo && !isUndoWrite(options);", put: "const side = false; if (recording.isUndo && !isUndoWrite(options)) return undefined;" },
}, async (stage) => {
  const before = stage.look();
  const ledger = stage.game.journal.getName("The Inn's Ledger");
  const point = await stage.record(() => stage.actor().update({ "system.resource.value": 1 }));
  listen(stage.gm, "updateActor", (actor, changes) => {
    if (changes.system) void ledger.update({ name: `${actor.name} feels better` });
  });
  const redo = await stage.undo(point);
  stage.gm.Hooks.events.updateActor.pop();
  assert.deepEqual(stage.changed(before), [ledger.uuid]);
  assert.deepEqual(redo.entries.map(({ op, side, documentName }) => [op, documentName, Boolean(side)]), [
    ["update", "Actor", false], ["update", "JournalEntry", true],
  ]);
  assert.deepEqual(failures(await stage.undo(redo)), []);
  assert.equal(stage.actor().system.resource.value, 1);
  assert.equal(ledger.name, "The Inn's Ledger");
});

hazard(35, "where somebody wrote since, the rollback asks first", {
  mutant: { file: "recorder/undo/remove.js", find: "else if (!force && isEdited(document, task.entry, entries)) outcome.failed(task, \"edited since it was created\");", put: "" },
}, async (stage) => {
  const point = await stage.record(async () => {
    await stage.actor().update({ name: "Changed" });
    await stage.game.actors.documentClass.create({ name: "Newcomer", type: "npc" });
  });
  await stage.settle(stage.actor("Newcomer").createEmbeddedDocuments("Item", [{ name: "A gift", type: "gear" }]));
  await stage.settle(stage.actor("Changed").update({ "flags.world.later": 1 }));
  const created = point.entries.find(({ op }) => op === "create");
  const { found } = await stage.bench.call("rollback.check", { expected: [{ uuid: created.uuid, hash: created.hash, children: created.children, exists: true }] });
  assert.equal(found.length, 1);
  const redo = await stage.undo(point);
  assert.deepEqual(failures(redo).map(({ error }) => error), ["edited since it was created"]);
  assert.equal(stage.actor("Newcomer").items.size, 1);
  assert.equal(stage.actor().flags.world.later, 1);
});

hazard(36, "a tab that dies leaves what it had done by then", {
  mutant: { file: "recorder/stream.js", find: "    this.#schedule(() => {", put: "    void (() => {" },
}, async (stage) => {
  const { bench } = stage;
  const before = stage.look();
  const id = bench.newId();
  void bench.recorder.runRecorded({ rp: { id }, method: "eval" }, async () => {
    for (let i = 0; i < 5; i++) {
      if (i === 3) return new Promise(() => {});
      await stage.game.items.contents[i].update({ name: `Written ${i}` });
    }
    return undefined;
  }).catch(() => {});
  await bench.clock.advance(100);
  const point = bench.relay.point(id);
  assert.equal(point.entries.length, 3);
  assert.equal(point.closed, undefined);
  await stage.bench.clock.advance(400_000);
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

hazard(37, "a call that never ends is ended at its limit, with what it did", {
  variants: [{ limits: { writeSeconds: 5 } }],
  mutant: { file: "recorder/recorder.js", find: "const cancel = timers.after(seconds * 1000, () => {", put: "const cancel = timers.after(seconds * 1e9, () => {" },
}, async (stage) => {
  stage.world.faults.add({ fault: "neverSettle", match: { documentName: "Item" } });
  const before = stage.look();
  const start = stage.bench.clock.now();
  const point = await stage.record(async () => {
    await stage.actor().update({ name: "Done" });
    await stage.game.items.contents[0].update({ name: "Never" });
  });
  assert.ok(stage.bench.clock.now() - start < 10_000);
  assert.equal(point.error.code, -33010);
  assert.equal(point.error.data.runaway, true);
  assert.equal(point.closed.runaway, true);
  assert.deepEqual(point.entries.map(({ name }) => name), ["Done"]);
  await stage.undo(point);
  assert.deepEqual(stage.changed(before), []);
});

hazard(38, "pre hooks of a batch that is called off leave no entry", {
  mutant: { file: "recorder/recording.js", find: "    this.#entries.drop(dropped);", put: "" },
}, async (stage) => {
  const before = stage.look();
  const { documentClass: Actor } = stage.game.actors;
  Actor._preUpdateOperation = async () => false;
  const point = await stage.record(() => Actor.updateDocuments(stage.game.actors.map((actor) => ({ _id: actor.id, name: "All" }))));
  delete Actor._preUpdateOperation;
  assert.deepEqual(point.entries, []);
  const { modifyBatch } = globalThis.foundry.documents ?? {};
  if (stage.version < 14) assert.equal(modifyBatch, undefined); // not in this version: what is above is all there is
  else {
    listen(stage.gm, "preDeleteItem", () => false);
    const called = await stage.record(() => modifyBatch([
      { action: "update", documentName: "Actor", updates: [{ _id: stage.actor().id, name: "Batch" }] },
      { action: "delete", documentName: "Item", ids: [stage.game.items.contents[0].id] },
    ]));
    assert.deepEqual(called.entries, []);
    const dry = await stage.record(() => stage.actor().update({ name: "Dry" }, { dryRun: true }));
    assert.deepEqual(dry.entries, []);
  }
  assert.deepEqual(stage.changed(before), []);
});

hazard(39, "a protected document is kept from a folder's deletion, and its loss is said", {
  variants: [{ protect: { names: ["How it sank"] } }],
  mutant: { file: "protected-documents.js", find: "if (this.#names.some((matches) => matches(name))) return true;", put: "" },
}, async (stage) => {
  const before = stage.look();
  const journal = stage.game.journal.getName("How it sank");
  const point = await stage.record(() => stage.game.folders.getName("Ledgers").delete({ deleteContents: true }));
  assert.equal(point.error.code, -33014);
  assert.deepEqual(stage.changed(before), []);
  const direct = await stage.record(() => journal.pages.contents[0].update({ name: "Rewritten" }));
  assert.equal(direct.error.code, -33014);
  const { uuid } = journal;
  const lost = await stage.record(() => journal.delete({ noHook: true }));
  assert.deepEqual(lost.entries, []);
  assert.deepEqual(lost.uncovered.map((each) => [each.uuid, each.why]), [[uuid, "protected"]]);
});

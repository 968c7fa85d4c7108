import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, diffWorlds } from "../../simulator/index.js";
import { failures } from "./bench.mjs";
import { CHEST, NET, OTTAR, lose, ottar, pearl, pearlsOf, within } from "./loot-table.mjs";

for (const version of [12, 13, 14]) {
  test(`a restore grants the recorded item, the missing amount, to the recorded recipient; undo takes it back, redo gives it again (${version})`, () =>
    within(async (table) => {
      const row = await lose(table);
      assert.deepEqual([row.expectedQty, row.deliveredQty, row.shortfall, row.recipientUuid, pearlsOf(ottar())], [3, 1, 2, OTTAR, 1]);
      const before = canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] });

      const { answer, point } = await table.restore({ eventIds: [row.eventId] });

      assert.deepEqual(answer.failed, []);
      const [granted] = answer.restored;
      assert.deepEqual([granted.eventId, granted.item, granted.qty, granted.recipient, granted.note], [row.eventId, "Lake pearl", 2, "Ottar Reed", undefined]);
      const item = ottar().items.get(granted.createdId);
      assert.equal(item.system.quantity, 2);
      assert.equal(item.flags.aagm.restoredFrom, row.eventId);
      assert.equal(pearlsOf(ottar()), 3);
      assert.deepEqual(point.entries.map(({ op, documentName }) => [op, documentName]), [["create", "Item"]], "the point holds more than the item");
      assert.deepEqual(table.queue.pending, []);
      const log = table.log;
      assert.match(log, new RegExp(`${row.eventId}: granted to Ottar Reed`));
      const after = canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] });

      const redo = await table.bench.undo(point);
      assert.deepEqual(failures(redo), []);
      assert.deepEqual(diffWorlds(before, canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] })), []);
      assert.equal(table.log, log, "the undo changed the Rescue Log");
      const again = await table.restore({ eventIds: [row.eventId] });
      assert.match(again.answer.failed[0].reason, /restored already/);

      await table.bench.undo(redo);
      assert.deepEqual(diffWorlds(after, canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] })), []);
    }, { version }));
}

test("coins come back as the coins they were, with their mark in one write, and undo takes both", () =>
  within(async (table) => {
    const chest = table.at(table.bench.gm, CHEST);
    await table.settle(chest.actor.update({ "system.currency": { pp: 2, sp: 5 } }));
    await table.pass();
    await table.settle(chest.actor.update({ "system.currency": { pp: 0, gp: 4, sp: 1 } }));
    await table.pass();
    const [row] = table.queue.pending;
    assert.deepEqual([row.item, row.kind, row.shortfall], ["2 PP, 3 GP, 4 SP", "currency", 2340]);
    const before = canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] });

    const { answer, point } = await table.restore();

    assert.deepEqual(answer.restored.map(({ createdId, qty }) => [createdId, qty]), [[null, 2340]]);
    const { pp, gp, sp } = table.at(table.bench.gm, CHEST).actor.system.currency;
    assert.deepEqual([pp, gp, sp], [2, 7, 5]);
    await table.bench.undo(point);
    assert.deepEqual(diffWorlds(before, canonical(table.world, { ignore: ["JournalEntry", "JournalEntryPage"] })), []);
  }));

test("without event ids everything is granted; unknown ones and repeated ones are told apart", () =>
  within(async (table) => {
    const row = await lose(table);
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    const { answer } = await table.restore({ eventIds: [row.eventId, row.eventId, "lw-1-nosuch"] });
    assert.equal(answer.restored.length, 1);
    assert.deepEqual(answer.failed, [{ eventId: "lw-1-nosuch", reason: "no such event is pending" }]);
    const rest = await table.restore();
    assert.deepEqual(rest.answer.restored.map(({ item, recipient }) => [item, recipient]), [["Lake pearl", "Rescued Loot"]]);
    assert.deepEqual((await table.restore()).answer, { restored: [], failed: [], ackedPhantoms: [], rollback: { streamed: 0 } });
  }));

for (const [what, params] of [["eventIds", { eventIds: "all" }], ["ackPhantoms", { ackPhantoms: [3] }]]) {
  test(`${what} that are no list of ids are refused`, () =>
    within((table) => assert.rejects(table.restore(params), { code: -32602 })));
}

test("a recipient that is gone keeps its loss on the list", () =>
  within(async (table) => {
    await lose(table);
    await table.settle(ottar().delete());
    const { answer } = await table.restore();
    assert.match(answer.failed[0].reason, /the recipient Ottar Reed is gone/);
    assert.equal(table.queue.pending.length, 1);
  }));

test("a grant that the server refuses stays pending and can be tried again", () =>
  within(async (table) => {
    await lose(table);
    table.world.faults.add({ fault: "rejectAfterPre", match: { documentName: "Item" }, times: 1, reason: "the lake is closed" });
    const { answer } = await table.restore();
    assert.equal(answer.failed[0].reason, "the lake is closed");
    assert.equal(table.queue.pending[0].status, undefined);
    assert.equal((await table.restore()).answer.restored.length, 1);
    assert.equal(pearlsOf(ottar()), 3);
  }));

test("a grant that another module vetoes stays pending", () =>
  within(async (table) => {
    await lose(table);
    const hook = table.bench.gm.Hooks.on("preCreateItem", () => false);
    assert.match((await table.restore()).answer.failed[0].reason, /let nothing be granted/);
    table.bench.gm.Hooks.off("preCreateItem", hook);
    assert.equal((await table.restore()).answer.restored.length, 1);
  }));

test("the queue that cannot be written after the grant: a retry only mends the list", () =>
  within(async (table) => {
    const row = await lose(table);
    table.world.faults.add({ fault: "rejectAfterPre", match: { documentName: "JournalEntry" }, after: 1, times: 1, reason: "the journal is wet" });
    const { answer } = await table.restore();
    assert.match(answer.restored[0].note, /the journal is wet/);
    assert.equal(table.queue.pending.length, 1);
    const again = await table.restore({ eventIds: [row.eventId] });
    assert.match(again.answer.restored[0].note, /granted before/);
    assert.equal(pearlsOf(ottar()), 3);
    assert.deepEqual(table.queue.pending, []);
  }));

test("our own rollback brings a deleted pile back, and its losses leave the list", () =>
  within(async (table) => {
    const point = await table.bench.record(() => table.at(table.bench.gm, CHEST).delete());
    await table.pass();
    assert.equal(table.queue.pending.length, 3);
    await table.bench.undo(point);
    await table.pass();
    assert.deepEqual(table.queue.pending, []);
    assert.match(table.log, /it is there again/);
    assert.ok(point.entries.every(({ documentName }) => documentName === "Token"), "journal or whisper got into the point");
  }));

test("what our own rollback takes out of a pile again is not lost", () =>
  within(async (table) => {
    const point = await table.bench.record(() => table.at(table.bench.gm, CHEST).actor.createEmbeddedDocuments("Item", [{ name: "Clay pipe", type: "loot", system: { quantity: 4 } }]));
    await table.pass(20_000);
    await table.bench.undo(point);
    await table.pass();
    assert.deepEqual(table.queue.pending, []);
  }));

test("a loss that was undone while nobody watched is not granted", () =>
  within(async (table) => {
    const chest = table.at(table.bench.gm, CHEST);
    const data = chest.toObject();
    await table.settle(chest.delete());
    await table.pass();
    await table.settle(table.loot.toggle(""));
    await table.settle(game.scenes.active.createEmbeddedDocuments("Token", [data], { keepId: true }));
    const { answer } = await table.restore();
    assert.deepEqual(answer.failed.map(({ item, reason }) => [item, reason.replace(/:.*/, "")]).filter(([item]) => item === "Lake pearl"), [["Lake pearl", "it is back in Sunken chest"]]);
  }));

test("goods that arrive late are taken off the list", () =>
  within(async (table) => {
    await lose(table);
    await table.settle(ottar().createEmbeddedDocuments("Item", [pearl(1)]));
    await table.pass(100);
    assert.deepEqual(table.queue.pending.map(({ shortfall, deliveredQty }) => [shortfall, deliveredQty]), [[1, 2]]);
    await table.settle(ottar().items.getName("Lake pearl").update({ "system.quantity": 2 }));
    await table.pass(100);
    assert.deepEqual(table.queue.pending, []);
  }));

test("a loss just before a reload is found when the tab is armed again", () =>
  within(async (table) => {
    await table.settle(table.at(table.bench.gm, CHEST).actor.items.getName("Lake pearl").delete());
    await table.pass(1000);
    await table.reload();
    await table.pass(10_000);
    assert.deepEqual(table.queue.pending, [], "nobody watches");
    await table.arm();
    await table.pass(100);
    assert.deepEqual(table.queue.pending.map(({ item, shortfall }) => [item, shortfall]), [["Lake pearl", 3]]);
  }));

test("what arrives while the tab is reloaded is no loss", () =>
  within(async (table) => {
    await table.settle(table.at(table.bench.gm, CHEST).actor.items.getName("Lake pearl").delete());
    await table.pass(1000);
    await table.reload();
    await table.settle(ottar().createEmbeddedDocuments("Item", [pearl(3)]));
    await table.pass(10_000);
    await table.arm();
    await table.pass(100);
    assert.deepEqual(table.queue.pending, []);
  }));

for (const text of ["null", "{broken", "[]", "{}", '{"at":0,"book":{"departures":[null],"arrivals":[],"movements":[]},"totals":{}}', '{"at":0,"book":{},"totals":{}}']) {
  test(`a tab whose open book is ${text} is armed with an empty one, and watches`, () =>
    within(async (table) => {
      await table.reload();
      table.memory.set(`aagm.loot-${table.bench.world.id}`, text);
      await table.arm();
      await table.settle(table.at(table.bench.gm, CHEST).actor.items.getName("Lake pearl").delete());
      await table.pass(10_000);
      assert.deepEqual(table.queue.pending.map(({ item, shortfall }) => [item, shortfall]), [["Lake pearl", 3]]);
    }));
}

test("records that a family's watchdog left are listed and restored", () =>
  within(async (table) => {
    const record = {
      eventId: "lw-1700000000000-abc123", kind: "item", status: "pending", via: "post", itemData: { _id: "oldid00000000000", ...pearl(3) }, expectedQty: 3, deliveredQty: 1, shortfall: 2,
      pileName: "Old chest", pileUuid: "Scene.x.Token.y", recipientName: "Ottar Reed", recipientUuid: OTTAR, looterName: "Mara", looterId: "u1", ts: 1700000000000,
    };
    await table.settle(table.journal.update({ flags: { world: { "aagm-g-loot-rescue": { pending: { [record.eventId]: record }, phantoms: {} }, "itempile-rescue-pending": { a: 1, b: 2 } } } }));
    assert.equal(table.queue.legacyCount, 2);
    const { answer } = await table.restore({ eventIds: [record.eventId] });
    assert.deepEqual(answer.restored.map(({ qty }) => qty), [2]);
    assert.deepEqual(table.queue.pending, []);
  }));

test("without a Rescue Log both methods say so", () =>
  within(async (table) => {
    await assert.rejects(table.bench.call("loot.pending", {}), { code: -33002, message: /no Rescue Log/ });
    await assert.rejects(table.restore(), { code: -33002 });
  }, { isArmed: false }));

test("an agent's write cannot touch the Rescue Log", () =>
  within(async (table) => {
    const row = await lose(table);
    const { error } = await table.bench.record(() => table.journal.update({ "flags.world.aagm-k-loot-rescue.pending": {} }, { recursive: false }));
    assert.equal(error.code, -33014);
    assert.equal(table.queue.pending[0].eventId, row.eventId);
  }));

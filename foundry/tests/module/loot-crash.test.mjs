import assert from "node:assert/strict";
import { test } from "node:test";
import { LootTable, lose, ottar, pearl, pearlsOf, within } from "./loot-table.mjs";

/** Where the tab may die: which request never comes back, and whether the server had done it. */
const CRASHES = [
  { title: "before anything was marked", fault: { match: { documentName: "JournalEntry" } }, then: "granted" },
  { title: "after the mark, before the grant", fault: { match: { documentName: "JournalEntry" }, stored: true }, then: "asks" },
  { title: "when the grant was asked for and not done", fault: { match: { documentName: "Item" } }, then: "asks" },
  { title: "between the grant and the list", fault: { match: { documentName: "Item" }, stored: true }, then: "crossed off" },
  { title: "when the list was to be written and was not", fault: { match: { documentName: "JournalEntry" }, after: 1 }, then: "crossed off" },
  { title: "after the list was written", fault: { match: { documentName: "JournalEntry" }, after: 1, stored: true }, then: "done" },
];

for (const { title, fault, then } of CRASHES) {
  test(`a tab that dies ${title} never grants twice: ${then}`, async () => {
    const snapshot = await dieRestoring(fault);
    const table = new LootTable({ snapshot });
    try {
      const [first, second] = [await table.restore(), await table.restore()].map(({ answer }) => answer);
      const said = { granted: /^$/, "crossed off": /granted before/ }[then];
      if (said) assert.match(first.restored[0].note ?? "", said);
      else assert.deepEqual(first.restored, []);
      if (then === "asks") {
        assert.match(first.failed[0].reason, /not granted a second time/);
        assert.match(second.failed[0].reason, /not granted a second time/);
        assert.equal(pearlsOf(ottar()), 1);
        const [row] = table.queue.pending;
        await table.settle(table.loot.clearMark(row.eventId));
        assert.equal((await table.restore()).answer.restored.length, 1);
      } else assert.deepEqual([second.restored, second.failed], [[], []]);
      assert.equal(pearlsOf(ottar()), 3);
      assert.deepEqual(table.queue.pending, []);
    } finally {
      table.dispose();
    }
  });
}

/** Lose something, begin to restore it, and die: what the server holds then. */
async function dieRestoring(fault) {
  const table = await LootTable.open();
  try {
    await lose(table);
    table.world.faults.add({ fault: "neverSettle", times: 1, ...fault });
    void table.bench.dispatch("loot.restore")({ rp: { id: table.bench.newId() } });
    await table.bench.clock.advance(1000);
    return table.world.snapshot();
  } finally {
    table.dispose();
  }
}

test("a restore that was begun and is found granted is only crossed off", () =>
  within(async (table) => {
    const row = await lose(table);
    await table.settle(ottar().createEmbeddedDocuments("Item", [{ ...pearl(2), flags: { aagm: { restoredFrom: row.eventId } } }]));
    await mark(table, row.eventId);
    const { answer } = await table.restore();
    assert.match(answer.restored[0].note, /granted before/);
    assert.equal(pearlsOf(ottar()), 3);
    assert.deepEqual(table.queue.pending, []);
  }));

test("a restore that was begun and is not found is not repeated by itself, until the GM says that it never came", () =>
  within(async (table) => {
    const row = await lose(table);
    await mark(table, row.eventId);
    for (let i = 0; i < 3; i += 1) {
      const { answer } = await table.restore();
      assert.match(answer.failed[0].reason, /not granted a second time/);
    }
    assert.equal(pearlsOf(ottar()), 1);
    assert.equal(table.queue.pending[0].status, "granting");
    assert.equal(await table.settle(table.loot.clearMark("lw-1-other")), false);
    assert.equal(await table.settle(table.loot.clearMark(row.eventId)), true);
    assert.equal((await table.restore()).answer.restored.length, 1);
    assert.equal(pearlsOf(ottar()), 3);
  }));

const mark = (table, id) =>
  table.settle(table.journal.update({ flags: { world: { "aagm-k-loot-rescue": { pending: { [id]: { status: "granting", grantId: "grantedid0000000" } } } } } }));

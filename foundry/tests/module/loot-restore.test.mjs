import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, diffWorlds } from "../../simulator/index.js";
import { registerLootSettings } from "../../module/scripts/loot/macros.js";
import { failures } from "./bench.mjs";
import { CHEST, LootTable, MERCHANT, NET, OTHER_GM, OTTAR, PLAYER, pearl } from "./loot-table.mjs";

const MACRO = "AAGM-K Loot Watchdog";

async function within(run, options) {
  const table = await LootTable.open(options);
  try {
    await run(table);
  } finally {
    table.dispose();
  }
}

/** Two pearls vanish on their way to Ottar. */
async function lose(table, quantity = 2) {
  table.faults.inTransit = quantity;
  const { API } = game.itempiles;
  await table.settle(API.transferItems(table.at(table.bench.gm, CHEST), table.at(table.bench.gm, OTTAR), [{ _id: "pearl00000000000", quantity: 3 }]));
  await table.pass();
  const [row] = table.queue.pending;
  return row;
}

const ottar = () => game.actors.get("ottar00000000000");
const pearlsOf = (actor) => actor.items.filter(({ name }) => name === "Lake pearl").reduce((sum, item) => sum + item.system.quantity, 0);

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

const watchdogMacro = () => game.macros.getName(MACRO);

test("the active GM's tab makes the macros once a world", () =>
  within(async (table) => {
    await table.settle(table.loot.provision());
    await table.settle(table.loot.provision());
    const names = () => game.macros.map(({ name }) => name).filter((name) => name.startsWith("AAGM-K"));
    assert.deepEqual(names(), [MACRO, `${MACRO} Setup`]);
    assert.equal(watchdogMacro().img, "icons/svg/chest.svg");
    await table.settle(watchdogMacro().update({ name: "My watchdog" }));
    await table.reload();
    await table.settle(table.loot.provision());
    assert.deepEqual(names(), [`${MACRO} Setup`], "a renamed macro was made again");

    await table.settle(game.macros.getName("My watchdog").delete());
    await table.reload();
    await table.settle(table.loot.provision());
    assert.deepEqual(names(), [`${MACRO} Setup`], "a deleted macro came back");
    await table.settle(table.loot.setUp());
    assert.deepEqual(names(), [`${MACRO} Setup`, MACRO]);
  }, { isArmed: false }));

test("of two GMs the one who is not active makes no macros", () =>
  within(async (table) => {
    table.bench.gm.uninstall();
    table.client(OTHER_GM).install(globalThis);
    registerLootSettings();
    await table.settle(table.bench.newWatchdog("00000000000000cc", new Map()).provision());
    assert.equal(game.macros.size, 0);
    table.client(OTHER_GM).uninstall();
    table.bench.gm.install(globalThis);
    const [one, two] = [table.loot, table.bench.newWatchdog("00000000000000dd", new Map())];
    await table.settle(Promise.all([one.provision(), two.provision()]));
    assert.equal(game.macros.size, 2, "two tabs of one GM made them twice");
  }, { isArmed: false }));

const withApi = { modules: ["sim-item-piles", { id: "aagm", title: "AAGM", version: "1.0.0", api: {} }] };

test("the macros as the GM runs them: not set up, set up, armed, disarmed", () =>
  within(async (table) => {
    game.modules.get("aagm").api.lootWatchdog = table.loot;
    await table.settle(table.loot.provision());
    const last = () => table.toasts.at(-1);

    assert.equal(await table.settle(watchdogMacro().execute()), false);
    assert.match(last(), /^warning: AAGM\.Loot\.notSetUp/);
    assert.equal(game.journal.size, 0);

    const made = await table.settle(game.macros.getName(`${MACRO} Setup`).execute());
    assert.equal(made.journalId, table.journal.id);
    assert.match(watchdogMacro().command, new RegExp(`const RESCUE_LOG = "${made.journalId}"`));
    assert.equal(watchdogMacro().command.includes("REPLACE_WITH"), false);
    assert.deepEqual(table.journal.ownership, { default: 0 });
    await table.settle(game.macros.getName(`${MACRO} Setup`).execute());
    assert.equal(game.journal.size, 1);
    assert.equal(game.actors.filter(({ name }) => name === "Rescued Loot").length, 1);

    assert.equal(await table.settle(watchdogMacro().execute()), true);
    assert.equal(table.loot.isArmed, true);
    assert.equal(await table.settle(watchdogMacro().execute()), false);
    assert.equal(table.loot.isArmed, false);
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    assert.deepEqual(table.queue.pending, []);
  }, { isArmed: false, ...withApi }));

test("it is not armed without Item Piles, nor with another journal's id", () =>
  within(async (table) => {
    await table.settle(table.loot.setUp());
    assert.equal(await table.arm(), false);
    assert.match(table.toasts.at(-1), /noItemPiles/);
  }, { isArmed: false, modules: [] }));

test("a journal that is not the Rescue Log is not watched for", () =>
  within(async (table) => {
    await table.settle(table.loot.setUp());
    const [other] = await table.settle(Promise.all([table.bench.gm.classOf("JournalEntry").create({ name: "Diary" })]));
    assert.equal(await table.settle(table.loot.toggle(other.id)), false);
    assert.match(table.toasts.at(-1), /noJournal/);
    assert.equal(await table.settle(table.loot.toggle(`JournalEntry.${table.journal.id}`)), true);
  }, { isArmed: false }));

test("of two tabs the one armed last watches, so that nothing is written twice", () =>
  within(async (table) => {
    const second = table.bench.newWatchdog("00000000000000bb", new Map());
    await table.settle(second.toggle(table.journal.id));
    assert.deepEqual([table.loot.isArmed, second.isArmed], [false, true]);
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    assert.equal(table.queue.pending.length, 1);
    assert.equal(table.whispers.length, 1);
  }));

test("a player's tab can neither arm nor set it up", () =>
  within(async (table) => {
    table.bench.gm.uninstall();
    table.client(PLAYER).install(globalThis);
    assert.equal(await table.settle(table.loot.toggle("x")), false);
    assert.equal(await table.settle(table.loot.setUp()), undefined);
    table.client(PLAYER).uninstall();
    table.bench.gm.install(globalThis);
    assert.equal(game.journal.size, 0);
  }, { isArmed: false }));

test("names and texts in the log are text, never markup", () =>
  within(async (table) => {
    const merchant = table.at(table.bench.gm, MERCHANT);
    const [item] = await table.settle(merchant.actor.createEmbeddedDocuments("Item", [{ name: "<img src=x onerror=alert(1)>", type: "loot", system: { quantity: 1 } }]));
    await table.pass();
    await table.settle(item.delete());
    await table.pass();
    assert.equal(table.queue.pending.length, 1);
    assert.equal(table.log.includes("<img"), false);
    assert.equal(table.whispers.at(-1).content.includes("<img"), false);
  }));

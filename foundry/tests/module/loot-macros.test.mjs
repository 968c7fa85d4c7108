import assert from "node:assert/strict";
import { test } from "node:test";
import { registerLootSettings } from "../../module/scripts/loot/macros.js";
import { MERCHANT, NET, OTHER_GM, PLAYER, within } from "./loot-table.mjs";

const MACRO = "AAGM-K Loot Watchdog";

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
    game.i18n.format = (key, { what }) => `${key} ${what}`;
    const [item] = await table.settle(merchant.actor.createEmbeddedDocuments("Item", [{ name: "<img src=x onerror=alert(1)>", type: "loot", system: { quantity: 1 } }]));
    await table.pass();
    await table.settle(item.delete());
    await table.pass();
    assert.equal(table.queue.pending.length, 1);
    assert.equal(table.log.includes("<img"), false);
    assert.equal(table.whispers.at(-1).content.includes("<img"), false);
    assert.match(table.toasts.at(-1), /^error: AAGM.Loot.lost .*\u2039img/);
  }));

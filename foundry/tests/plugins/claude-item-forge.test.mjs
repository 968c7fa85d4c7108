import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, types, worlds } from "./table.mjs";

const PACK = "world.claude-items";
const ITEM = { "sim-generic": "gear", "sim-pf1": "loot" };
const forged = (system, more = {}) => ({ destination: "wondrous", itemData: { name: "Lucky cork", type: ITEM[system], ...more } });

for (const world of worlds("sim-generic", "sim-pf1")) {
  test(`an item goes into its folder, and out again: ${world.system}, ${world.version}`, async () => {
    const table = await Table.open("claude-item-forge", world);
    const answer = await table.undone(forged(world.system));
    assert.deepEqual(types(answer), ["Folder", "Item"]);
    assert.equal(answer.pack, PACK);
    assert.equal(answer.folder, "Wondrous Items");
    assert.match(answer.warnings.join(), /made the compendium world.claude-items, which no rollback removes/);
    table.close();
  });
}

test("a weapon goes two folders deep, the second one into the same folders", async () => {
  const table = await Table.open("claude-item-forge", { system: "sim-pf1" });
  const weapon = (name) => ({ destination: "weapon-exotic", itemData: { name, type: "weapon", img: "icons/svg/sword.svg" } });
  const first = await table.undone(weapon("Gaff"));
  assert.equal(first.folder, "Weapons/Exotic");
  await table.call(weapon("Gaff"));
  const second = await table.undone(weapon("Boat hook"));
  assert.deepEqual(types(second), ["Item"]);
  assert.deepEqual(second.warnings, []);
  table.close();
});

test("what belongs to the place is left out, with a warning", async () => {
  const table = await Table.open("claude-item-forge");
  const answer = await table.call(forged("sim-generic", { _id: "abcdefgh12345678", sort: 7, ownership: { default: 3 } }));
  assert.notEqual(answer.uuid.split(".").at(-1), "abcdefgh12345678");
  assert.deepEqual(answer.warnings.slice(0, 3), ["left out: _id", "left out: ownership", "left out: sort"]);
  table.close();
});

test("a name that is there is refused, whatever its case, and taken when it is allowed", async () => {
  const table = await Table.open("claude-item-forge");
  const { uuid } = await table.call(forged("sim-generic"));
  const { error, duplicate, existing } = await table.refused(forged("sim-generic", { name: "LUCKY CORK " }));
  assert.match(error, /is in world.claude-items already/);
  assert.equal(duplicate, true);
  assert.equal(existing, uuid);
  const twin = await table.call({ ...forged("sim-generic"), allowDuplicate: true });
  assert.notEqual(twin.uuid, uuid);
  table.close();
});

test("what the world cannot take is refused before anything is made", async () => {
  const table = await Table.open("claude-item-forge", { system: "sim-pf1" });
  const errors = [];
  for (const [destination, more] of [
    ["wondrous", { type: "spellbook" }],
    ["weapon-simple", {}],
    ["wondrous", { img: "https://example.org/cork.png" }],
    ["wondrous", { img: "worlds/sunken-inn/cork.png" }],
    ["wondrous", { system: { description: "<img src='data:image/png;base64,AAAA'>" } }],
  ]) errors.push((await table.refused({ ...forged("sim-pf1", more), destination })).error);
  assert.match(errors[0], /has no items of type spellbook/);
  assert.match(errors[1], /takes items of type weapon, not loot/);
  assert.match(errors[2], /must lie in icons\//);
  assert.match(errors[3], /must lie in icons\//);
  assert.match(errors[4], /embedded image/);
  assert.equal(table.game.packs.has(PACK), false);
  table.close();
});

test("a locked compendium is unlocked for the moment; its undo says that it is locked", async () => {
  const table = await Table.open("claude-item-forge", { packs: [{ id: PACK, label: "Claude Items", type: "Item", locked: true }] });
  const before = table.bench.documents();
  const { ok, point } = await table.call(forged("sim-generic"));
  assert.equal(ok, true);
  assert.equal(table.game.packs.get(PACK).locked, true);
  const failed = await table.bench.undo(point);
  assert.match(failed[0].error, /the compendium world.claude-items is locked/);
  await table.hand((game) => game.packs.get(PACK).configure({ locked: false }));
  assert.deepEqual(await table.bench.undo(point), []);
  assert.deepEqual(table.bench.differences(before), []);
  table.close();
});

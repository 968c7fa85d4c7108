import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, idOf, types, worlds } from "./table.mjs";

const LANTERN = `Item.${idOf("Lantern, hooded")}`;
const TYPE = { "sim-generic": "gear", "sim-pf1": "weapon" };
const foe = (system, more = {}) => ({
  actorData: { name: "Bell-Ringer", type: "npc", img: "icons/svg/skull.svg", items: [{ name: "Rope", type: TYPE[system], img: "icons/svg/net.svg" }], ...more },
});
const config = (content) => ({ name: "Claude Foe Forge Config", pages: [{ name: "Destination", type: "text", text: { content, format: 1 } }] });

for (const world of worlds("sim-generic", "sim-pf1")) {
  test(`a foe is made hostile, with its items, and unmade: ${world.system}, ${world.version}`, async () => {
    const table = await Table.open("claude-foe-forge", world);
    const answer = await table.undone({ ...foe(world.system), linkItems: [LANTERN], allowIconless: true });
    assert.deepEqual(types(answer), ["Actor", "Folder", "JournalEntry"]);
    assert.deepEqual([answer.destination, answer.folder, answer.items, answer.linkedItems], ["world.actors", "Claude Foes", 2, 1]);
    const again = await table.call({ ...foe(world.system), linkItems: [LANTERN], allowIconless: true });
    const actor = table.game.actors.get(again.uuid.split(".")[1]);
    assert.equal(actor.prototypeToken.disposition, -1);
    assert.equal(actor.prototypeToken.actorLink, false);
    assert.equal(actor.items.getName("Lantern, hooded")._stats.compendiumSource, LANTERN);
    table.close();
  });
}

test("the journal names the destination: a compendium takes the foe", async () => {
  const table = await Table.open("claude-foe-forge", { docs: { JournalEntry: [config("<p>Destination: world.lake-bestiary</p><p>folder: Drowned</p>")] } });
  const answer = await table.undone(foe("sim-generic"));
  assert.match(answer.uuid, /^Compendium\.world\.lake-bestiary\.Actor\./);
  assert.equal(answer.folder, "Drowned");
  const { error, existing } = await table.refused(foe("sim-generic", { name: "REED HERON" }));
  assert.match(error, /Reed Heron is in world.lake-bestiary already/);
  assert.match(existing, /^Compendium\.world\.lake-bestiary\.Actor\.ReedHeron/);
  table.close();
});

test("a destination that cannot be used is refused", async () => {
  for (const [content, says] of [
    ["destination: world.nowhere", /which is no compendium of actors/],
    ["destination: world.old-menus", /which is no compendium of actors/],
  ]) {
    const table = await Table.open("claude-foe-forge", { docs: { JournalEntry: [config(content)] } });
    assert.match((await table.refused(foe("sim-generic"))).error, says);
    table.close();
  }
  const locked = { id: "world.foes", label: "Foes", type: "Actor", locked: true };
  const table = await Table.open("claude-foe-forge", { docs: { JournalEntry: [config("destination: world.foes")] }, packs: [locked] });
  assert.match((await table.refused(foe("sim-generic"))).error, /is locked/);
  table.close();
});

test("what is no foe is refused before anything is made", async () => {
  const table = await Table.open("claude-foe-forge");
  const iconless = { items: [{ name: "Ghost oar", type: "gear" }] };
  const cases = [
    [foe("sim-generic", { type: "character" }), /a foe is no character/],
    [foe("sim-generic", { img: "" }), /has no portrait/],
    [foe("sim-generic", { img: "icons/svg/mystery-man.svg" }), /has no portrait/],
    [foe("sim-generic", { img: "https://example.org/x.png" }), /must be a file of this Foundry/],
    [foe("sim-generic", { prototypeToken: { texture: { src: "//example.org/x.png" } } }), /must be a file of this Foundry/],
    [foe("sim-generic", iconless), /items without an icon: Ghost oar/],
    [{ ...foe("sim-generic"), linkItems: [LANTERN] }, /items without an icon: Lantern/],
    [{ ...foe("sim-generic"), linkItems: ["Item.gone0000gone0000", `Actor.${idOf("Old Pike")}`] }, /no items of these uuids/],
    [foe("sim-generic", { name: "old pike" }), /Old Pike is in world.actors already/],
  ];
  for (const [args, says] of cases) assert.match((await table.refused(args)).error, says);
  assert.equal((await table.call({ ...foe("sim-generic", iconless), allowIconless: true })).ok, true);
  assert.equal((await table.call({ ...foe("sim-generic", { name: "Old Pike" }), allowDuplicate: true })).ok, true);
  table.close();
});

test("config only says where foes go", async () => {
  const table = await Table.open("claude-foe-forge");
  for (const args of [{ action: "config" }, { mode: "read", action: "config" }]) {
    const { point, ...answer } = await table.call(args);
    assert.deepEqual(point.entries, []);
    assert.deepEqual(answer, { ok: true, destination: "world.actors", folder: "Claude Foes", journal: null });
  }
  await table.refused({ mode: "read", ...foe("sim-generic") });
  table.close();
});

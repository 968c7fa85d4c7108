import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, idOf, types, withClock, worlds } from "./table.mjs";

const blank = (type = "character") => ({ _id: idOf("Empty boots"), name: "Empty boots", type });
const target = `Actor.${idOf("Empty boots")}`;

/** Ottar with a class, a race and a spell, where the system has them. */
const SCHOLAR = {
  _id: idOf("Scholar"), name: "Scholar", type: "character", system: { attributes: { hp: { base: 8 } } },
  items: [["Torch", "loot"], ["Tidereader", "class"], ["Lake folk", "race"], ["Call the fog", "spell"]].map(([name, type]) => ({ _id: idOf(name), name, type })),
  effects: [{ _id: idOf("Damp"), name: "Damp", img: "icons/svg/frozen.svg", changes: [] }],
};

for (const world of worlds("sim-generic", "sim-pf1")) {
  test(`an actor is backed up, brought back into a blank one, and pruned: ${world.system}, ${world.version}`, async () => {
    const table = await Table.open("claude-total-actor-backup", { ...world, docs: { Actor: [blank()] } });
    const backup = await table.undone({ action: "backup", actors: ["Ottar Reed", `Actor.${idOf("Old Pike")}`] });
    assert.deepEqual(types(backup), ["Folder", "Item"]);
    const { uuids } = await table.call({ action: "backup", actors: [idOf("Ottar Reed")] });

    const list = await table.call({ mode: "read", action: "list", actorRef: "Ottar Reed" });
    assert.deepEqual(list.seeds.map(({ uuid, actorName }) => [uuid, actorName]), [[uuids[0], "Ottar Reed"]]);
    assert.deepEqual(list.point.entries, []);

    const restored = await table.undone({ action: "restore", seed: uuids[0], target: "Empty boots" });
    assert.deepEqual([restored.items, restored.effects, restored.done], [4, 1, true]);
    assert.deepEqual(types(restored), ["ActiveEffect", "Actor", "Item"]);
    await table.call({ action: "restore", seed: uuids[0], target });
    const [boots, ottar] = [target.split(".")[1], idOf("Ottar Reed")].map((id) => table.game.actors.get(id).toObject());
    for (const key of ["name", "img", "system"]) assert.deepEqual(boots[key], ottar[key]);
    assert.deepEqual(boots.items.map(({ name }) => name).sort(), ottar.items.map(({ name }) => name).sort());

    for (let i = 0; i < 3; i++) await withClock({ at: (i + 1) * 60_000 }, () => table.call({ action: "backup", actors: [idOf("Ottar Reed")] }));
    const pruned = await table.undone({ action: "prune", keep: 1 });
    assert.equal(pruned.deleted, 3);
    table.close();
  });
}

test("race and class come first, what they make appear goes, spells stay away", async () => {
  const table = await Table.open("claude-total-actor-backup", { system: "sim-pf1", docs: { Actor: [SCHOLAR, blank()] } });
  const made = [];
  const { Hooks } = globalThis;
  const { uuids } = await table.call({ action: "backup", actors: ["Scholar"] });
  Hooks.on("createItem", (item) => {
    if (!item.parent) return;
    made.push(item.name);
    if (item.type === "class") void item.parent.createEmbeddedDocuments("Item", [{ name: "Granted by a class", type: "feat" }]);
  });
  const answer = await table.call({ action: "restore", seed: uuids[0], target });
  assert.deepEqual(made, ["Lake folk", "Tidereader", "Granted by a class", "Torch"]);
  assert.deepEqual([answer.items, answer.stripped, answer.spells, answer.done], [3, 1, 1, true]);
  const boots = table.game.actors.get(target.split(".")[1]);
  assert.deepEqual(boots.items.map(({ name }) => name).sort(), ["Lake folk", "Tidereader", "Torch"]);
  assert.equal(boots.name, "Scholar");
  table.close();
});

test("a seed of pf1 carries a script that restores it", async () => {
  const table = await Table.open("claude-total-actor-backup", { system: "sim-pf1" });
  const { uuids } = await table.call({ action: "backup", actors: ["Old Pike"] });
  const [script] = table.game.items.get(uuids[0].split(".")[1]).system.scriptCalls;
  assert.equal(script.category, "use");
  assert.match(script.value, /execute\(\{ action: "restore", seed: item\.uuid, target: actor\.uuid \}\)/);
  table.close();
});

test("a target that is not blank is kept from harm, and written when it is allowed", async () => {
  const table = await Table.open("claude-total-actor-backup");
  const { uuids } = await table.call({ action: "backup", actors: ["Ottar Reed"] });
  const job = { action: "restore", seed: uuids[0], target: "Mirelle of the Sluice" };
  const { error, items } = await table.refused(job);
  assert.match(error, /is not blank/);
  assert.equal(items, 2);
  const answer = await table.undone({ ...job, allowNonEmpty: true });
  assert.equal(answer.items, 4);
  table.close();
});

test("restore stops in time and goes on when it is run again", async () => {
  const items = Array.from({ length: 45 }, (_, i) => ({ _id: idOf(`Bead ${i}x`), name: `Bead ${i}`, type: "gear" }));
  const table = await Table.open("claude-total-actor-backup", { docs: { Actor: [{ ...SCHOLAR, items }, blank()] } });
  const { uuids } = await table.call({ action: "backup", actors: ["Scholar"] });
  const job = { action: "restore", seed: uuids[0], target };
  const first = await withClock({ step: 40_000 }, () => table.call(job));
  assert.deepEqual([first.ok, first.done, first.items], [true, false, 40]);
  const second = await table.call({ ...job, allowNonEmpty: true });
  assert.equal(second.done, true);
  assert.equal(table.game.actors.get(target.split(".")[1]).items.size, 45);
  table.close();
});

test("what cannot work is refused", async () => {
  const table = await Table.open("claude-total-actor-backup", { docs: { Actor: [blank("npc"), { ...blank("npc"), _id: idOf("Empty boots 2") }] } });
  const { uuids } = await table.call({ action: "backup", actors: ["Ottar Reed"] });
  const cases = [
    [{ action: "backup", actors: ["Nobody"] }, /no actors, or several, of these names: Nobody/],
    [{ action: "backup", actors: ["Empty boots"] }, /no actors, or several/],
    [{ action: "restore", seed: `Item.${idOf("Barge pole")}`, target: "Old Pike" }, /is no backup seed/],
    [{ action: "restore", seed: uuids[0], target: "Nobody" }, /no actor, or several/],
    [{ action: "restore", seed: uuids[0], target: "Old Pike" }, /the seed is of a character, and Old Pike is a npc/],
    [{ mode: "read", action: "prune" }, /only list reads/],
  ];
  for (const [args, says] of cases) assert.match((await table.refused(args)).error, says);
  table.close();
});

test("prune with an actor leaves the seeds of others alone", async () => {
  const table = await Table.open("claude-total-actor-backup");
  for (let i = 0; i < 3; i++) await withClock({ at: i * 60_000 }, () => table.call({ action: "backup", actors: ["Ottar Reed", "Old Pike"] }));
  const answer = await table.call({ action: "prune", actorRef: `Actor.${idOf("Old Pike")}`, keep: 1 });
  assert.equal(answer.deleted, 2);
  assert.ok(answer.names.every((name) => name.includes("Old Pike")));
  assert.equal((await table.call({ action: "list" })).count, 4);
  table.close();
});

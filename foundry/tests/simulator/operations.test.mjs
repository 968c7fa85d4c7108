import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, createWorld, diffWorlds, divergence, expectNoHook, expectOrder } from "../../simulator/index.js";

const actor = (more = {}) => ({ name: "Brunna", type: "npc", ...more });

function inn(options = {}) {
  return createWorld({ docs: { actors: [actor({ items: [{ name: "Lamp", type: "gear" }] })] }, ...options });
}

for (const version of [12, 13, 14]) {
  test(`an update goes through its phases in order and ends after the hooks (${version})`, async () => {
    const world = inn({ version });
    const { game, Hooks } = world.gm;
    const brunna = game.actors.getName("Brunna");
    const mark = world.log.mark;
    let hookRan = false;
    Hooks.on("updateActor", (document) => {
      hookRan = document._source.system.resource.value === 3;
    });

    const updated = await brunna.update({ "system.resource.value": 3 });

    assert.equal(updated, brunna);
    assert.equal(hookRan, true, "the post hook ran before the promise resolved");
    expectOrder(world.log, ["configure", "preUpdate", "preUpdateActor", "preOperation", "request", "stored", "onUpdate", "updateActor", "onOperation", "done"], mark);
    assert.deepEqual(divergence(world.gm), []);
  });
}

test("what the server wrote to the statistics is named in the changes, or not: nobody could verify it", async () => {
  for (const statsInChanges of [true, false]) {
    const world = inn({ facts: { statsInChanges } });
    let keys;
    world.gm.Hooks.on("updateActor", (document, changes) => {
      keys = Object.keys(changes).sort();
    });
    const brunna = world.gm.game.actors.getName("Brunna");
    await brunna.update({ img: "x.webp" });
    assert.deepEqual(keys, statsInChanges ? ["_id", "_stats", "img"] : ["_id", "img"]);
    assert.deepEqual(divergence(world.gm), []);
  }
});

test("a batch calls one hook for each document before anything is stored", async () => {
  const world = inn({ docs: { actors: [actor(), actor({ name: "Ottar" })] } });
  const { game, Hooks } = world.gm;
  const stored = [];
  Hooks.on("preUpdateActor", (document) => stored.push([document.name, document._source.name]));
  const updates = game.actors.map((document) => ({ _id: document.id, name: `${document.name} the Old` }));
  await world.gm.classOf("Actor").updateDocuments(updates);
  assert.deepEqual(stored, [["Brunna", "Brunna"], ["Ottar", "Ottar"]]);
  assert.deepEqual(game.actors.map((document) => document.name), ["Brunna the Old", "Ottar the Old"]);
});

test("the first explicit false stops later listeners and drops the document alone", async () => {
  const world = inn({ docs: { actors: [actor(), actor({ name: "Ottar" })] } });
  const { game, Hooks } = world.gm;
  const seen = [];
  Hooks.on("preUpdateActor", (document) => (document.name === "Brunna" ? false : undefined));
  Hooks.on("preUpdateActor", (document) => seen.push(document.name));
  const result = await world.gm.classOf("Actor").updateDocuments(game.actors.map((document) => ({ _id: document.id, img: "x.webp" })));
  assert.deepEqual(seen, ["Ottar"]);
  assert.deepEqual(result.map((document) => document.name), ["Ottar"]);
});

test("an update that changes nothing calls the pre hook and sends nothing", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  const mark = world.log.mark;
  assert.equal(await brunna.update(brunna.toObject()), undefined);
  expectOrder(world.log, ["preUpdateActor", "empty"], mark);
  expectNoHook(world.log, "updateActor", mark);
  expectNoHook(world.log, "request", mark);
});

test("the pre hook sees the changes whole, expanded, and its edits reach the server", async () => {
  const world = inn();
  const { game, Hooks } = world.gm;
  const brunna = game.actors.getName("Brunna");
  Hooks.once("preUpdateActor", (document, changes) => {
    assert.equal(changes.system.resource.max, 10);
    changes.name = "Brunna the Loud";
  });
  await brunna.update({ "system.resource.value": 4, "system.resource.max": 10 });
  assert.equal(brunna.name, "Brunna the Loud");
});

test("options added by a listener travel to every client, one object a batch", async () => {
  const world = inn({ users: [{ name: "Gamemaster", role: 4 }, { name: "Player", role: 1 }] });
  const [gm, player] = world.clients;
  const seen = [];
  gm.Hooks.on("preCreateActor", (document, data, options) => {
    options.tag = "rp-1";
    options.lost = undefined;
  });
  player.Hooks.on("createActor", (document, options, userId) => seen.push([options.tag, "lost" in options, userId, options]));
  await gm.classOf("Actor").createDocuments([actor({ name: "A" }), actor({ name: "B" })]);
  await world.clock.advance(0);
  assert.deepEqual(seen.map(([tag, lost, userId]) => [tag, lost, userId]), [["rp-1", false, gm.userId], ["rp-1", false, gm.userId]]);
  assert.equal(seen[0][3], seen[1][3]);
});

test("a pending document has no id unless it is kept", async () => {
  const world = inn();
  const { Hooks } = world.gm;
  const ids = [];
  Hooks.on("preCreateActor", (document) => ids.push(document.id));
  const Actor = world.gm.classOf("Actor");
  const first = await Actor.create(actor({ _id: "aaaaaaaaaaaaaaaa" }));
  const second = await Actor.create(actor({ _id: "bbbbbbbbbbbbbbbb" }), { keepId: true });
  assert.deepEqual(ids, [null, "bbbbbbbbbbbbbbbb"]);
  assert.notEqual(first.id, "aaaaaaaaaaaaaaaa");
  assert.equal(second.id, "bbbbbbbbbbbbbbbb");
  await assert.rejects(Actor.create(actor({ _id: second.id }), { keepId: true }), /already exists within the parent collection/);
});

test("inline children are written without hooks of their own", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  const [lamp] = brunna.items.contents;
  const mark = world.log.mark;
  await brunna.update({ items: [{ _id: lamp.id, name: "Lit lamp" }, { name: "Rope", type: "gear" }] });
  assert.deepEqual(brunna.items.map((item) => item.name), ["Lit lamp", "Rope"]);
  expectNoHook(world.log, "updateItem", mark);
  expectNoHook(world.log, "createItem", mark);
  await brunna.update({ items: [{ name: "Only this", type: "gear" }] }, { recursive: false });
  assert.deepEqual(brunna.items.map((item) => item.name), ["Only this"]);
  assert.deepEqual(divergence(world.gm), []);
});

test("a child's write fires the child's hooks and no update of the parent", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  const mark = world.log.mark;
  const [rope] = await brunna.createEmbeddedDocuments("Item", [{ name: "Rope", type: "gear" }]);
  await rope.update({ name: "Long rope" });
  await rope.delete();
  expectOrder(world.log, ["preCreateItem", "createItem", "preUpdateItem", "updateItem", "preDeleteItem", "deleteItem"], mark);
  expectNoHook(world.log, "updateActor", mark);
});

test("deleting a parent fires no hooks for its children, and it comes back with its ids", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  const before = canonical(world);
  const data = brunna.toObject();
  const mark = world.log.mark;
  await brunna.delete();
  expectNoHook(world.log, "preDeleteItem", mark);
  await world.gm.classOf("Actor").create(data, { keepId: true, keepEmbeddedIds: true });
  assert.deepEqual(diffWorlds(before, canonical(world)), []);
});

test("noHook hides the pre hook only", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  const mark = world.log.mark;
  await brunna.update({ name: "Quiet" }, { noHook: true });
  expectNoHook(world.log, "preUpdateActor", mark);
  expectOrder(world.log, ["updateActor"], mark);
});

test("a throwing listener is reported and the rest still run", async () => {
  const world = inn();
  const { game, Hooks } = world.gm;
  let ran = false;
  Hooks.on("updateActor", () => {
    throw new Error("broken module");
  });
  Hooks.on("updateActor", () => {
    ran = true;
  });
  await game.actors.getName("Brunna").update({ name: "Still here" });
  assert.equal(ran, true);
  assert.match(world.gm.errors[0].error.message, /broken module/);
});

test("a non-recursive update replaces the top-level keys it names and no others", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  await brunna.update({ "flags.world.note": "x", "system.extra": { a: 1 } });
  await brunna.update({ system: { resource: { value: 1, max: 2 } } }, { diff: false, recursive: false });
  assert.deepEqual(brunna._source.system, { resource: { value: 1, max: 2 } });
  assert.deepEqual(brunna._source.flags, { world: { note: "x" } });
  assert.deepEqual(divergence(world.gm), []);
});

test("a deletion key removes; in a non-recursive update it is stored as it stands", async () => {
  const world = inn();
  const brunna = world.gm.game.actors.getName("Brunna");
  await brunna.update({ "system.extra": 1 });
  await brunna.update({ "system.-=extra": null });
  assert.equal("extra" in brunna._source.system, false);
  await brunna.update({ system: { "-=extra": null } }, { diff: false, recursive: false });
  assert.deepEqual(Object.keys(brunna._source.system), ["-=extra"]);
});

test("a direct write to _source shows as a divergence, and throws in a strict world", async () => {
  const loose = inn();
  loose.gm.game.actors.getName("Brunna")._source.name = "Forged";
  assert.equal(divergence(loose.gm).length, 1);
  const strict = inn({ strict: true });
  assert.throws(() => {
    strict.gm.game.actors.getName("Brunna")._source.system.resource.value = 99;
  }, /must not be written/);
});

test("a world that goes on from a snapshot hands out no id twice", async () => {
  const first = inn({ seed: 9 });
  const make = (world) => world.gm.classOf("Actor").create(actor({ name: "New" }));
  await make(first);
  const second = createWorld({ seed: 9, snapshot: first.snapshot() });
  for (let i = 0; i < 5; i += 1) await make(second);
  assert.equal(second.gm.game.actors.size, 7);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, createWorld, diffWorlds, divergence, expectNoHook, expectOrder } from "../../simulator/index.js";
import { idOf, sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(options = {}) {
  const world = createWorld({ ...sunkenInn(), ...options });
  const { game } = world.gm;
  const scene = game.scenes.getName("Taproom and Cellar");
  const lodger = scene.tokens.getName("Drowned Lodger");
  return { world, game, scene, lodger, base: game.actors.getName("Drowned Lodger") };
}

for (const version of [12, 13, 14]) {
  test(`a linked token's actor is the world actor, an unlinked one's is its own (${version})`, () => {
    const { game, scene, lodger, base } = open({ version });
    assert.equal(scene.tokens.getName("Ottar").actor, game.actors.getName("Ottar Reed"));
    assert.notEqual(lodger.actor, base);
    assert.equal(lodger.actor, lodger.actor);
    assert.equal(lodger.actor.isToken, true);
    assert.equal(lodger.actor.uuid, `${lodger.uuid}.Actor.${base.id}`);
    assert.equal(lodger.actor.items.contents[0].uuid, `${lodger.actor.uuid}.Item.${base.items.contents[0].id}`);
    assert.equal(lodger.delta.uuid, `${lodger.uuid}.ActorDelta.${lodger.delta.id}`);
  });

  test(`an update of a synthetic actor is stored as an override (${version})`, async () => {
    const { world, scene, lodger, base } = open({ version });
    const mark = world.log.mark;
    await lodger.actor.update({ "system.resource.value": 5 });
    assert.equal(lodger.actor.system.resource.value, 5);
    assert.equal(lodger.actor.system.resource.max, 16);
    assert.deepEqual(lodger._source.delta.system, { resource: { value: 5 } });
    assert.equal(base.system.resource.value, 16);
    assert.equal(scene.tokens.getName("Second Lodger").actor.system.resource.value, 16);
    expectOrder(world.log, ["preUpdateActor", "updateActor"], mark);
    for (const hook of ["preUpdateToken", "updateToken", "preUpdateActorDelta", "updateActorDelta"]) expectNoHook(world.log, hook, mark);
    assert.deepEqual(divergence(world.gm), []);
  });
}

test("the hooks of a synthetic actor's update carry the synthetic actor", async () => {
  const { world, lodger } = open();
  const seen = [];
  world.gm.Hooks.on("preUpdateActor", (actor, changes) => seen.push(["pre", actor.uuid, changes.system.resource.value, actor._source.system.resource.value]));
  world.gm.Hooks.on("updateActor", (actor, changes) => seen.push(["post", actor.uuid, changes.system.resource.value, actor._source.system.resource.value]));
  await lodger.actor.update({ system: { resource: { value: 2 } } });
  assert.deepEqual(seen, [["pre", lodger.actor.uuid, 2, 16], ["post", lodger.actor.uuid, 2, 2]]);
});

test("with the other answer, ActorDelta hooks fire beside the Actor hooks", async () => {
  const { world, lodger } = open({ facts: { emitDeltaHooks: true } });
  const mark = world.log.mark;
  await lodger.actor.update({ "system.resource.value": 5 });
  expectOrder(world.log, ["preUpdateActor", "preUpdateActorDelta", "updateActor", "updateActorDelta"], mark);
});

test("deleting an inherited item leaves a tombstone, creating it again removes it", async () => {
  const { world, lodger } = open();
  const [boots] = lodger.actor.items.contents;
  const data = boots.toObject();
  const before = canonical(world);
  const mark = world.log.mark;
  await boots.delete();
  assert.deepEqual(lodger._source.delta.items, [{ _id: data._id, _tombstone: true }]);
  assert.equal(lodger.actor.items.has(data._id), false);
  expectOrder(world.log, ["preDeleteItem", "deleteItem"], mark);
  await lodger.actor.createEmbeddedDocuments("Item", [data], { keepId: true });
  assert.equal(lodger.actor.items.get(data._id).name, data.name);
  assert.equal(lodger._source.delta.items.some((item) => item._tombstone), false);
  const [{ uuid, paths }] = diffWorlds(before, canonical(world));
  assert.equal(uuid, lodger.uuid, "the item is now the delta's own");
  assert.deepEqual(paths.map(({ path }) => path), ["delta.items"]);
});

test("updating an inherited item makes it the delta's own; the base keeps its own", async () => {
  const { world, lodger, base } = open();
  const [boots] = lodger.actor.items.contents;
  await boots.update({ name: "Empty boots" });
  assert.equal(lodger.actor.items.get(boots.id).name, "Empty boots");
  assert.equal(base.items.get(boots.id).name, "Bloated boots");
  assert.equal(boots, lodger.actor.items.get(boots.id), "the document is the same object");
  assert.deepEqual(divergence(world.gm), []);
});

test("items and effects can be added to a synthetic actor, and to an item in it", async () => {
  const { world, lodger } = open();
  const [hat] = await lodger.actor.createEmbeddedDocuments("Item", [{ name: "Hat", type: "gear" }]);
  assert.equal(hat.parent, lodger.actor);
  const [glow] = await hat.createEmbeddedDocuments("ActiveEffect", [{ name: "Glow" }]);
  assert.equal(glow.uuid, `${hat.uuid}.ActiveEffect.${glow.id}`);
  await glow.update({ name: "Dim glow" });
  assert.equal(hat.effects.get(glow.id).name, "Dim glow");
  const [inherited] = lodger.actor.items.contents;
  await inherited.createEmbeddedDocuments("ActiveEffect", [{ name: "Wet" }]);
  assert.equal(lodger.actor.items.get(inherited.id).effects.size, 1);
  await glow.delete();
  assert.equal(lodger.actor.items.get(hat.id).effects.size, 0);
  assert.deepEqual(divergence(world.gm), []);
});

test("a change of the base actor reaches the synthetic actors that do not override it", async () => {
  const { lodger, scene, base } = open();
  const second = scene.tokens.getName("Second Lodger");
  await lodger.actor.update({ "system.resource.value": 3 });
  assert.equal(second.actor.system.resource.value, 16);
  await base.update({ "system.resource": { value: 12, max: 20 } });
  assert.deepEqual(second.actor.system.resource, { value: 12, max: 20 });
  assert.deepEqual(lodger.actor.system.resource, { value: 3, max: 20 });
  await base.createEmbeddedDocuments("Item", [{ name: "Weed", type: "gear" }]);
  assert.ok(lodger.actor.items.getName("Weed"));
});

test("token.update({delta}) fires Token hooks only and is seen at once", async () => {
  const { world, lodger } = open();
  const saved = lodger.delta.toObject();
  await lodger.actor.update({ "system.resource.value": 3 });
  await lodger.actor.items.contents[0].delete();
  const mark = world.log.mark;
  await lodger.update({ delta: saved }, { diff: false, recursive: false });
  assert.equal(lodger.actor.system.resource.value, 16);
  assert.equal(lodger.actor.items.size, 2);
  expectOrder(world.log, ["preUpdateToken", "updateToken"], mark);
  expectNoHook(world.log, "updateActor", mark);
  assert.deepEqual(divergence(world.gm), []);
});

test("with the old fault, token.update({delta}) is not seen until a reload", async () => {
  const { world, lodger } = open({ version: 13, facts: { staleDeltaUpdate: true } });
  assert.equal(lodger.actor.system.resource.value, 16);
  await lodger.update({ "delta.system.resource.value": 1 });
  assert.equal(lodger.actor.system.resource.value, 16);
  const again = world.reload(world.gm);
  assert.equal(again.fromUuidSync(lodger.uuid).actor.system.resource.value, 1);
});

test("without its base actor a token has no actor and keeps its delta; the same id brings it back", async () => {
  const { world, lodger, base } = open();
  await lodger.actor.update({ "system.resource.value": 3 });
  const data = base.toObject();
  await base.delete();
  assert.equal(lodger.actor, null);
  assert.equal(lodger._source.delta.system.resource.value, 3);
  await world.gm.classOf("Actor").create(data, { keepId: true, keepEmbeddedIds: true });
  assert.equal(lodger.actor.system.resource.value, 3);
});

test("a deleted unlinked token comes back with its own values", async () => {
  const { world, scene, lodger } = open();
  await lodger.actor.update({ "system.resource.value": 3 });
  await lodger.actor.items.contents[0].delete();
  const before = canonical(world, { ignore: ["Combatant"] });
  const data = lodger.toObject();
  await lodger.delete();
  await world.clock.advance(0);
  await scene.createEmbeddedDocuments("Token", [data], { keepId: true, keepEmbeddedIds: true });
  assert.deepEqual(diffWorlds(before, canonical(world, { ignore: ["Combatant"] })), []);
  assert.equal(scene.tokens.get(data._id).actor.system.resource.value, 3);
});

test("another client sees what was done to a synthetic actor, with its hooks", async () => {
  const { world, lodger } = open(sunkenInn({ players: true }));
  const player = world.client("Ottar's player");
  const seen = [];
  player.Hooks.on("updateActor", (actor, changes, options, userId) => seen.push([actor.uuid, userId]));
  player.Hooks.on("deleteItem", (item) => seen.push(item.name));
  await lodger.actor.update({ "system.resource.value": 3 });
  await lodger.actor.items.contents[0].delete();
  await world.clock.advance(0);
  assert.deepEqual(seen, [[lodger.actor.uuid, world.gm.userId], "Bloated boots"]);
  assert.deepEqual(divergence(player), []);
});

test("a token unlinked later gets a delta of its own", async () => {
  const { world, scene } = open();
  const ottar = scene.tokens.get(idOf("TokenOttar"));
  assert.equal(ottar._source.delta, null);
  await ottar.update({ actorLink: false });
  assert.equal(ottar.actor.isToken, true);
  await ottar.actor.update({ "system.resource.value": 1 });
  assert.equal(world.gm.game.actors.getName("Ottar Reed").system.resource.value, 31);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld } from "../../simulator/index.js";

const ottar = (system = {}) => ({
  _id: "ottar00000000000", name: "Ottar Reed", type: "character", system: { abilities: { con: { value: 12 } }, attributes: { hp: { base: 34, offset: -3 } }, ...system },
});

function inn(actors = [ottar()], options = {}) {
  const world = createWorld({ system: "sim-pf1", docs: { actors, ...options.docs }, ...options.world });
  return { world, client: world.gm, game: world.gm.game, actor: world.gm.game.actors.contents[0] };
}

for (const version of [12, 13, 14]) {
  test(`a value and a maximum are derived, never stored (${version})`, () => {
    const { game, actor } = inn([ottar()], { world: { version } });
    assert.equal(game.system.id, "pf1");
    assert.equal(actor.system.attributes.hp.max, 34);
    assert.equal(actor.system.attributes.hp.value, 31);
    assert.deepEqual(Object.keys(actor._source.system.attributes.hp).sort(), ["base", "nonlethal", "offset", "temp"]);
  });
}

test("a written value is stored as an offset, and listeners see that", async () => {
  const { client, actor } = inn();
  const seen = [];
  client.Hooks.on("preUpdateActor", (_actor, changes) => seen.push(structuredClone(changes.system)));
  await actor.update({ "system.attributes.hp.value": 30 });
  assert.deepEqual(seen, [{ attributes: { hp: { offset: -4 } } }]);
  assert.equal(actor._source.system.attributes.hp.offset, -4);
  assert.equal("value" in actor._source.system.attributes.hp, false);
  assert.equal(actor.system.attributes.hp.value, 30);
});

test("a raw restore is stored as it stands", async () => {
  const { actor } = inn();
  await actor.update({ "system.attributes.hp.value": 5 }, { diff: false });
  assert.equal(actor._source.system.attributes.hp.value, 5);
  assert.equal(actor.system.attributes.hp.value, 31, "the stored value means nothing");
});

test("a token of its own keeps an offset in its delta", async () => {
  const scenes = [{ name: "Taproom", active: true, tokens: [{ name: "Second Ottar", actorId: "ottar00000000000", actorLink: false }] }];
  const { game } = inn([ottar()], { docs: { scenes } });
  const token = game.scenes.active.tokens.contents[0];
  await token.actor.update({ "system.attributes.hp.value": 1 });
  assert.equal(token.actor.system.attributes.hp.value, 1);
  assert.equal(token._source.delta.system.attributes.hp.offset, -33);
  assert.equal(game.actors.contents[0].system.attributes.hp.value, 31);
});

test("damage takes temporary hit points first and has no floor", async () => {
  const { actor } = inn([ottar({ attributes: { hp: { base: 18, temp: 4, offset: 0 } } })]);
  await actor.applyDamage(25);
  assert.deepEqual([actor.system.attributes.hp.temp, actor.system.attributes.hp.value], [0, -3]);
  await actor.applyDamage(-100);
  assert.equal(actor.system.attributes.hp.value, 18);
});

test("nonlethal damage fills up to the maximum, the rest is real", async () => {
  const { actor } = inn([ottar({ attributes: { hp: { base: 18, offset: 0 } } })]);
  await actor.applyDamage(20, { asNonlethal: true });
  assert.deepEqual([actor.system.attributes.hp.nonlethal, actor.system.attributes.hp.value], [18, 16]);
});

test("with Shift held the system's own damage waits for a dialog", async () => {
  const { world, client, actor } = inn();
  client.shiftHeld = true;
  let settled = false;
  actor.applyDamage(5).then(() => {
    settled = true;
  });
  await world.clock.advance(60_000);
  assert.equal(settled, false);
  assert.equal(actor.system.attributes.hp.value, 31);
});

test("Wounds and Vigor: vigor empties, the rest goes to wounds, nothing below zero", async () => {
  const { game, actor } = inn([ottar({ abilities: { con: { value: 12 } }, attributes: { hp: { base: 18 }, vigor: { temp: 3 } } })]);
  await game.settings.set("pf1", "healthConfig", { variants: { pc: { useWoundsAndVigor: true }, npc: { useWoundsAndVigor: false } } });
  assert.deepEqual([actor.system.attributes.vigor.max, actor.system.attributes.wounds.max, actor.system.attributes.wounds.threshold], [18, 24, 12]);
  await actor.applyDamage(30);
  assert.deepEqual([actor.system.attributes.vigor.temp, actor.system.attributes.vigor.value, actor.system.attributes.wounds.value], [0, 0, 15]);
  await actor.applyDamage(99);
  assert.equal(actor.system.attributes.wounds.value, 0);
});

test("conditions are effects, and a hook tells of them", async () => {
  const { client, actor } = inn();
  const told = [];
  client.Hooks.on("pf1ToggleActorCondition", (_actor, key, enabled) => told.push([key, enabled]));
  await actor.setCondition("unconscious", true);
  assert.equal(actor.effects.size, 1);
  await actor.setCondition("unconscious", false);
  assert.equal(actor.effects.size, 0);
  assert.deepEqual(told, [["unconscious", true], ["unconscious", false]]);
});

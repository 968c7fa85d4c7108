import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence, expectOrder } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

const open = (system, options = {}) => createWorld({ ...sunkenInn({ system }), system, ...options });
const hpOf = (actor) => actor.system.attributes.hp;

test("pf1: a written value is stored as an offset, and hooks see the offset", async () => {
  const world = open("sim-pf1");
  const ottar = world.gm.game.actors.getName("Ottar Reed");
  assert.deepEqual([hpOf(ottar).value, hpOf(ottar).max, ottar._source.system.attributes.hp.offset], [31, 34, -3]);
  const seen = [];
  world.gm.Hooks.on("preUpdateActor", (actor, changes) => seen.push(changes.system.attributes.hp));
  await ottar.update({ "system.attributes.hp.value": 20 });
  assert.deepEqual(seen, [{ offset: -14 }]);
  assert.equal(hpOf(ottar).value, 20);
  assert.equal("value" in ottar._source.system.attributes.hp, false);
});

test("pf1: a raw restore stores what it is given", async () => {
  const ottar = open("sim-pf1").gm.game.actors.getName("Ottar Reed");
  await ottar.update({ system: { ...ottar._source.system, attributes: { hp: { base: 34, offset: -1, temp: 0, nonlethal: 0, value: 7 } } } }, { diff: false, recursive: false });
  assert.equal(ottar._source.system.attributes.hp.value, 7);
  assert.equal(hpOf(ottar).value, 33);
});

test("pf1: damage takes temporary hit points first, has no floor, and healing stops at the maximum", async () => {
  const ottar = open("sim-pf1").gm.game.actors.getName("Ottar Reed");
  await ottar.update({ "system.attributes.hp.temp": 5 });
  await ottar.applyDamage(8);
  assert.deepEqual([hpOf(ottar).temp, hpOf(ottar).value], [0, 28]);
  await ottar.applyDamage(100);
  assert.equal(hpOf(ottar).value, -72);
  await ottar.applyDamage(-500);
  assert.equal(hpOf(ottar).value, 34);
  assert.equal(await ottar.applyDamage(0), undefined);
  await ottar.applyDamage(40, { asNonlethal: true });
  assert.deepEqual([hpOf(ottar).nonlethal, hpOf(ottar).value], [34, 28]);
});

test("pf1: wounds and vigor, by the world's setting", async () => {
  const { gm } = open("sim-pf1");
  const variants = { pc: { useWoundsAndVigor: true }, npc: { useWoundsAndVigor: false } };
  await gm.game.settings.set("pf1", "healthConfig", { variants });
  const ottar = gm.game.actors.getName("Ottar Reed");
  await ottar.applyDamage(40);
  const { vigor, wounds } = ottar.system.attributes;
  assert.deepEqual([vigor.value, vigor.max, wounds.value, wounds.max], [0, 34, 18, 24]);
});

test("pf1: with Shift held the damage waits for a dialog", async () => {
  const { gm } = open("sim-pf1");
  gm.shiftHeld = true;
  const ottar = gm.game.actors.getName("Ottar Reed");
  const hanging = ottar.applyDamage(3);
  let settled = false;
  hanging.then(() => {
    settled = true;
  });
  await gm.clock.advance(60_000);
  assert.equal(settled, false);
  await gm.ui.answer({ title: "Apply Damage", button: "no" });
  assert.equal(await hanging, false);
  assert.equal(hpOf(ottar).value, 31);
});

test("pf1: a new size resizes tokens as a tail write", async () => {
  const world = open("sim-pf1");
  const token = world.gm.game.scenes.active.tokens.getName("Ottar");
  const mark = world.log.mark;
  await token.actor.update({ "system.traits.size": "lg" });
  assert.equal(token.width, 1);
  await world.clock.advance(0);
  assert.equal(token.width, 2);
  expectOrder(world.log, ["updateActor", "preUpdateToken", "updateToken"], mark);
});

test("dnd5e: hit points stay in bounds, unknown keys are dropped, temporary ones go first", async () => {
  const world = open("sim-5e");
  const { gm } = world;
  const ottar = gm.game.actors.getName("Ottar Reed");
  await ottar.update({ "system.attributes.hp.value": 99, "system.invented": 1 });
  assert.deepEqual([hpOf(ottar).value, "invented" in ottar._source.system], [34, false]);
  await ottar.update({ "system.attributes.hp.temp": 4 });
  await ottar.applyDamage(10);
  assert.deepEqual([hpOf(ottar).temp, hpOf(ottar).value, hpOf(ottar).damage], [0, 28, 6]);
  gm.Hooks.once("dnd5e.preApplyDamage", () => false);
  await ottar.applyDamage(10);
  assert.equal(hpOf(ottar).value, 28);
  assert.deepEqual(divergence(gm), []);
});

test("dnd5e: in 12 a deletion key inside modelled data is lost, in 13 it works where the model is open", async () => {
  for (const [version, kept] of [[12, true], [13, false]]) {
    const ottar = open("sim-5e", { version }).gm.game.actors.getName("Ottar Reed");
    await ottar.update({ "system.resources.luck": 1 });
    const result = await ottar.update({ "system.resources.-=luck": null });
    assert.equal("luck" in ottar._source.system.resources, kept, `version ${version}`);
    assert.equal(result === undefined, kept);
  }
});

test("dnd5e: data put whole in place of modelled data is completed, and holds nothing else", async () => {
  const replaced = { 13: (_world, data) => ({ "==system": data }), 14: ({ operators }, data) => ({ system: new operators.ForcedReplacement(data) }) };
  for (const version of [13, 14]) {
    const { gm } = open("sim-5e", { version });
    const ottar = gm.game.actors.getName("Ottar Reed");
    await ottar.update({ type: "npc", ...replaced[version](gm.world, { nonsense: 1, traits: { size: "lg" } }) });
    const { system } = ottar._source;
    assert.deepEqual([system.nonsense, system.traits.size, system.attributes.hp.value], [undefined, "lg", 0], `version ${version}`);
    const pike = gm.game.actors.getName("Old Pike");
    await pike.update({ system: { resources: { luck: 1 } } }, { recursive: false });
    assert.deepEqual([pike._source.system.resources, pike._source.system.attributes.hp.value], [{ luck: 1 }, 0], `version ${version}`);
  }
});

test("pf2e: damage posts a card, makes an item, marks the defeated", async () => {
  const world = open("sim-pf2e");
  const { game } = world.gm;
  const token = game.scenes.active.tokens.getName("Drowned Lodger");
  await token.actor.applyDamage({ damage: 50, token, persistent: "cold" });
  assert.equal(hpOf(token.actor).value, 0);
  assert.equal(game.messages.size, 1);
  assert.ok(token.actor.items.getName("Persistent damage"));
  assert.equal(game.combat.getCombatantByToken(token).defeated, true);
});

test("bars follow the attribute, and are clamped", async () => {
  const { gm } = open("sim-generic");
  const token = gm.game.scenes.active.tokens.getName("Ottar");
  assert.deepEqual(token.getBarAttribute("bar1"), { type: "bar", attribute: "resource", value: 31, max: 34, editable: true });
  await token.actor.modifyTokenAttribute("resource", -100, true);
  assert.equal(token.actor.system.resource.value, 0);
  await token.actor.modifyTokenAttribute("resource", 500);
  assert.equal(token.actor.system.resource.value, 34);
});

test("effects add to and override system paths; statuses are toggled", async () => {
  const { gm } = open("sim-generic");
  const pike = gm.game.actors.getName("Old Pike");
  await pike.createEmbeddedDocuments("ActiveEffect", [{ name: "Brave", changes: [{ key: "system.resource.max", mode: 2, value: "5" }] }]);
  assert.equal(pike.system.resource.max, 19);
  assert.equal(pike._source.system.resource.max, 14);
  await pike.toggleStatusEffect("prone");
  assert.equal(pike.statuses.has("prone"), true);
  await pike.toggleStatusEffect("prone");
  assert.equal(pike.statuses.has("prone"), false);
});

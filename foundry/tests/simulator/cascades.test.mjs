import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence, expectNoHook, expectOrder } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(options = {}) {
  const world = createWorld({ ...sunkenInn(), ...options });
  return { world, game: world.gm.game };
}

test("deleting a folder moves its contents and subfolders up, with post hooks only", async () => {
  const { world, game } = open();
  const guests = game.folders.getName("Guests");
  const mark = world.log.mark;
  await guests.delete();
  assert.equal(game.actors.getName("Ottar Reed").folder, null);
  assert.equal(game.folders.getName("Drowned Guests").folder, null);
  expectOrder(world.log, ["preDeleteFolder", "deleteFolder", "updateFolder", "updateActor"], mark);
  expectNoHook(world.log, "preUpdateActor", mark);
  assert.deepEqual(divergence(world.gm), []);
});

test("deleting a folder with contents and subfolders deletes all of it", async () => {
  const { world, game } = open();
  const mark = world.log.mark;
  await game.folders.getName("Guests").delete({ deleteContents: true, deleteSubfolders: true });
  assert.equal(game.actors.getName("Ottar Reed"), undefined);
  assert.equal(game.actors.getName("Cellar Rat"), undefined);
  assert.equal(game.folders.getName("Drowned Guests"), undefined);
  expectOrder(world.log, ["deleteFolder", "deleteFolder", "deleteActor"], mark);
  expectNoHook(world.log, "preDeleteActor", mark);
  assert.deepEqual(divergence(world.gm), []);
});

test("deleting only the contents keeps the subfolder and what is in it", async () => {
  const { game } = open();
  await game.folders.getName("Guests").delete({ deleteContents: true });
  assert.equal(game.actors.getName("Ottar Reed"), undefined);
  assert.ok(game.actors.getName("Cellar Rat"));
  assert.equal(game.folders.getName("Drowned Guests").folder, null);
});

test("with the other answer, what a folder held moves without any hook", async () => {
  const { world, game } = open({ facts: { folderContents: "silent" } });
  const mark = world.log.mark;
  await game.folders.getName("Guests").delete({ deleteContents: true });
  assert.equal(game.actors.getName("Ottar Reed"), undefined);
  expectNoHook(world.log, "deleteActor", mark);
  expectNoHook(world.log, "updateFolder", mark);
  assert.deepEqual(divergence(world.gm), []);
});

test("activating a scene switches the other off without a pre hook", async () => {
  const { world, game } = open();
  const mark = world.log.mark;
  const [taproom, jetty] = [game.scenes.getName("Taproom and Cellar"), game.scenes.getName("Jetty at Night")];
  await jetty.activate();
  assert.equal(taproom.active, false);
  assert.equal(game.scenes.active, jetty);
  assert.deepEqual(world.log.since(mark, { phase: "preUpdateScene" }).map((entry) => entry.uuid), [jetty.uuid]);
  assert.deepEqual(world.log.since(mark, { phase: "updateScene" }).map((entry) => entry.uuid), [jetty.uuid, taproom.uuid]);
});

test("with the other answer, the asking client switches the other scene off itself", async () => {
  const { world, game } = open({ facts: { activation: "client" } });
  const mark = world.log.mark;
  await game.scenes.getName("Jetty at Night").activate();
  await world.clock.advance(0);
  assert.equal(game.scenes.getName("Taproom and Cellar").active, false);
  assert.equal(world.log.since(mark, { phase: "preUpdateScene" }).length, 2);
});

test("the active game master's client removes the combatants of a deleted token, after the fact", async () => {
  const { world, game } = open();
  const combat = game.combats.contents[0];
  const mark = world.log.mark;
  await game.scenes.active.tokens.getName("Rat by the barrel").delete();
  assert.equal(combat.combatants.size, 3, "not yet");
  await world.clock.advance(0);
  assert.equal(combat.combatants.size, 2);
  expectOrder(world.log, ["deleteToken", "preDeleteCombatant", "deleteCombatant"], mark);
});

test("deleting a scene fires the scene's hooks only, and its fog goes", async () => {
  const { world, game } = open({ docs: { ...sunkenInn().docs, FogExploration: [{ scene: "Taproom000000000" }] } });
  const mark = world.log.mark;
  await game.scenes.getName("Taproom and Cellar").delete();
  const hooks = new Set(world.log.since(mark, { phase: /^(pre(Create|Update|Delete)|create|update|delete)[A-Z]/ }).map((entry) => entry.phase));
  assert.deepEqual([...hooks].filter((hook) => !/Operation/.test(hook)), ["preDeleteScene", "deleteScene"]);
  assert.equal(world.server.store.primary("FogExploration").size, 0);
});

test("with legacy transferral the requester copies an item's effects to the actor", async () => {
  const { world, game } = open({ facts: { legacyTransferral: true } });
  const ottar = game.actors.getName("Ottar Reed");
  await ottar.createEmbeddedDocuments("Item", [{ name: "Charm", type: "gear", effects: [{ name: "Lucky" }] }]);
  await world.clock.advance(0);
  assert.ok(ottar.effects.getName("Lucky"));
});

test("deleteAll is expanded to ids, with hooks for each", async () => {
  const { world, game } = open();
  const ottar = game.actors.getName("Ottar Reed");
  const mark = world.log.mark;
  await ottar.deleteEmbeddedDocuments("Item", [], { deleteAll: true });
  assert.equal(ottar.items.size, 0);
  assert.equal(world.log.since(mark, { phase: "preDeleteItem" }).length, 4);
});

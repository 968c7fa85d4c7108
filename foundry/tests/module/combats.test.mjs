/** A token that the agent made and somebody took into a combat. */

import assert from "node:assert/strict";
import test from "node:test";

import { canonical, diffWorlds } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { Bench, check, failures } from "./bench.mjs";

const VERSIONS = [12, 13, 14];

/** On each version: a world with a combat, and ways to make a token and to take it in. */
async function onEach(run) {
  for (const version of VERSIONS) {
    const bench = new Bench({ ...sunkenInn(), version });
    try {
      const { scenes, actors, combats } = bench.gm.game;
      const scene = scenes.active;
      const combat = await bench.settle(combats.documentClass.create({ scene: scene.id }));
      const make = () => scene.createEmbeddedDocuments("Token", [{ name: "Heron", actorId: actors.contents[0].id, x: 0, y: 0 }]);
      const take = ([{ id, actorId }]) => combat.createEmbeddedDocuments("Combatant", [{ tokenId: id, sceneId: scene.id, actorId }]);
      await run({ bench, combat, make, take });
    } finally {
      bench.dispose();
    }
  }
}

test("a token that somebody took into a combat is asked about and stays, unless forced", () => onEach(async ({ bench, combat, make, take }) => {
  let made;
  const point = await bench.record(async () => (made = await make()));
  assert.deepEqual(await check(bench, point), []);
  await bench.settle(take(made));
  const [{ uuid }] = made;
  assert.deepEqual(await check(bench, point), [[uuid, true, undefined]]);
  const before = canonical(bench.world);
  assert.deepEqual(failures(await bench.undo(point)).map(({ error }) => error), ["it takes part in a combat"]);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  assert.deepEqual(failures(await bench.undo(point, { force: true })), []);
  assert.equal(combat.combatants.size, 0);
}));

test("a token that the agent took into a combat goes unasked", () => onEach(async ({ bench, make, take }) => {
  const before = canonical(bench.world);
  const point = await bench.record(async () => take(await make()));
  assert.deepEqual(await check(bench, point), []);
  assert.deepEqual(failures(await bench.undo(point)), []);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
}));

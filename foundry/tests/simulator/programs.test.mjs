import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, createWorld, diffWorlds, divergence, randomProgram, runProgram, shrink } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

const SYSTEMS = ["sim-generic", "sim-pf1", "sim-5e", "sim-pf2e"];

function inn(version, system, options = {}) {
  return createWorld({ ...sunkenInn({ system, players: true }), version, system, ...options });
}

for (const version of [12, 13, 14]) {
  test(`after random programs every client believes what the server holds (${version})`, async () => {
    let refusals = 0;
    for (let seed = 0; seed < 40; seed += 1) {
      const world = inn(version, SYSTEMS[seed % SYSTEMS.length], { seed });
      await runProgram(world.gm, randomProgram(seed), (step, error) => {
        refusals += 1;
        assert.match(error.message, /does not exist|already exists|not a valid|validation|permission/, `seed ${seed}: ${error.stack}`);
      });
      await world.clock.advance(0);
      for (const client of world.clients) {
        assert.deepEqual(divergence(client), [], `seed ${seed} on ${client.name}`);
        assert.deepEqual(client.errors.map(({ error }) => error.message), [], `seed ${seed} on ${client.name}`);
      }
    }
    assert.ok(refusals < 200, `${refusals} refusals`);
  });
}

test("a reloaded client sees what the old one saw, synthetic actors too", async () => {
  for (let seed = 100; seed < 120; seed += 1) {
    const world = inn(12, "sim-generic", { seed });
    await runProgram(world.gm, randomProgram(seed));
    const seen = (client) =>
      client.game.scenes.contents.flatMap((scene) => scene.tokens.map((token) => [token.uuid, token.actor?.toObject() ?? null])).sort(([a], [b]) => (a < b ? -1 : 1));
    const before = seen(world.gm);
    assert.deepEqual(seen(world.reload(world.gm)), before, `seed ${seed}`);
  }
});

test("a snapshot brings the world back", async () => {
  const world = inn(13, "sim-generic");
  const before = canonical(world);
  const snapshot = world.snapshot();
  await runProgram(world.gm, randomProgram("snapshot", { min: 40 }));
  assert.notDeepEqual(diffWorlds(before, canonical(world)), []);
  world.restore(snapshot);
  assert.deepEqual(diffWorlds(before, canonical(world)), []);
});

test("the same seed gives the same program, and a failing one shrinks to what fails", async () => {
  assert.deepEqual(randomProgram(5), randomProgram(5));
  const program = randomProgram("shrink", { min: 40, max: 40 });
  const bad = program[17];
  const small = await shrink(program, async (steps) => steps.includes(bad));
  assert.deepEqual(small, [bad]);
});

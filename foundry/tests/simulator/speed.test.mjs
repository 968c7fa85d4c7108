import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld } from "../../simulator/index.js";

/** Seconds of this process's own work: the machine is shared. */
const worked = (since) => process.cpuUsage(since).user / 1e6;

const numbered = (n, make) => Array.from({ length: n }, (_, i) => make(i));

test("five thousand walls are updated and put back in under three seconds", async () => {
  const world = createWorld({ docs: { scenes: [{ name: "Maze", walls: numbered(5000, (i) => ({ c: [i, 0, i, 10] })) }] } });
  const [scene] = world.gm.game.scenes.contents;
  const began = process.cpuUsage();
  for (const door of [1, 0]) {
    const updated = await scene.updateEmbeddedDocuments("Wall", scene.walls.map((wall) => ({ _id: wall.id, door })));
    assert.equal(updated.length, 5000);
  }
  assert.ok(worked(began) < 3);
});

test("a world of twenty thousand documents boots in under two seconds", () => {
  const actors = numbered(2000, (i) => ({ name: `Guest ${i}`, type: "npc", items: numbered(8, (j) => ({ name: `Thing ${j}`, type: "gear" })) }));
  const journal = numbered(1000, (i) => ({ name: `Page ${i}`, pages: [{ name: "Text" }] }));
  const began = process.cpuUsage();
  const world = createWorld({ docs: { actors, journal } });
  assert.ok(worked(began) < 2);
  assert.equal(world.gm.game.actors.size, 2000);
});

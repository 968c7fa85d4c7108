/** Big worlds, and what the recorder costs while nothing is recorded. */

import { Bench } from "./bench.mjs";

/** Options of a world with one scene of many walls. */
export function wallWorld(count) {
  const walls = Array.from({ length: count }, (_, i) => ({ c: [i, 0, i, 100] }));
  return { docs: { Scene: [{ name: "Maze under the inn", walls }], Actor: [{ name: "Mole", type: "npc" }] } };
}

const ROUNDS = 7;
const CALLS = 5000;

/**
 * The time of the idle recorder's two listeners, as a share of the quickest update seen.
 * @param {number} version
 * @returns {Promise<number>}  0.01 is one percent.
 */
export async function idleCost(version) {
  const bench = new Bench({ ...wallWorld(200), version });
  try {
    const scene = bench.gm.game.scenes.contents[0];
    const walls = scene.walls.contents;
    const options = { diff: true };
    const { preUpdate, didUpdate } = bench.recorder;
    const listeners = await quickest(() => {
      for (let i = 0; i < CALLS; i++) {
        preUpdate(walls[0], { door: 1 }, options, "gm");
        didUpdate(walls[0], { door: 1 }, options, "gm");
      }
    });
    let door = 0;
    const update = await quickest(() => {
      door = 1 - door;
      return bench.settle(scene.updateEmbeddedDocuments("Wall", walls.map(({ id }) => ({ _id: id, door }))));
    });
    return (listeners / CALLS) / (update / walls.length);
  } finally {
    bench.dispose();
  }
}

/** The least time of several rounds, which the load of the machine disturbs least. */
async function quickest(run) {
  let least = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    await run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

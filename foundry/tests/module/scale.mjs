/** Big worlds, and what the recorder costs while nothing is recorded. */

import { Bench } from "./bench.mjs";

/** Options of a world with one scene of many walls. */
export function wallWorld(count) {
  const walls = Array.from({ length: count }, (_, i) => ({ c: [i, 0, i, 100] }));
  return { docs: { Scene: [{ name: "Maze under the inn", walls }], Actor: [{ name: "Mole", type: "npc" }] } };
}

const ROUNDS = 9;
const CALLS = 200;

/**
 * The time of the idle recorder's two listeners, as a share of the quickest update seen.
 * @param {number} version
 * @returns {number}  0.01 is one percent.
 */
export function idleCost(version) {
  const bench = new Bench({ ...wallWorld(50), version });
  try {
    const wall = bench.gm.game.scenes.contents[0].walls.contents[0];
    const options = { diff: true };
    const { preUpdate, didUpdate } = bench.recorder;
    const listeners = quickest(() => {
      for (let i = 0; i < CALLS; i++) {
        preUpdate(wall, { door: 1 }, options, "gm");
        didUpdate(wall, { door: 1 }, options, "gm");
      }
    });
    // What any update does at the least: clone its source, compare, merge.
    const update = quickest(() => {
      for (let i = 0; i < CALLS; i++) wall.updateSource({ door: i % 2 });
    });
    return listeners / update;
  } finally {
    bench.dispose();
  }
}

/** The least time of several rounds, which the load of the machine disturbs least. */
function quickest(run) {
  let least = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

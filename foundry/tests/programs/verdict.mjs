/** Run one program, take it back, do it again, and judge. */

import { canonical, diffWorlds } from "../../simulator/index.js";
import { Bench, failures } from "../module/bench.mjs";
import { HOSTILE_MODULES, provoke } from "./hostile.mjs";
import { perform } from "./grammar.mjs";
import { programWorld } from "./world.mjs";

/** Not recorded: everybody's vision writes it all the time. */
const IGNORED = ["FogExploration"];

/**
 * @param {{ profile: number, system: string, hostile: boolean, seed: string }} about
 * @param {{ kind: string, seed: string }[]} program
 * @returns {Promise<{ verdict: "exact"|"partialHonest"|"lost", cause?: string, why?: object }>}
 */
export async function judge({ profile, system, hostile, seed }, program) {
  const bench = new Bench({ ...programWorld({ profile, system, seed }), modules: hostile ? HOSTILE_MODULES : [] });
  try {
    for (const key of ["first", "second"]) bench.gm.game.settings.register("programs", key, { scope: "world", type: Object, default: {} });
    if (hostile) provoke(bench.world, seed);
    await bench.clock.advance(1);
    const look = () => canonical(bench.world, { ignore: IGNORED });
    const before = look();
    const point = await bench.record(() => runProgram(program, bench.gm));
    if (point.error) return { verdict: "lost", why: { error: String(point.error.stack) } };
    const after = look();
    const redo = await bench.undo(point);
    const first = compare(before, look(), { point, undone: redo, hostile });
    if (first.verdict !== "exact") return first;
    const again = await bench.undo(redo);
    return compare(after, look(), { point: redo, undone: again, hostile });
  } finally {
    bench.dispose();
  }
}

async function runProgram(program, client) {
  for (const operation of program) {
    try {
      await perform(operation, client);
    } catch (error) {
      // Refused by Foundry, as some are meant to be; but a fault of the program or of the simulator is one.
      if (error instanceof TypeError || error instanceof ReferenceError || error.name === "SimulatorGap") throw error;
    }
  }
}

function compare(wanted, found, { point, undone, hostile }) {
  const differences = diffWorlds(wanted, found);
  const failed = failures(undone);
  const uncovered = [...point.uncovered, ...undone.uncovered].map(({ uuid }) => uuid);
  const meddled = hostile ? undone.entries.map(({ uuid }) => uuid) : [];
  const named = [...failed.map(({ uuid }) => uuid), ...uncovered, ...meddled];
  const unnamed = differences.filter(({ uuid }) => !named.some((name) => covers(name, uuid)));
  const wrong = failed.filter(({ uuid }) => !differences.some((difference) => covers(uuid, difference.uuid)));
  if (unnamed.length || (wrong.length && !hostile)) {
    return { verdict: "lost", why: { unnamed: unnamed.slice(0, 5), wrong: wrong.slice(0, 5), failed: failed.slice(0, 5), entries: point.entries.length } };
  }
  if (differences.length === 0) return { verdict: "exact" };
  return { verdict: "partialHonest", cause: failed[0]?.error ?? (uncovered.length ? point.uncovered[0]?.why : "meddled"), why: { differences: differences.slice(0, 3), failed: failed.slice(0, 3) } };
}

const covers = (above, uuid) => uuid === above || uuid.startsWith(`${above}.`);

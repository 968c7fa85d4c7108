/** Run one program, take it back, do it again, and judge. */

import { canonical, diffWorlds } from "../../simulator/index.js";
import { resolveIntents } from "../../module/scripts/recorder/merge.js";
import { Bench, failures } from "../module/bench.mjs";
import { HOSTILE_MODULES, provoke } from "./hostile.mjs";
import { isListed } from "./causes.mjs";
import { perform } from "./grammar.mjs";
import { answers, programWorld } from "./world.mjs";

/** Not recorded: everybody's vision writes it all the time. */
const IGNORED = ["FogExploration"];

/**
 * @param {{ profile: number, system: string, hostile: boolean, seed: string }} about
 * @param {{ kind: string, seed: string }[]} program
 * @returns {Promise<{ verdict: "exact"|"partialHonest"|"lost", answered?: boolean, cause?: string, why?: object }>}
 */
export async function judge({ profile, system, hostile, seed }, program) {
  const others = hostile; // where nobody else does anything, their tabs would only look on
  const bench = new Bench({ ...programWorld({ profile, system, seed, others }), facts: answers(seed), modules: hostile ? HOSTILE_MODULES : [] });
  try {
    for (const key of ["first", "second"]) bench.gm.game.settings.register("programs", key, { scope: "world", type: Object, default: {} });
    if (hostile) provoke(bench.world, seed);
    await bench.clock.advance(1);
    const look = () => canonical(bench.world, { ignore: IGNORED });
    const before = look();
    const point = await bench.record(() => runProgram(program, bench.gm));
    if (point.error) return { verdict: "lost", why: { error: String(point.error.stack) } };
    const after = look();
    const undo = async (taken) => {
      const undone = await bench.undo(taken);
      return { ...undone, raw: [...(bench.relay.raw.get(undone.id)?.values() ?? [])] };
    };
    const redo = await undo(point);
    const first = compare(before, look(), { point, undone: redo, hostile });
    if (first.verdict !== "exact" || first.answered) return first;
    const again = await undo(redo);
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

/**
 * Exact: every document is as it was, apart from what other modules wrote in answer to the rollback itself, all of
 * which the redo point holds and marks.
 */
function compare(wanted, found, { point, undone, hostile }) {
  const answers = hostile ? resolveIntents(undone.raw).entries.filter(({ side, tail }) => side || tail) : [];
  const all = diffWorlds(wanted, found);
  const differences = all.filter((difference) => !answers.some((answer) => explains(answer, difference)));
  const failed = failures(undone);
  const uncovered = [...point.uncovered, ...undone.uncovered].map(({ uuid }) => uuid);
  const named = [...failed.map(({ uuid }) => uuid), ...uncovered];
  const unnamed = differences.filter(({ uuid }) => !named.some((name) => covers(name, uuid)));
  const wrong = failed.filter(({ uuid }) => !all.some((difference) => covers(uuid, difference.uuid)));
  if (unnamed.length || wrong.length) {
    const why = { unnamed: unnamed.slice(0, 5), wrong: wrong.slice(0, 5), failed: failed.slice(0, 5), entries: point.entries.length };
    return { verdict: "lost", why };
  }
  if (differences.length === 0) return { verdict: "exact", answered: all.length > 0 };
  const cause = failed[0]?.error ?? point.uncovered[0]?.why ?? undone.uncovered[0]?.why;
  if (!isListed(cause)) return { verdict: "lost", why: { unlisted: cause, differences: differences.slice(0, 3) } };
  return { verdict: "partialHonest", cause, why: { differences: differences.slice(0, 3), failed: failed.slice(0, 3) } };
}

/** Did that entry of another module make this difference? */
function explains(entry, { uuid, kind, paths }) {
  if (entry.op !== "update") return covers(entry.uuid, uuid) && kind === (entry.op === "create" ? "added" : "removed");
  if (entry.uuid !== uuid || kind !== "changed") return false;
  const top = (path) => path.split(".").slice(0, 2).join(".");
  return paths.every(({ path }) => entry.changes.some((change) => covers(change.path, path) || covers(path, change.path) || top(change.path) === top(path)));
}

const covers = (above, uuid) => uuid === above || uuid.startsWith(`${above}.`);

/** Assertions on traces and on undo. They throw an Error that says what was seen. */
import { canonical, diffWorlds } from "./canonical.js";

/**
 * Expect phases in this order; others may stand between them.
 * @param {import("../core/trace.js").TraceLog} log
 * @param {Array<string|{phase: string, client?: string}>} phases
 * @param {number} [mark] Only after this mark.
 */
export function expectOrder(log, phases, mark = 0) {
  const wanted = phases.map((phase) => (typeof phase === "string" ? { phase } : phase));
  let next = 0;
  for (const entry of log.since(mark)) {
    const match = wanted[next];
    if (match && Object.entries(match).every(([key, value]) => entry[key] === value)) next += 1;
  }
  if (next < wanted.length) {
    throw new Error(`expected ${JSON.stringify(wanted[next])} after ${next} steps; seen: ${log.since(mark).map((entry) => `${entry.client}:${entry.phase}`).join(" ")}`);
  }
}

/** Expect that a hook was not called. */
export function expectNoHook(log, hook, mark = 0) {
  const seen = log.since(mark, { phase: hook });
  if (seen.length) throw new Error(`${hook} was called ${seen.length} times: ${seen.map((entry) => entry.uuid).join(", ")}`);
}

/** The operations the server stored between two marks. */
export function writesBetween(log, from, to = Infinity) {
  return log.since(from, { client: "server", phase: "stored" }).filter((entry) => entry.seq <= to);
}

/**
 * Prove that a recorded piece of work can be taken back and done again, exactly.
 *
 * snapshot → record → roll back → equal to before → redo → equal to after → roll back again → equal to before.
 * @param {import("../world.js").World} world
 * @param {object} steps
 * @param {() => Promise<unknown>} steps.record Does the work and gives what `rollback` needs.
 * @param {(point: unknown) => Promise<unknown>} steps.rollback Gives what `redo` needs.
 * @param {(point: unknown) => Promise<unknown>} steps.redo Gives what a second `rollback` needs.
 * @param {string[]} [steps.except] Uuids that may differ: those a partial point lists.
 * @returns {Promise<{before: object, after: object}>}
 */
export async function assertUndo(world, { record, rollback, redo, except = [] }) {
  const before = canonical(world);
  const point = await record();
  const after = canonical(world);
  const redoPoint = await rollback(point);
  same(before, canonical(world), except, "rolled back, the world is not as before");
  const again = await redo(redoPoint);
  same(after, canonical(world), except, "redone, the world is not as after");
  await rollback(again);
  same(before, canonical(world), except, "rolled back again, the world is not as before");
  return { before, after };
}

function same(wanted, found, except, message) {
  const differences = diffWorlds(wanted, found).filter(({ uuid }) => !except.includes(uuid));
  if (differences.length) throw new Error(`${message}: ${JSON.stringify(differences.slice(0, 20))}`);
}

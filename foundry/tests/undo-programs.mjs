/**
 * Random programs, recorded, taken back and done again on the simulated world.
 *
 * node tests/undo-programs.mjs --profile 12|13|14 --seed N --programs M [--system pf1|5e|generic] [--hostile] [--causes] [--jobs J]
 * Prints one JSON line; the status is 0 only when nothing was lost. The jobs share the programs: one a processor, where
 * none are named and the programs are many.
 */

import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

import { judge } from "./programs/verdict.mjs";
import { makeProgram } from "./programs/grammar.mjs";

const FEWEST = 50; // programs for which another thread is worth its start

if (isMainThread) await main();
else parentPort.postMessage(await runPrograms(workerData));

async function main() {
  const { values } = parseArgs({
    options: {
      profile: { type: "string", default: "12" },
      seed: { type: "string", default: "1" },
      programs: { type: "string", default: "100" },
      system: { type: "string", default: "generic" },
      hostile: { type: "boolean", default: false },
      causes: { type: "boolean", default: false },
      jobs: { type: "string" },
    },
  });
  const about = { profile: Number(values.profile), system: values.system, hostile: values.hostile };
  const count = Number(values.programs);
  const jobs = values.jobs ? Number(values.jobs) : Math.max(1, Math.min(availableParallelism(), Math.floor(count / FEWEST)));
  const shares = Array.from({ length: jobs }, (_, first) => ({ about, seed: values.seed, count, first, step: jobs }));
  const totals = await Promise.all(jobs === 1 ? shares.map(runPrograms) : shares.map(inThread));
  const total = totals.reduce(together);
  const shown = ["programs", "exact", "partialHonest", "lost", "firstFailure", ...(values.causes ? ["answered", "causes"] : [])];
  process.stdout.write(`${JSON.stringify(Object.fromEntries(shown.map((key) => [key, total[key]])))}\n`);
  process.exitCode = total.lost === 0 ? 0 : 1;
}

function inThread(share) {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: share });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

/** Run every *step*-th program from *first* on; the first that is lost is made as small as it gets. */
async function runPrograms({ about, seed, count, first, step }) {
  const totals = { programs: 0, exact: 0, partialHonest: 0, lost: 0, firstFailure: null, firstLost: Infinity, answered: 0, causes: {} };
  for (let i = first; i < count; i += step) {
    const one = { ...about, seed: `${seed}/${i}` };
    const program = makeProgram(one.seed, one);
    const { verdict, cause, answered } = await judge(one, program);
    totals.programs += 1;
    totals[verdict] += 1;
    if (answered) totals.answered += 1;
    if (cause) totals.causes[cause] = (totals.causes[cause] ?? 0) + 1;
    if (verdict === "lost" && totals.firstFailure === null) Object.assign(totals, { firstLost: i, firstFailure: await shrink(one, program) });
  }
  return totals;
}

/** The totals of two shares. */
function together(a, b) {
  const sum = { ...(a.firstLost < b.firstLost ? a : b), causes: { ...a.causes } };
  for (const key of ["programs", "exact", "partialHonest", "lost", "answered"]) sum[key] = a[key] + b[key];
  for (const [cause, n] of Object.entries(b.causes)) sum.causes[cause] = (sum.causes[cause] ?? 0) + n;
  return sum;
}

/** Take operations out while the program is still lost. */
async function shrink(about, program) {
  let small = program;
  for (let size = Math.ceil(small.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < small.length && small.length > 1; ) {
      const less = [...small.slice(0, start), ...small.slice(start + size)];
      if (less.length && (await judge(about, less)).verdict === "lost") small = less;
      else start += size;
    }
  }
  return { seed: about.seed, program: small, ...(await judge(about, small)) };
}

/**
 * Random programs, recorded, taken back and done again on the simulated world.
 *
 * node tests/undo-programs.mjs --profile 12|13|14 --seed N --programs M [--system pf1|5e|generic] [--hostile] [--causes]
 * Prints one JSON line; the status is 0 only when nothing was lost.
 */

import { parseArgs } from "node:util";

import { judge } from "./programs/verdict.mjs";
import { makeProgram } from "./programs/grammar.mjs";

const { values } = parseArgs({
  options: {
    profile: { type: "string", default: "12" },
    seed: { type: "string", default: "1" },
    programs: { type: "string", default: "100" },
    system: { type: "string", default: "generic" },
    hostile: { type: "boolean", default: false },
    causes: { type: "boolean", default: false },
  },
});

const about = { profile: Number(values.profile), system: values.system, hostile: values.hostile };
const result = await runPrograms(about, values.seed, Number(values.programs));
const { causes, answered, ...line } = result;
process.stdout.write(`${JSON.stringify(values.causes ? { ...line, answered, causes } : line)}\n`);
process.exitCode = result.lost === 0 ? 0 : 1;

/** Run many; the first that is lost is made as small as it gets. */
async function runPrograms(about, seed, count) {
  const totals = { programs: count, exact: 0, partialHonest: 0, lost: 0, firstFailure: null, answered: 0, causes: {} };
  for (let i = 0; i < count; i++) {
    const one = { ...about, seed: `${seed}/${i}` };
    const program = makeProgram(one.seed, one);
    const { verdict, cause, answered } = await judge(one, program);
    totals[verdict] += 1;
    if (answered) totals.answered += 1;
    if (cause) totals.causes[cause] = (totals.causes[cause] ?? 0) + 1;
    if (verdict === "lost" && totals.firstFailure === null) totals.firstFailure = await shrink(one, program);
  }
  return totals;
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

/**
 * The forty-three hazards of an undo recorder, and whether each rule against them is missed when it is gone.
 *
 * node tests/hazards.mjs [--profile 12|13|14] [--only N]   runs them; one JSON line
 * node tests/hazards.mjs --mutants [--profile …] [--only N]   takes each rule out of the module in turn and runs its hazard
 */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PROFILES, hazards, runHazard } from "./hazards/index.mjs";

const { values } = parseArgs({
  options: { profile: { type: "string" }, only: { type: "string" }, mutants: { type: "boolean", default: false } },
});
const profiles = values.profile ? [Number(values.profile)] : PROFILES;
const chosen = hazards.filter(({ n }) => values.only === undefined || n === Number(values.only));

const TIME_LIMIT = 180_000; // ms for one mutant on all profiles; one that hangs is caught
const AT_ONCE = 2;

if (values.mutants) await mutants();
else await plain();

/** Run the hazards as they are: `{"12": {"passed": 43, "failed": {"7": "why"}}}`. */
async function plain() {
  const result = {};
  for (const version of profiles) {
    const failed = {};
    for (const hazard of chosen) {
      await runHazard(hazard, version).catch((error) => {
        failed[hazard.n] = error.message;
      });
    }
    result[version] = { passed: chosen.length - Object.keys(failed).length, failed };
    if (Object.keys(failed).length) process.exitCode = 1;
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Run each hazard without its rule; print how many were caught on each profile. */
async function mutants() {
  const caught = Object.fromEntries(profiles.map((version) => [version, []]));
  const missed = Object.fromEntries(profiles.map((version) => [version, []]));
  const rest = [...chosen];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let hazard = rest.shift(); hazard; hazard = rest.shift()) {
      const result = await runWithout(hazard);
      for (const version of profiles) (isCaught(result, version) ? caught : missed)[version].push(hazard.n);
    }
  }));
  for (const version of profiles) {
    const not = missed[version].length ? `; missed: ${missed[version].sort((a, b) => a - b).join(", ")}` : "";
    process.stdout.write(`${version}: ${caught[version].length} of ${chosen.length} caught${not}\n`);
    if (not) process.exitCode = 1;
  }
}

function isCaught(result, version) {
  return result === null || result[version].passed === 0;
}

/** What a child without the rule says; null when it did not end. A child that cannot start is a fault of the mutant. */
function runWithout({ n, mutant }) {
  const own = fileURLToPath(import.meta.url);
  const preload = new URL("./hazards/mutate.mjs", import.meta.url).href;
  const args = ["--import", preload, own, "--only", String(n), ...(values.profile ? ["--profile", values.profile] : [])];
  const child = spawn(process.execPath, args, { env: { ...process.env, AAGM_MUTANT: JSON.stringify(mutant) }, timeout: TIME_LIMIT });
  const out = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => { out.stdout += chunk; });
  child.stderr.on("data", (chunk) => { out.stderr += chunk; });
  return new Promise((resolve, reject) => {
    child.on("close", (_code, signal) => {
      if (signal) return resolve(null);
      const line = out.stdout.trim().split("\n").at(-1);
      try {
        resolve(JSON.parse(line));
      } catch {
        if (/mutant's text is not in|SyntaxError/.test(out.stderr)) reject(new Error(`hazard ${n}: ${out.stderr.slice(0, 500)}`));
        else resolve(null); // it fell over where nobody catches: in a timer
      }
    });
  });
}

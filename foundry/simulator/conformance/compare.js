/**
 * Holds a report of the probe macro against what the simulator's scenarios expect.
 *
 * `node foundry/simulator/conformance/compare.js report.json` prints what each scenario says and ends with 1 when one
 * fits no answer.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SCENARIOS, answersOf, appliesTo, differences } from "./scenarios.js";

/**
 * @param {object} report What the probe macro printed.
 * @returns {{confirmed: object[], divergent: object[], missing: string[]}}
 *   confirmed: `{id, fact, mark, facts}`, with the answers of switchable facts; divergent: `{id, fact, differences}`.
 */
export function compare(report) {
  const result = { confirmed: [], divergent: [], missing: [] };
  const outcomes = new Map(report.outcomes.map((outcome) => [outcome.id, outcome]));
  for (const scenario of SCENARIOS.filter((one) => appliesTo(one, report.generation))) {
    const { id, fact, mark } = scenario;
    const outcome = outcomes.get(id);
    if (!outcome) {
      result.missing.push(id);
      continue;
    }
    const answers = answersOf(scenario).map((answer) => ({ answer, lines: differences(outcome, answer) }));
    const right = answers.find(({ lines }) => lines.length === 0);
    if (right) result.confirmed.push({ id, fact, mark, facts: right.answer.facts ?? {} });
    else result.divergent.push({ id, fact, mark, differences: answers[0].lines });
  }
  return result;
}

function print({ confirmed, divergent, missing }) {
  for (const { id, fact, mark, facts } of confirmed) console.log(`as simulated  FF ${fact} [${mark}] ${id} ${Object.keys(facts).length ? JSON.stringify(facts) : ""}`.trimEnd());
  for (const { id, fact, mark, differences: lines } of divergent) console.log(`DIVERGES      FF ${fact} [${mark}] ${id}\n  ${lines.join("\n  ")}`);
  for (const id of missing) console.log(`not in the report: ${id}`);
}

const { process } = globalThis;
if (process?.argv[1] === fileURLToPath(import.meta.url)) {
  const result = compare(JSON.parse(readFileSync(process.argv[2], "utf8")));
  print(result);
  process.exitCode = result.divergent.length ? 1 : 0;
}

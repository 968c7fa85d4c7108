/** All conformance scenarios. */
import { DOCUMENTS } from "./scenarios-documents.js";
import { WORLD } from "./scenarios-world.js";

export const SCENARIOS = [...DOCUMENTS, ...WORLD];

/** The answers a scenario allows, as a list. */
export const answersOf = (scenario) => [scenario.expect].flat();

/** Does a scenario belong to a generation? */
export const appliesTo = (scenario, generation) => !scenario.profiles || scenario.profiles.includes(generation);

/**
 * How an outcome differs from an answer.
 * @returns {string[]} Nothing when it fits.
 */
export function differences(outcome, { trace, values = {} }) {
  const lines = [];
  if (outcome.failed) lines.push(`failed: ${outcome.failed}`);
  if (trace && JSON.stringify(trace) !== JSON.stringify(outcome.trace)) lines.push(`hooks ${JSON.stringify(outcome.trace)} instead of ${JSON.stringify(trace)}`);
  for (const [key, wanted] of Object.entries(values)) {
    if (JSON.stringify(outcome.values[key]) !== JSON.stringify(wanted)) lines.push(`${key} is ${JSON.stringify(outcome.values[key])} instead of ${JSON.stringify(wanted)}`);
  }
  return lines;
}

/** One test for each hazard of an undo recorder (FOUNDRY_FACTS section 2), on each profile. */

import assert from "node:assert/strict";
import test from "node:test";

import { PROFILES, hazards, runHazard } from "../hazards/index.mjs";

test("all forty-three hazards have a test", () => {
  assert.deepEqual(hazards.map(({ n }) => n), Array.from({ length: 43 }, (_, i) => i + 1));
});

for (const version of PROFILES) {
  for (const hazard of hazards) {
    test(`hazard ${hazard.n} on ${version}: ${hazard.title}`, () => runHazard(hazard, version));
  }
}

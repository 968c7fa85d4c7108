/** All hazards, in order. */

import "./lifecycle.mjs";
import "./meddling.mjs";
import "./policy.mjs";
import "./structure.mjs";
import "./tokens.mjs";
import { HAZARDS, Stage } from "./stage.mjs";

export const PROFILES = [12, 13, 14];

export const hazards = [...HAZARDS].sort((a, b) => a.n - b.n);

/** Run one hazard on one profile, in each of its worlds. */
export async function runHazard({ variants, run }, version) {
  for (const variant of variants) {
    const stage = new Stage(version, variant);
    try {
      await run(stage);
    } finally {
      stage.dispose();
    }
  }
}

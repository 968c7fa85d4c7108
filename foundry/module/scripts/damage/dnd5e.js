/** Fifth edition: temporary hit points, then hit points, none below 0. */

/** @import { Adapter } from "./pools.js" */
import { numberAt, numberOrNull, valueOf } from "./pools.js";

const HP = "system.attributes.hp";
const FAILURES_OF_THE_DEAD = 3;

/** @type {Adapter} */
export const dnd5e = {
  read(actor) {
    const max = numberAt(actor, `${HP}.effectiveMax`, NaN) || numberOrNull(actor, `${HP}.max`);
    return {
      pools: [
        { name: "temp", path: `${HP}.temp`, value: numberAt(actor, `${HP}.temp`, 0), floor: 0 },
        { name: "hp", path: `${HP}.value`, value: numberAt(actor, `${HP}.value`), floor: 0 },
      ],
      main: "hp",
      max,
      facts: { type: actor.type, failures: numberOrNull(actor, "system.attributes.death.failure") ?? 0 },
    };
  },

  /** A character at 0 is dying; what is left of one blow kills outright from the maximum on. */
  judge(reading, { excess }) {
    const { type, failures } = reading.facts;
    if (valueOf(reading, "hp") > 0) return "up";
    if (type !== "character") return type === "npc" ? "dead" : "destroyed";
    const isOutright = reading.max !== null && excess >= reading.max;
    return isOutright || failures >= FAILURES_OF_THE_DEAD ? "dead" : "dying";
  },
};

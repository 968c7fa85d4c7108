/** Pathfinder 2e and Starfinder 2e: temporary hit points, stamina where it is used, hit points, none below 0. */

/** @import { Adapter, Pool } from "./pools.js" */
import { numberAt, numberOrNull, valueOf } from "./pools.js";

const HP = "system.attributes.hp";
const STAMINA = `${HP}.sp`;
const LIVING = new Set(["npc", "familiar"]);

/** @type {Adapter} */
export const pf2e = {
  read(actor) {
    return {
      pools: [
        { name: "temp", path: `${HP}.temp`, value: numberAt(actor, `${HP}.temp`, 0), floor: 0 },
        ...stamina(actor),
        { name: "hp", path: `${HP}.value`, value: numberAt(actor, `${HP}.value`), floor: 0 },
      ],
      main: "hp",
      max: numberOrNull(actor, `${HP}.max`),
      facts: { type: actor.type },
    };
  },

  /** A character at 0 is dying; one blow of twice the maximum kills outright. */
  judge(reading, { amount }) {
    const { type } = reading.facts;
    const isMassive = type === "character" && reading.max !== null && amount >= 2 * reading.max;
    if (isMassive) return "dead";
    if (valueOf(reading, "hp") > 0) return "up";
    if (type === "character") return "dying";
    return LIVING.has(type) ? "dead" : "destroyed";
  },
};

/**
 * @param {any} actor
 * @returns {Pool[]}
 */
function stamina(actor) {
  if ((numberOrNull(actor, `${STAMINA}.max`) ?? 0) <= 0) return [];
  return [{ name: "stamina", path: `${STAMINA}.value`, value: numberAt(actor, `${STAMINA}.value`, 0), floor: 0 }];
}

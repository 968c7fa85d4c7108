/** Pathfinder 1e with Wounds & Vigor: temporary vigor, vigor, then wounds, none below 0. */

/** @import { Adapter } from "./pools.js" */
import { numberAt, numberOrNull, valueOf } from "./pools.js";

const VIGOR = "system.attributes.vigor";
const WOUNDS = "system.attributes.wounds";

/** @type {Adapter} */
export const pf1Wounds = {
  read(actor) {
    return {
      pools: [
        { name: "temp", path: `${VIGOR}.temp`, value: numberAt(actor, `${VIGOR}.temp`, 0), floor: 0 },
        { name: "vigor", path: `${VIGOR}.value`, value: numberAt(actor, `${VIGOR}.value`), floor: 0 },
        { name: "wounds", path: `${WOUNDS}.value`, value: numberAt(actor, `${WOUNDS}.value`), floor: 0 },
      ],
      main: "vigor",
      max: numberOrNull(actor, `${VIGOR}.max`),
      facts: { threshold: numberOrNull(actor, `${WOUNDS}.threshold`) ?? 0 },
    };
  },

  judge(reading) {
    const wounds = valueOf(reading, "wounds");
    if (wounds <= 0) return "dead";
    return wounds < reading.facts.threshold ? "disabled" : "up";
  },
};

/**
 * Does the world's health setting give this actor wounds and vigor?
 * @param {any} actor
 */
export function usesWounds(actor) {
  const settings = /** @type {any} */ (game.settings);
  const variant = { character: "pc", npc: "npc" }[/** @type {string} */ (actor.type)];
  if (!variant || !settings.settings.has("pf1.healthConfig")) return false;
  const config = settings.get("pf1", "healthConfig");
  return Boolean(config?.variants?.[variant]?.useWoundsAndVigor);
}

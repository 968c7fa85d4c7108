/**
 * Pathfinder 1e: temporary hit points, then hit points, with no floor.
 *
 * The system turns a plain update of `hp.value` into the `offset` it stores.
 */

/** @import { Adapter } from "./pools.js" */
import { numberAt, numberOrNull, valueOf } from "./pools.js";

const HP = "system.attributes.hp";

/** @type {Adapter} */
export const pf1 = {
  read(actor) {
    return {
      pools: [
        { name: "temp", path: `${HP}.temp`, value: numberAt(actor, `${HP}.temp`, 0), floor: 0 },
        { name: "hp", path: `${HP}.value`, value: numberAt(actor, `${HP}.value`), floor: -Infinity },
      ],
      main: "hp",
      max: numberOrNull(actor, `${HP}.max`),
      facts: { con: constitution(actor), nonlethal: numberOrNull(actor, `${HP}.nonlethal`) ?? 0 },
    };
  },

  judge(reading) {
    const hp = valueOf(reading, "hp");
    const { con, nonlethal } = reading.facts;
    if (con === null) return hp <= 0 ? "destroyed" : "up";
    if (hp <= -con) return "dead";
    if (hp < 0 || (nonlethal > 0 && nonlethal >= hp)) return "unconscious";
    return hp === 0 ? "disabled" : "up";
  },
};

/**
 * @param {any} actor
 * @returns {number|null}  Null for the undead, constructs and things: at 0 they are destroyed.
 */
function constitution(actor) {
  const con = actor.system?.abilities?.con;
  if (con?.value === null || con?.value === "") return null;
  const score = Number(con?.total ?? con?.value ?? NaN);
  return Number.isFinite(score) ? score : null;
}

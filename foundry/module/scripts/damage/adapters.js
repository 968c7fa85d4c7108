/** Which system's knowledge an actor is hurt by. */

/** @import { Adapter } from "./pools.js" */
import { pf1Wounds, usesWounds } from "./pf1-wounds.js";
import { dnd5e } from "./dnd5e.js";
import { generic } from "./generic.js";
import { pf1 } from "./pf1.js";
import { pf2e } from "./pf2e.js";

/** @type {Record<string, (actor: any) => Adapter>} */
const SYSTEMS = {
  pf1: (actor) => (usesWounds(actor) ? pf1Wounds : pf1),
  dnd5e: () => dnd5e,
  pf2e: () => pf2e,
  sf2e: () => pf2e,
};

/**
 * @param {any} actor
 * @returns {Adapter}
 */
export function adapterOf(actor) {
  const id = String(game.system.id);
  return Object.hasOwn(SYSTEMS, id) ? SYSTEMS[id](actor) : generic;
}

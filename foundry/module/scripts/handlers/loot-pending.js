/** @import { HandlerContext } from "./index.js" */

/**
 * What the Loot Watchdog has on its list. Reads only.
 * @param {object} _params
 * @param {HandlerContext} context
 */
export function lootPending(_params, { loot }) {
  return loot.pending();
}

/** @import { HandlerContext } from "./index.js" */
import { BadParams } from "../errors.js";

/**
 * Grant what was lost, all of it without `eventIds`: nothing but the recorded item, amount and recipient.
 * @param {{ eventIds?: string[], ackPhantoms?: string[] }} params
 * @param {HandlerContext} context
 */
export function lootRestore({ eventIds, ackPhantoms }, { loot }) {
  for (const ids of [eventIds, ackPhantoms]) {
    if (ids !== undefined && !(Array.isArray(ids) && ids.every((id) => typeof id === "string"))) {
      throw new BadParams("eventIds and ackPhantoms are lists of event ids");
    }
  }
  return loot.restore({ eventIds, ackPhantoms });
}

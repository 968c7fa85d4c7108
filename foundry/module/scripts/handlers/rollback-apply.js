/** @import { ApplyParams } from "../wire.js" */
/** @import { HandlerContext } from "./index.js" */
import { applyUndo } from "../recorder/undo/apply.js";

/**
 * Take a point's entries back. Runs recorded: what it changes is the redo point.
 * @param {ApplyParams} params
 * @param {HandlerContext} context
 */
export function rollbackApply(params, { protectedDocuments, recorder, isFamilyRelay, loot }) {
  return loot.quietly(() => applyUndo(params, { protectedDocuments, recorder, isFamilyRelay: isFamilyRelay() }));
}

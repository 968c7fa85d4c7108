/** @import { Expected } from "../wire.js" */
import { checkWorld } from "../recorder/undo/check.js";

/**
 * Where the world is not as expected. Reads only.
 * @param {{ expected: Expected[] }} params
 */
export function rollbackCheck(params) {
  return checkWorld(params);
}

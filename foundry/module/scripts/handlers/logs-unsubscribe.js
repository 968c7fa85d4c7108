/** @import { LogTail } from "../log-tail.js" */

/**
 * Tell the relay no more of what the page logs.
 * @param {unknown} _params
 * @param {{ logTail: LogTail }} context
 * @returns {{ ok: true }}
 */
export function logsUnsubscribe(_params, { logTail }) {
  logTail.unsubscribe();
  return { ok: true };
}

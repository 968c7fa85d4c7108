/** @import { LogTail } from "../log-tail.js" */

/**
 * Tell the relay what the page logs, from now on. Asked again, it replaces what was asked before.
 * @param {{ levels?: string[], filter?: string }} params
 * @param {{ logTail: LogTail }} context
 * @returns {{ ok: true }}
 */
export function logsSubscribe({ levels, filter }, { logTail }) {
  logTail.subscribe({ levels, filter });
  return { ok: true };
}

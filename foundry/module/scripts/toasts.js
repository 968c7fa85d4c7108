/** What a change of the connection is worth a notice. */

/** @import { LinkState } from "./socket.js" */
import { notice } from "./notices.js";

/**
 * Say what a change of the connection means to the GM; silent about what repeats by itself.
 * @param {LinkState} state
 * @param {LinkState} before
 */
export function tellConnection(state, before) {
  const { i18n } = game;
  if (state.kind === "connected") {
    const { owner = true, ownedBy, memberName = "AAGM" } = state.answer;
    const wasOwner = before.kind === "connected" && before.answer.owner !== false;
    if (!owner) notice("warn", i18n.format("AAGM.Toast.elsewhere", { userName: ownedBy?.userName ?? "" }));
    else if (!wasOwner) notice("info", i18n.format("AAGM.Toast.connected", { member: memberName }));
    return;
  }
  const { reason } = state;
  if (state.kind === "off" && reason.code !== "disabled") {
    notice("warn", i18n.format("AAGM.Toast.attention", { message: reason.message, fix: reason.fix }));
  } else if (before.kind === "connected") {
    notice("warn", i18n.format("AAGM.Toast.disconnected", { message: reason.message }));
  }
}

/** The macro that opens the chat: made once for a member, after the first accepted hello. */

import { MODULE_ID } from "../identity.js";

const FLAG = "autoMacro";
const MADE = "provisionedMacros"; // world setting: members whose macro was made; a deleted one stays deleted

const COMMAND = `const api = game.modules.get("${MODULE_ID}")?.api;
if (api?.openChat) await api.openChat();
else ui.notifications.warn("AAGM is not running in this tab: only a GM's has it.");`;

export function registerMacros() {
  /** @type {any} */ (game.settings).register(MODULE_ID, MADE, { scope: "world", config: false, type: Array, default: [] });
}

/**
 * Make the macro, or bring its text up to date. Two GMs may do so at the same moment: its id is always the same, so
 * that the second is refused.
 * @param {{ member: string, memberName: string, exemption: Record<string, unknown> }} parts  exemption: of `startWindows()`.
 * @returns {Promise<void>}
 */
export async function provisionMacro({ member, memberName, exemption }) {
  const macros = /** @type {any} */ (game.macros);
  const settings = /** @type {any} */ (game.settings);
  const id = `aagmOpenChat${member}`.replace(/[^A-Za-z0-9]/g, "").padEnd(16, "0").slice(0, 16);
  const known = macros.find((/** @type {any} */ macro) => macro.flags?.[MODULE_ID]?.[FLAG] === member) ?? macros.get(id);
  if (known) {
    if (known.command !== COMMAND) await known.update({ command: COMMAND }, exemption);
    return;
  }
  const made = settings.get(MODULE_ID, MADE);
  if (made.includes(member)) return;
  const source = { _id: id, name: `Open ${memberName} Chat`, type: "script", img: "icons/svg/chat.svg", command: COMMAND, flags: { [MODULE_ID]: { [FLAG]: member } } };
  try {
    await /** @type {any} */ (getDocumentClass("Macro")).create(source, { keepId: true, ...exemption });
    await settings.set(MODULE_ID, MADE, [...made, member], exemption);
  } catch (thrown) {
    if (!macros.get(id)) console.warn("AAGM | the macro that opens the chat was not made", thrown);
  }
}

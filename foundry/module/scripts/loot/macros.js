/** The macros a game master runs: the watchdog, and what sets it up. They are made once, by the active GM's tab. */

import { MODULE_ID } from "../identity.js";

export const PLACEHOLDER = "REPLACE_WITH_RESCUE_LOG_JOURNAL_ID";

const ICON = "icons/svg/chest.svg";
const FLAG = "macro"; // flags.aagm.macro says which of ours it is, whatever the GM calls it

/**
 * @typedef {{ kind: string, name: string, command: string }} OwnMacro
 */

/**
 * @param {string} memberName  "AAGM-K"
 * @returns {OwnMacro[]}
 */
export function lootMacros(memberName) {
  const name = `${memberName} Loot Watchdog`;
  const setup = `${name} Setup`;
  return [
    {
      kind: "loot-watchdog",
      name,
      command: `// ${name}: tells the GM when loot gets lost on its way out of an Item Piles pile.
// Run it to arm, again to disarm; a reload disarms. Needs the Item Piles module and the Rescue Log:
// run "${setup}" once, it makes the journal and puts its id here.
const RESCUE_LOG = "${PLACEHOLDER}";
const { api } = game.modules.get("${MODULE_ID}") ?? {};
if (!api) return void ui.notifications.warn("The ${MODULE_ID} module is not running in this tab.");
return api.lootWatchdog.toggle(RESCUE_LOG);`,
    },
    {
      kind: "loot-setup",
      name: setup,
      command: `// ${setup}: makes the journal "ItemPile Rescue Log" and a chest for what has no owner,
// and puts the journal's id into "${name}". Running it again changes nothing that is there.
const { api } = game.modules.get("${MODULE_ID}") ?? {};
if (!api) return void ui.notifications.warn("The ${MODULE_ID} module is not running in this tab.");
return api.lootWatchdog.setUp();`,
    },
  ];
}

/**
 * @param {OwnMacro} macro
 * @returns {any|undefined}  The macro in the world, by our mark or by its name.
 */
export function findMacro({ kind, name }) {
  const macros = /** @type {any[]} */ (game.macros.contents);
  return macros.find(({ flags }) => flags?.[MODULE_ID]?.[FLAG] === kind) ?? macros.find((macro) => macro.name === name);
}

/**
 * Make those that are not there.
 * @param {OwnMacro[]} macros
 * @param {object} options  Of the write: nothing an agent asked for.
 */
export async function provisionMacros(macros, options) {
  const missing = macros.filter((macro) => !findMacro(macro));
  const MacroClass = /** @type {any} */ (getDocumentClass("Macro"));
  for (const { kind, name, command } of missing) {
    await MacroClass.create({ name, type: "script", img: ICON, command, flags: { [MODULE_ID]: { [FLAG]: kind } } }, options);
  }
}

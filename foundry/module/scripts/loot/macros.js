/** The macros a game master runs: the watchdog, and what sets it up. The active GM's tab makes them, once a world. */

import { MODULE_ID } from "../identity.js";

export const PLACEHOLDER = "REPLACE_WITH_RESCUE_LOG_JOURNAL_ID";

const ICON = "icons/svg/chest.svg";
const FLAG = "macro"; // flags.aagm.macro says which of ours it is, whatever the GM calls it
const MADE = "lootMacros"; // world setting: ids of those that were made; a deleted one stays deleted

/**
 * @typedef {{ id: string, kind: string, name: string, command: string }} OwnMacro
 *   The id is always the same, so that of two tabs that make it at once the second is refused.
 */

export function registerLootSettings() {
  /** @type {any} */ (game.settings).register(MODULE_ID, MADE, { scope: "world", config: false, type: Array, default: [] });
}

/**
 * @param {string} memberName  "AAGM-K"
 * @returns {OwnMacro[]}
 */
export function lootMacros(memberName) {
  const name = `${memberName} Loot Watchdog`;
  const setup = `${name} Setup`;
  const letter = memberName.at(-1);
  return [
    {
      id: `aagmLootWatchdg${letter}`,
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
      id: `aagmLootSetupOf${letter}`,
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
 * @returns {any|undefined}  The macro in the world, by its id, our mark or its name.
 */
export function findMacro({ id, kind, name }) {
  const macros = /** @type {any} */ (game.macros);
  const marked = macros.find((/** @type {any} */ { flags }) => flags?.[MODULE_ID]?.[FLAG] === `${kind} ${id.at(-1)}`);
  return macros.get(id) ?? marked ?? macros.find((/** @type {any} */ macro) => macro.name === name);
}

/**
 * Make those that are not there.
 * @param {OwnMacro[]} macros
 * @param {object} options  Of the write: nothing an agent asked for.
 */
export async function makeMacros(macros, options) {
  const MacroClass = /** @type {any} */ (getDocumentClass("Macro"));
  for (const macro of macros.filter((each) => !findMacro(each))) {
    const { id, kind, name, command } = macro;
    const source = { _id: id, name, type: "script", img: ICON, command, flags: { [MODULE_ID]: { [FLAG]: `${kind} ${id.at(-1)}` } } };
    try {
      await MacroClass.create(source, { keepId: true, ...options });
    } catch (thrown) {
      if (!findMacro(macro)) throw thrown;
    }
  }
}

/**
 * Make those that this world never had.
 * @param {OwnMacro[]} macros
 * @param {object} options
 */
export async function provisionMacros(macros, options) {
  const settings = /** @type {any} */ (game.settings);
  const made = () => settings.get(MODULE_ID, MADE);
  const missing = macros.filter(({ id }) => !made().includes(id));
  if (missing.length === 0) return;
  await makeMacros(missing, options);
  const ids = missing.map(({ id }) => id);
  try {
    await settings.set(MODULE_ID, MADE, [...made(), ...ids], options);
  } catch (thrown) {
    if (!ids.every((id) => made().includes(id))) throw thrown; // another tab of this GM wrote it meanwhile
  }
}

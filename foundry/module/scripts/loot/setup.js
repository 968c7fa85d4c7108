/** Set the watchdog up: the Rescue Log, a chest for what has no owner any more, the journal's id in the macro. */

/** @import { RescueLog } from "./rescue-log.js" */
import { JOURNAL_NAME, logPage } from "./rescue-log.js";
import { PLACEHOLDER, findMacro, lootMacros, makeMacros } from "./macros.js";
import { MODULE_ID } from "../identity.js";

const CHEST_ICON = "icons/svg/chest.svg";

/**
 * @param {RescueLog} log
 * @param {{ memberName: string, key: string, options: () => object }} member
 * @returns {Promise<{ journalId: string, chestUuid: string, macro: string|null, isPlaced: boolean }>}
 *   isPlaced: the macro now names the journal, or did so before.
 */
export async function setUpLog(log, { memberName, key, options }) {
  const journal = log.journal ?? (await makeJournal(key, options()));
  if (!journal.flags?.world?.[key]) await log.merge({ pending: {}, phantoms: {} });
  const chest = (await chestOf(log)) ?? (await makeChest(options()));
  if (log.own.chest !== chest.uuid) await log.merge({ chest: chest.uuid });
  const [watchdog, ...others] = lootMacros(memberName);
  await makeMacros([watchdog, ...others], options());
  const macro = findMacro(watchdog);
  if (macro?.command.includes(PLACEHOLDER)) await macro.update({ command: macro.command.replaceAll(PLACEHOLDER, journal.id) }, options());
  const isPlaced = Boolean(macro?.command.includes(journal.id));
  return { journalId: journal.id, chestUuid: chest.uuid, macro: macro?.name ?? null, isPlaced };
}

/**
 * @param {RescueLog} log
 * @returns {Promise<any|null>}
 */
export async function chestOf(log) {
  const { chest } = log.own;
  return chest ? fromUuid(chest).catch(() => null) : null;
}

/**
 * @param {string} key
 * @param {object} options
 */
function makeJournal(key, options) {
  const JournalClass = /** @type {any} */ (getDocumentClass("JournalEntry"));
  const flags = { world: { [key]: { pending: {}, phantoms: {} } } };
  return JournalClass.create({ name: JOURNAL_NAME, ownership: { default: 0 }, flags, pages: [logPage()] }, options);
}

/**
 * An actor that only GMs see.
 * @param {object} options
 */
function makeChest(options) {
  const ActorClass = /** @type {any} */ (getDocumentClass("Actor"));
  const types = /** @type {string[]} */ (ActorClass.TYPES).filter((type) => type !== "base");
  const type = types.includes("npc") ? "npc" : types[0];
  const looks = { name: "Rescued Loot", img: CHEST_ICON, ownership: { default: 0 }, prototypeToken: { actorLink: true } };
  return ActorClass.create({ ...looks, type, flags: { [MODULE_ID]: { chest: true } } }, options);
}

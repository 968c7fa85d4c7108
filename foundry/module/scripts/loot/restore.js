/**
 * Give back what was lost: the recorded item, the missing amount, to the recorded recipient, once.
 *
 * A record is marked before anything is granted, with the id the item will have; a grant that was begun and cannot be
 * found is never repeated by itself.
 */

/** @import { LootRecord } from "./records.js" */
/** @import { RescueLog } from "./rescue-log.js" */
import { actorOf, holderOf } from "./piles.js";
import { currencies, quantityOf, quantityPath } from "./goods.js";
import { line, sentence } from "./telling.js";
import { MODULE_ID } from "../identity.js";

/**
 * @typedef {{ eventId: string, item: string, qty: number, recipient: string, createdId: string|null, note?: string }} Restored
 * @typedef {{ eventId: string, item?: string, reason: string }} Failed
 */

/** Why a record is not granted; the sentence is for the agent. */
class NotGranted extends Error {}

/**
 * @param {RescueLog} log
 * @param {{ eventIds?: string[], ackPhantoms?: string[] }} wanted
 * @returns {Promise<{ restored: Restored[], failed: Failed[], ackedPhantoms: string[] }>}
 * @throws {import("../errors.js").HandlerThrew}  When there is no Rescue Log.
 */
export async function restoreLoot(log, { eventIds = [], ackPhantoms = [] }) {
  const ids = eventIds.length ? [...new Set(eventIds)] : Object.keys(log.queue.pending);
  /** @type {Restored[]} */
  const restored = [];
  /** @type {Failed[]} */
  const failed = [];
  for (const id of ids) {
    const item = log.queue.pending[id]?.itemData.name;
    try {
      restored.push(await log.inTurn(() => restoreOne(log, id)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failed.push({ eventId: id, ...(item === undefined ? {} : { item }), reason });
    }
  }
  return { restored, failed, ackedPhantoms: await acknowledge(log, ackPhantoms, failed) };
}

/**
 * @param {RescueLog} log
 * @param {string} id
 * @returns {Promise<Restored>}
 */
async function restoreOne(log, id) {
  const record = log.queue.pending[id];
  if (!record) throw new NotGranted(whyNot(log, id));
  const actor = await recipientOf(record);
  const before = granted(actor, record);
  if (before !== null) return settle(log, record, actor, { createdId: before, note: "it had been granted before; only the list was behind" });
  if (record.status === "granting") {
    throw new NotGranted(
      `a restore was begun before and may have reached ${actor.name}, who does not hold it now: it is not granted a second time. ` +
        "If it never came, the GM clears the mark with game.modules.get(\"aagm\").api.lootWatchdog.clearMark(eventId)",
    );
  }
  if (await isBack(record)) {
    await log.remove("pending", [id]);
    throw new NotGranted(`it is back in ${record.pileName}: taken off the list`);
  }
  const grantId = foundry.utils.randomID();
  await log.patch(id, { status: "granting", grantId });
  const createdId = await grant(log, actor, { ...record, grantId });
  return settle(log, record, actor, { createdId });
}

/**
 * @param {RescueLog} log
 * @param {string} id
 */
function whyNot(log, id) {
  const { restored, phantoms } = log.queue;
  if (restored[id]) return `restored already, ${restored[id].restoredAt}`;
  if (phantoms[id]) return "a phantom: it can only be acknowledged, with ackPhantoms";
  return "no such event is pending";
}

/**
 * @param {LootRecord} record
 * @returns {Promise<any>}
 */
async function recipientOf({ recipientUuid, recipientName }) {
  if (!recipientUuid) throw new NotGranted("there is no recipient: the GM runs the macro that sets the Loot Watchdog up, which makes a chest");
  const found = await fromUuid(/** @type {any} */ (recipientUuid)).catch(() => null);
  const holder = found && holderOf(found);
  const actor = holder && actorOf(holder);
  if (!actor) throw new NotGranted(`the recipient ${recipientName ?? recipientUuid} is gone`);
  return actor;
}

/**
 * @param {any} actor
 * @param {LootRecord} record
 * @returns {string|null}  The id of what was granted, empty for coins; null when nothing was.
 */
function granted(actor, { eventId, kind }) {
  if (kind === "currency") return actor.flags?.[MODULE_ID]?.restored?.[eventId] ? "" : null;
  return actor.items.find((/** @type {any} */ item) => item.flags?.[MODULE_ID]?.restoredFrom === eventId)?.id ?? null;
}

/**
 * Somebody undid the loss, and nobody watched.
 * @param {LootRecord} record
 */
async function isBack({ pileUuid, itemData, hadQty }) {
  const pile = await fromUuid(/** @type {any} */ (pileUuid)).catch(() => null);
  const item = pile && actorOf(holderOf(pile) ?? pile)?.items?.get(itemData._id);
  return Boolean(item) && quantityOf(item._source) >= hadQty;
}

/**
 * @param {RescueLog} log
 * @param {any} actor
 * @param {LootRecord} record
 * @returns {Promise<string>}  As `granted` gives it.
 */
async function grant(log, actor, record) {
  const refused = async (/** @type {string} */ reason) => {
    await log.patch(record.eventId, { status: "pending" });
    return new NotGranted(reason);
  };
  try {
    if (record.kind === "currency") await giveCoins(actor, record);
    else await giveItem(actor, record);
  } catch (error) {
    if (granted(actor, record) === null) throw await refused(error instanceof Error ? error.message : String(error));
  }
  const id = granted(actor, record);
  if (id === null) throw await refused("another module or the system let nothing be granted");
  return id;
}

/**
 * @param {any} actor
 * @param {LootRecord} record
 */
async function giveItem(actor, { itemData, grantId, shortfall, eventId }) {
  const data = foundry.utils.deepClone(itemData);
  data._id = grantId;
  if (foundry.utils.hasProperty(data, quantityPath()) || shortfall !== 1) foundry.utils.setProperty(data, quantityPath(), shortfall);
  data.flags = { ...data.flags, [MODULE_ID]: { restoredFrom: eventId, restoredAt: new Date().toISOString() } };
  await actor.createEmbeddedDocuments("Item", [data], { keepId: true, keepEmbeddedIds: true });
}

/**
 * The coins and the mark that they were given are one write.
 * @param {any} actor
 * @param {LootRecord} record
 */
async function giveCoins(actor, { itemData, shortfall, eventId }) {
  const update = /** @type {Record<string, any>} */ ({ [`flags.${MODULE_ID}.restored.${eventId}`]: new Date().toISOString() });
  for (const { path, count } of coinsFor(shortfall, itemData.coins)) {
    update[path] = Number(foundry.utils.getProperty(actor, path) ?? 0) + count;
  }
  await actor.update(update);
}

/**
 * The sum in coins: those that were lost as far as they go, then whatever makes it up.
 * @param {number} sum  In the smallest coin.
 * @param {{ path: string, worth: number, count: number }[]} lost
 * @returns {{ path: string, count: number }[]}
 */
function coinsFor(sum, lost) {
  /** @type {Map<string, number>} */
  const given = new Map();
  let left = sum;
  const offers = [...lost, ...currencies().map((coin) => ({ ...coin, count: Infinity }))];
  for (const { path, worth, count } of offers) {
    const number = Math.min(count, Math.floor(left / worth));
    if (number <= 0) continue;
    given.set(path, (given.get(path) ?? 0) + number);
    left -= number * worth;
  }
  return [...given].map(([path, count]) => ({ path, count }));
}

/**
 * @param {RescueLog} log
 * @param {LootRecord} record
 * @param {any} actor
 * @param {{ createdId: string, note?: string }} what
 * @returns {Promise<Restored>}
 */
async function settle(log, record, actor, { createdId, note }) {
  const { eventId, itemData, shortfall } = record;
  const row = { eventId, item: itemData.name, qty: shortfall, recipient: actor.name, createdId: createdId || null };
  const restoredAt = new Date().toISOString();
  try {
    await log.settle(eventId, { ...record, status: "restored", restoredAt });
    await log.append(line(`${eventId}: granted to ${actor.name}: ${sentence(record)}`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...row, note: `granted; the Rescue Log could not be written: ${reason}` };
  }
  return note === undefined ? row : { ...row, note };
}

/**
 * @param {RescueLog} log
 * @param {string[]} ids
 * @param {Failed[]} failed
 * @returns {Promise<string[]>}
 */
async function acknowledge(log, ids, failed) {
  if (ids.length === 0) return [];
  return log.inTurn(async () => {
    const { phantoms } = log.queue;
    const known = ids.filter((id) => phantoms[id]);
    for (const id of ids) if (!phantoms[id]) failed.push({ eventId: id, reason: "no such phantom" });
    if (known.length === 0) return [];
    await log.remove("phantoms", known);
    await log.append(known.map((id) => line(`${id}: acknowledged: ${sentence(phantoms[id])}`)).join(""));
    return known;
  });
}

/** What the Rescue Log keeps of a loss, and how it is told. */

/** @import { Verdict } from "./ledger.js" */
import { COINS } from "./goods.js";

/**
 * @typedef {object} LootRecord
 * @property {string} eventId
 * @property {"item"|"currency"|"phantom"} kind
 * @property {"pending"|"granting"|"restored"|"acknowledged"} status
 * @property {"landed"|"lost"|"reverted"} [outcome]  Of a phantom.
 * @property {"post"|"document"} via  What told us: Item Piles, or the documents alone.
 * @property {string} cause
 * @property {Record<string, any>} itemData  Of coins: `{name, type, coins: [{name, path, worth, count}]}`.
 * @property {number} expectedQty  Coins are counted in the smallest coin.
 * @property {number} deliveredQty
 * @property {number} shortfall
 * @property {number} hadQty  What there was before.
 * @property {string} pileName
 * @property {string} pileUuid
 * @property {string|null} recipientName
 * @property {string|null} recipientUuid
 * @property {string|null} looterName
 * @property {string|null} looterId
 * @property {string|null} [landedItemUuid]
 * @property {string[]} [contents]  Of a pile that is none any more.
 * @property {string} [grantId]  The id the granted item has, chosen before it is made.
 * @property {string} [restoredAt]
 * @property {string} ts
 *
 * @typedef {{ uuid: string, name: string }|null} Recipient
 */

/** @returns {string} */
export function newEventId() {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return `lw-${Date.now()}-${random.toString(36).padStart(6, "0").slice(-6)}`;
}

/**
 * @param {Verdict} verdict
 * @param {"item"|"phantom"} kind
 * @param {Recipient} recipient
 * @returns {LootRecord}
 */
export function recordOf({ departure, movement, delivered, missing, arrivedAs }, kind, recipient) {
  const { entry, from, fromName, cause, userId } = departure;
  const looterId = movement?.userId ?? userId;
  const isCoins = entry.key === COINS;
  return {
    eventId: newEventId(),
    kind: isCoins ? "currency" : kind,
    status: "pending",
    via: movement ? "post" : "document",
    cause: movement && !movement.to ? movement.hook : cause,
    itemData: isCoins ? coinsData([/** @type {any} */ ({ ...entry.source, count: entry.quantity / entry.source.worth })]) : entry.source,
    expectedQty: entry.quantity,
    deliveredQty: delivered,
    shortfall: missing,
    hadQty: entry.had,
    pileName: fromName,
    pileUuid: from,
    recipientName: recipient?.name ?? null,
    recipientUuid: recipient?.uuid ?? null,
    looterName: (looterId && game.users.get(looterId)?.name) ?? null,
    looterId: looterId ?? null,
    ...(kind === "phantom" ? { outcome: missing > 0 ? "lost" : "landed", landedItemUuid: arrivedAs } : {}),
    ts: new Date().toISOString(),
  };
}

/**
 * A pile that is none any more, with what lies in it out of reach. Nothing is gone: it can only be acknowledged.
 * @param {{ uuid: string, name: string, contents: string[] }} pile
 * @returns {LootRecord}
 */
export function revertedRecord({ uuid, name, contents }) {
  return {
    eventId: newEventId(),
    kind: "phantom",
    status: "pending",
    outcome: "reverted",
    via: "document",
    cause: "pile reverted",
    itemData: { name, type: "pile" },
    contents,
    expectedQty: contents.length,
    deliveredQty: 0,
    shortfall: 0,
    hadQty: contents.length,
    pileName: name,
    pileUuid: uuid,
    recipientName: null,
    recipientUuid: null,
    looterName: null,
    looterId: null,
    landedItemUuid: null,
    ts: new Date().toISOString(),
  };
}

/**
 * Records of the same goods, from the same pile, to the same recipient, are one; coins of a pile are one purse.
 * @param {LootRecord[]} records
 * @param {(record: LootRecord) => string} keyOf
 * @returns {LootRecord[]}
 */
export function merged(records, keyOf) {
  /** @type {Map<string, LootRecord>} */
  const byKey = new Map();
  for (const record of records) {
    const key = JSON.stringify([record.kind, record.kind === "currency" ? COINS : keyOf(record), record.pileUuid, record.recipientUuid, record.outcome ?? null]);
    const known = byKey.get(key);
    if (!known) byKey.set(key, record);
    else {
      for (const sum of /** @type {const} */ (["expectedQty", "deliveredQty", "shortfall", "hadQty"])) known[sum] += record[sum];
      if (record.kind === "currency") known.itemData = coinsData([...known.itemData.coins, ...record.itemData.coins]);
    }
  }
  return [...byKey.values()];
}

/** @param {{ name: string, path: string, worth: number, count: number }[]} coins */
function coinsData(coins) {
  const kept = coins.map(({ name, path, worth, count }) => ({ name, path, worth, count }));
  return { name: kept.map(({ name, count }) => `${count} ${name}`).join(", "), type: COINS, coins: kept };
}

/**
 * The short form that the relay gets.
 * @param {LootRecord} record
 */
export function briefOf(record) {
  const { eventId, kind, outcome, itemData, expectedQty, deliveredQty, shortfall, cause, status, contents } = record;
  return {
    eventId,
    kind,
    ...(outcome && { outcome }),
    item: itemData.name,
    type: itemData.type,
    subType: itemData.system?.subType ?? null,
    expectedQty,
    deliveredQty,
    shortfall,
    ...(kind === "currency" && { unit: "smallest coin" }),
    recipient: record.recipientName,
    recipientUuid: record.recipientUuid,
    looter: record.looterName,
    pile: record.pileName,
    cause,
    ...(status === "granting" && { status }),
    ...(contents && { contents }),
    ts: record.ts,
  };
}

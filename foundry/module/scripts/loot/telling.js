/** What the game master is told of losses: a toast, a whisper, a block in the log. */

/** @import { LootRecord } from "./records.js" */
import { notice } from "../notices.js";

/**
 * @param {unknown} text
 * @returns {string}
 */
export function escaped(text) {
  const entities = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" });
  return String(text).replace(/[&<>"']/g, (each) => entities[each]);
}

/**
 * @param {string} text
 * @returns {string}  One line of the log.
 */
export function line(text) {
  return `<p><strong>${escaped(new Date().toISOString())}</strong> ${escaped(text)}</p>`;
}

/**
 * @param {LootRecord} record
 * @returns {string}  A block with everything that is needed to make the item again by hand.
 */
export function block(record) {
  return `${line(`${record.eventId}: ${sentence(record)}`)}<pre>${escaped(JSON.stringify(record.itemData, null, 2))}</pre>`;
}

/**
 * @param {LootRecord} record
 * @returns {string}
 */
export function sentence(record) {
  const { kind, outcome, itemData, pileName, recipientName, looterName, cause } = record;
  const goods = kind === "currency" ? itemData.name : `${amount(record)} × ${itemData.name}`;
  const by = looterName ? `, by ${looterName}` : "";
  const to = recipientName && recipientName !== pileName ? ` to ${recipientName}` : "";
  if (outcome === "reverted") return `${pileName} is no pile any more; in it lie ${(record.contents ?? []).join(", ")}`;
  if (outcome === "landed") return `${goods} is no loot and went from ${pileName}${to}${by}`;
  if (outcome === "lost") return `${goods} is no loot and was lost from ${pileName}${to} (${cause}${by})`;
  return `${goods} lost from ${pileName}${to} (${cause}${by})`;
}

/** @param {LootRecord} record */
function amount({ kind, expectedQty, shortfall }) {
  return kind === "phantom" ? expectedQty : shortfall;
}

/**
 * One toast and one whisper for all of them.
 * @param {LootRecord[]} records
 * @param {{ isPhantom: boolean, options: object }} how
 */
export async function tell(records, { isPhantom, options }) {
  if (records.length === 0) return;
  const key = isPhantom ? "AAGM.Loot.phantom" : "AAGM.Loot.lost";
  const message = game.i18n.format(key, { what: records.map(sentence).join("; ") });
  notice(isPhantom ? "warn" : "error", message, { permanent: true });
  const whisper = game.users.filter((/** @type {any} */ user) => user.isGM).map((/** @type {any} */ { id }) => id);
  const items = records.map((record) => `<li>${escaped(sentence(record))} <code>${escaped(record.eventId)}</code></li>`);
  const heading = escaped(game.i18n.localize(isPhantom ? "AAGM.Loot.phantomHeading" : "AAGM.Loot.lostHeading"));
  const MessageClass = /** @type {any} */ (getDocumentClass("ChatMessage"));
  await MessageClass.create({ content: `<p>${heading}</p><ul>${items.join("")}</ul>`, whisper }, options);
}

/** Item Piles' hook arguments, whose order differs between versions: told by what they are. */

/** @import { Movement } from "./ledger.js" */
import { holderOf } from "./piles.js";
import { kinOf, quantityOf } from "./goods.js";

/**
 * @typedef {object} Told
 * @property {any|null} source  A holder.
 * @property {any|null} target
 * @property {string|null} userId
 * @property {Movement["what"]} what
 */

/**
 * @param {unknown[]} args
 * @returns {Told}
 */
export function readArguments(args) {
  /** @type {any[]} */
  const holders = [];
  /** @type {string|null} */
  let userId = null;
  /** @type {Movement["what"]} */
  let what = null;
  for (const arg of args) {
    const holder = asHolder(arg);
    if (holder) holders.push(holder);
    else if (typeof arg === "string" && game.users.get(arg)) userId = arg;
    else what ??= goodsIn(arg);
  }
  const [source = null, target = null] = holders;
  return { source, target: target === source ? null : target, userId, what };
}

/** @param {unknown} arg */
function asHolder(arg) {
  if (typeof arg !== "string") return holderOf(arg);
  if (!arg.includes(".")) return null;
  try {
    return holderOf(fromUuidSync(/** @type {any} */ (arg)));
  } catch {
    return null; // no uuid, or of something that is gone
  }
}

/**
 * @param {any} arg  A list of items, of `{item, quantity}` or of `{_id, quantity}`; or one item's data.
 * @returns {Movement["what"]}  Null when it lists nothing at all; an empty list lists that nothing went.
 */
function goodsIn(arg) {
  if (Array.isArray(arg)) {
    const goods = arg.filter(isGoods);
    return goods.length || arg.length === 0 ? goods.map(partOf) : null;
  }
  return isGoods(arg) ? [partOf(arg)] : null;
}

/** @param {any} value */
function isGoods(value) {
  if (value === null || typeof value !== "object") return false;
  const item = value.item ?? value;
  return typeof item._id === "string" || (typeof item.name === "string" && typeof item.type === "string");
}

/** @param {any} value */
function partOf(value) {
  const item = value.item ?? value;
  const source = typeof item.toObject === "function" ? item.toObject() : item;
  const told = Number(value.quantity);
  const quantity = Number.isFinite(told) ? Math.abs(told) : quantityOf(source);
  return { id: item._id ?? item.id ?? null, kin: source.name ? kinOf(source) : null, quantity };
}

/**
 * The arithmetic every system shares: damage runs through pools in their order, each down to its floor.
 *
 * A pool is one number of an actor that damage can lower: temporary hit points, vigor, hit points.
 */

/**
 * @typedef {object} Pool
 * @property {string} name
 * @property {string} path  Where it is written, from the actor's root.
 * @property {number} value
 * @property {number} floor  Damage does not take it lower; `-Infinity` for none.
 */

/**
 * What an adapter reads from an actor. `main` and `temp` name the pools that the family's rows speak of.
 * @typedef {object} Reading
 * @property {Pool[]} pools  In the order in which they are hurt.
 * @property {string} main
 * @property {number|null} max  Of the main pool; null where the actor does not say.
 * @property {Record<string, any>} facts  What else the system's rule looks at.
 */

/**
 * @typedef {"up"|"disabled"|"unconscious"|"dying"|"dead"|"destroyed"} State
 * @typedef {{ amount: number, excess: number }} Blow  `excess`: what found no pool left to take it.
 */

/**
 * One system's knowledge. `read` looks at the live actor, the rest is arithmetic.
 * @typedef {object} Adapter
 * @property {(actor: any) => Reading} read
 * @property {(reading: Reading, blow: Blow) => State} judge
 */

/** A number that damage needs is not there, or is no number. */
export class Unreadable extends Error {
  /**
   * @param {string} path
   * @param {unknown} value
   */
  constructor(path, value) {
    super(value === undefined || value === null ? `${path} is missing` : `${path} is ${JSON.stringify(value)}, not a number`);
    this.path = path;
  }
}

/**
 * Read a number; a text that is one counts.
 * @param {any} actor
 * @param {string} path  From the actor's root.
 * @param {number} [fallback]  For a value that is not there.
 * @returns {number}
 * @throws {Unreadable}
 */
export function numberAt(actor, path, fallback) {
  const value = foundry.utils.getProperty(actor, path);
  const isBlank = value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  if (isBlank && fallback !== undefined) return fallback;
  const number = typeof value === "string" && !isBlank ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) throw new Unreadable(path, value);
  return number;
}

/**
 * Read a number that nothing hangs on.
 * @param {any} actor
 * @param {string} path
 * @returns {number|null}  Null where there is none.
 */
export function numberOrNull(actor, path) {
  const value = foundry.utils.getProperty(actor, path);
  const isText = typeof value === "string" && value.trim() !== "";
  const number = isText ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/**
 * Take damage.
 * @param {Reading} reading
 * @param {number} amount  Above 0.
 * @returns {{ reading: Reading, blow: Blow }}
 */
export function hurt(reading, amount) {
  let left = amount;
  const pools = reading.pools.map((pool) => {
    const taken = Math.min(left, Math.max(0, pool.value - pool.floor));
    left -= taken;
    return { ...pool, value: pool.value - taken };
  });
  return { reading: { ...reading, pools }, blow: { amount, excess: left } };
}

/**
 * The update that makes of one reading another.
 * @param {Reading} before
 * @param {Reading} after
 * @returns {Record<string, number>}
 */
export function updateBetween(before, after) {
  const changed = after.pools.filter((pool, i) => pool.value !== before.pools[i].value);
  return Object.fromEntries(changed.map(({ path, value }) => [path, value]));
}

/**
 * @param {Reading} reading
 * @param {string} name
 * @returns {number}  0 where the system has no such pool.
 */
export function valueOf(reading, name) {
  return reading.pools.find((pool) => pool.name === name)?.value ?? 0;
}

/** @param {State} state */
export function isLethal(state) {
  return state === "dead" || state === "destroyed";
}

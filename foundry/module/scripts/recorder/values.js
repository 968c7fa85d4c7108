/** Plain JSON values: cloning and comparing. Nothing here knows Foundry. */

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export function isPlain(value) {
  if (value === null || typeof value !== "object") return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isForeignObject(prototype);
}

/**
 * An object literal of another realm (a frame) has another `Object.prototype`.
 * @param {object} prototype
 */
function isForeignObject(prototype) {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function cloneJson(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return /** @type {T} */ (/** @type {unknown} */ (value.map(cloneJson)));
  if (!isPlain(value)) return /** @type {T} */ (plainForm(value));
  /** @type {Record<string, any>} */
  const out = {};
  const object = /** @type {Record<string, any>} */ (value);
  for (const key of Object.keys(object)) {
    const inner = object[key];
    if (inner !== undefined) out[key] = typeof inner === "object" ? cloneJson(inner) : inner;
  }
  return /** @type {T} */ (out);
}

/**
 * What JSON would make of an object that is none of its own (Set, Color, a class instance).
 * @param {object} value
 */
function plainForm(value) {
  if (value instanceof Set) return [...value].map(cloneJson);
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}

/**
 * JSON equality: key order does not matter, `true` is not 1, an undefined member is an absent one.
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
export function equalJson(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    return Number.isNaN(a) && Number.isNaN(b);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => equalJson(item, b[i]));
  }
  const left = /** @type {Record<string, unknown>} */ (a);
  const right = /** @type {Record<string, unknown>} */ (b);
  let count = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (right[key] === undefined || !equalJson(left[key], right[key])) return false;
    count += 1;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) count -= 1;
  return count === 0;
}

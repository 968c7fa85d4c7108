/**
 * Read and write a leaf path in a stored source.
 *
 * A part that meets an array names the element with that `_id`: the children of an unlinked token's delta.
 */

import { cloneJson, isPlain } from "./values.js";

/** @typedef {Record<string, any>} Source */

/**
 * @param {Source} source
 * @param {string} path
 * @returns {unknown}  Undefined when there is nothing.
 */
export function readPath(source, path) {
  /** @type {any} */
  let at = source;
  for (const part of path.split(".")) {
    if (at === null || typeof at !== "object") return undefined;
    at = Array.isArray(at) ? at.find((item) => item?._id === part) : own(at, part);
  }
  return at;
}

/**
 * @param {Source} object
 * @param {string} key
 */
function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Put a value at a path, or take the key away when the value is undefined; parents are made as needed.
 * @param {Source} source  Changed in place.
 * @param {string} path
 * @param {unknown} value
 */
export function writePath(source, path, value) {
  const parts = path.split(".");
  const last = /** @type {string} */ (parts.pop());
  /** @type {any} */
  let at = source;
  for (const part of parts) {
    let next = Array.isArray(at) ? at.find((item) => item?._id === part) : own(at, part);
    if (next === null || typeof next !== "object") {
      if (value === undefined) return;
      next = {};
      if (Array.isArray(at)) at.push(Object.assign(next, { _id: part }));
      else at[part] = next;
    }
    at = next;
  }
  if (Array.isArray(at)) writeElement(at, last, value);
  else if (value === undefined) delete at[last];
  else at[last] = cloneJson(value);
}

/**
 * @param {any[]} list
 * @param {string} id
 * @param {unknown} value
 */
function writeElement(list, id, value) {
  const place = list.findIndex((item) => item?._id === id);
  if (value === undefined) {
    if (place >= 0) list.splice(place, 1);
  } else if (place >= 0) list[place] = cloneJson(value);
  else list.push(cloneJson(value));
}

/**
 * Make nested objects of `{path: value}`, as an update wants them; no key holds a dot.
 * @param {Iterable<[string, unknown]>} leaves
 * @returns {Source}
 */
export function nest(leaves) {
  /** @type {Source} */
  const out = {};
  for (const [path, value] of leaves) writePath(out, path, value);
  return out;
}

/**
 * Is one path the other, or above it?
 * @param {string} above
 * @param {string} below
 */
export function covers(above, below) {
  return below === above || (below.startsWith(above) && below[above.length] === ".");
}

/**
 * What `path` is called inside the value at `above`.
 * @param {string} above
 * @param {string} path
 */
export function rest(above, path) {
  return path.slice(above.length + 1);
}

/**
 * A copy without any `_stats`, at any depth, except the two fields a client may set.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function withoutStats(value) {
  if (Array.isArray(value)) return /** @type {T} */ (/** @type {unknown} */ (value.map(withoutStats)));
  if (!isPlain(value)) return value;
  /** @type {Source} */
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key !== "_stats") out[key] = withoutStats(inner);
    else {
      const kept = keptStats(inner);
      if (kept) out._stats = kept;
    }
  }
  return /** @type {T} */ (out);
}

/** The fields of `_stats` that a client can write; Foundry's server owns the rest. */
export const KEPT_STATS = Object.freeze(["compendiumSource", "duplicateSource"]);

/**
 * @param {Source|null|undefined} stats
 * @returns {Source|null}  Null when neither is set.
 */
export function keptStats(stats) {
  /** @type {Source} */
  const out = {};
  for (const key of KEPT_STATS) if (stats?.[key]) out[key] = stats[key];
  return Object.keys(out).length ? out : null;
}

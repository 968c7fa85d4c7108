/**
 * What changed between two stored sources, leaf path by leaf path (WIRE section 4).
 *
 * A path ends above a key that holds a dot or begins like a deletion key, above an empty object, and where the kinds
 * differ: there the whole value is the leaf, because only a whole value can be put back exactly.
 */

/** @import { Change } from "../wire.js" */
import { cloneJson, equalJson, isPlain } from "./values.js";

/**
 * Which parts of a source an update may have touched: `true` the whole value, else by key.
 * @typedef {true|Map<string, any>} Touched
 */

/**
 * Read an update's changes as Foundry does: dotted keys, deletion (`-=`) and replacement (`==`) keys, v14's operator
 * objects.
 * @param {Record<string, any>} changes
 * @param {{ recursive?: boolean }} [options]
 * @returns {Map<string, Touched>}
 */
export function touchedBy(changes, { recursive = true } = {}) {
  /** @type {Map<string, Touched>} */
  const root = new Map();
  addTouched(root, changes, recursive);
  if (root.has("type") && root.has("system")) root.set("system", true);
  return root;
}

/**
 * @param {Map<string, Touched>} node
 * @param {Record<string, any>} changes
 * @param {boolean} recursive
 */
function addTouched(node, changes, recursive) {
  for (const [key, value] of Object.entries(changes)) {
    let at = node;
    const parts = key.split(".");
    const last = /** @type {string} */ (parts.pop());
    for (const part of parts) {
      const next = at.get(bareKey(part));
      if (next === true) break;
      const inner = next ?? new Map();
      at.set(bareKey(part), inner);
      at = inner;
    }
    const name = bareKey(last);
    const whole = name !== last || !recursive || !isPlain(value) || Object.keys(value).length === 0;
    const known = at.get(name);
    if (whole || known === true) at.set(name, true);
    else {
      const inner = known ?? new Map();
      at.set(name, inner);
      addTouched(inner, value, true);
    }
  }
}

/** @param {string} key */
function bareKey(key) {
  return key.startsWith("-=") || key.startsWith("==") ? key.slice(2) : key;
}

/**
 * The leaves in which two values differ, below `path`.
 * @param {unknown} before
 * @param {unknown} after
 * @param {string} path
 * @param {Change[]} out
 * @param {Touched} [touched]  Look only there.
 */
export function diffLeaves(before, after, path, out, touched = true) {
  if (isPlain(before) && isPlain(after) && isOpen(before) && isOpen(after)) {
    const keys = touched === true ? unionKeys(before, after) : touched.keys();
    for (const key of keys) {
      const inner = touched === true ? true : touched.get(key);
      diffLeaves(before[key], after[key], `${path}.${key}`, out, inner);
    }
    return;
  }
  if (!equalJson(before, after)) out.push(leaf(path, before, after));
}

/**
 * @param {string} path
 * @param {unknown} before
 * @param {unknown} after
 * @returns {Change}
 */
export function leaf(path, before, after) {
  /** @type {Change} */
  const change = { path };
  if (before !== undefined) change.before = cloneJson(before);
  if (after !== undefined) change.after = cloneJson(after);
  return change;
}

/**
 * Can a path go on below this object?
 * @param {Record<string, any>} object
 */
function isOpen(object) {
  let empty = true;
  for (const key of Object.keys(object)) {
    if (object[key] === undefined) continue;
    empty = false;
    if (key === "" || key.includes(".") || key.startsWith("-=") || key.startsWith("==")) return false;
  }
  return !empty;
}

/**
 * @param {Record<string, any>} a
 * @param {Record<string, any>} b
 * @returns {Set<string>}
 */
export function unionKeys(a, b) {
  const keys = new Set(Object.keys(a));
  for (const key of Object.keys(b)) keys.add(key);
  return keys;
}

/**
 * What a value will probably be after an update; the post hook says what it became.
 * @param {unknown} before
 * @param {unknown} change  As the update names it.
 * @returns {unknown}
 */
export function guessAfter(before, change) {
  if (!isPlain(change)) return isReplacement(change) ? /** @type {any} */ (change).value : change;
  if (Object.keys(change).length === 0) return before ?? {};
  /** @type {Record<string, any>} */
  const after = isPlain(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(change)) {
    const name = bareKey(key);
    const dot = name.indexOf(".");
    if (dot > 0) after[name.slice(0, dot)] = guessAfter(after[name.slice(0, dot)], { [name.slice(dot + 1)]: value });
    else if (key.startsWith("-=") || isDeletion(value)) delete after[name];
    else if (key.startsWith("==")) after[name] = value;
    else after[name] = guessAfter(after[name], value);
  }
  return after;
}

/**
 * v14's `_replace(value)`.
 * @param {any} value
 */
function isReplacement(value) {
  return value !== null && typeof value === "object" && value.constructor?.name === "ForcedReplacement";
}

/**
 * v14's `_del`.
 * @param {any} value
 */
function isDeletion(value) {
  return value !== null && typeof value === "object" && value.constructor?.name === "ForcedDeletion";
}

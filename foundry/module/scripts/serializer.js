/** Turn whatever evaluated code returned into JSON of bounded size, saying what was left out. */

import { cutStack } from "./errors.js";

/** The family's caps. */
export const CAPS = Object.freeze({ depth: 8, array: 500, text: 25_000, keys: 300, errorStack: 2000 });

/**
 * @param {unknown} value
 * @returns {{ valueType: string, value: unknown }}
 */
export function serialize(value) {
  return { valueType: typeName(value), value: plain(value, 0, new Set()) };
}

/**
 * @param {unknown} value
 * @returns {string}  null, array, the primitive's type, or the constructor's name.
 */
export function typeName(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "object") return typeof value;
  return constructorName(value);
}

/** @param {object} value */
function constructorName(value) {
  try {
    return String(value.constructor?.name || "Object");
  } catch {
    return "Object";
  }
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {Set<object>} above  The objects this one lies in.
 * @returns {unknown}
 */
function plain(value, depth, above) {
  switch (typeof value) {
    case "string":
      return cut(value, CAPS.text);
    case "number":
      return Number.isFinite(value) ? value : `[${value}]`;
    case "boolean":
      return value;
    case "undefined":
      return "[undefined]";
    case "bigint":
      return `${value}n`;
    case "symbol":
      return `[${String(value)}]`;
    case "function":
      return `[function ${value.name || "anonymous"}]`;
  }
  if (value === null) return null;
  const object = /** @type {object} */ (value);
  if (above.has(object)) return "[Circular]";
  const text = textForm(object);
  if (text !== undefined) return text;
  if (depth >= CAPS.depth) return `[max depth: ${typeName(object)}]`;
  above.add(object);
  try {
    return structure(object, depth + 1, above);
  } finally {
    above.delete(object);
  }
}

/**
 * @param {object} value
 * @returns {unknown}  Undefined when it is a structure to go into.
 */
function textForm(value) {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) {
    return { __error: value.name, message: value.message, stack: cutStack(value.stack).slice(0, CAPS.errorStack) };
  }
  return undefined;
}

/**
 * @param {object} value
 * @param {number} depth
 * @param {Set<object>} above
 */
function structure(value, depth, above) {
  if (Array.isArray(value)) return list(value, value.length, depth, above);
  if (value instanceof Set || isCollection(value)) return list([...value.values()], value.size, depth, above);
  if (value instanceof Map) return list([...value.entries()], value.size, depth, above);
  if (isDocument(value)) {
    const { documentName, uuid } = value;
    return { __doc: documentName, __uuid: uuid, ...record(value.toObject(), depth, above) };
  }
  return record(value, depth, above);
}

/**
 * @param {unknown[]} items
 * @param {number} size
 * @param {number} depth
 * @param {Set<object>} above
 */
function list(items, size, depth, above) {
  const out = items.slice(0, CAPS.array).map((item) => plain(item, depth, above));
  if (size > CAPS.array) out.push(`[… ${size - CAPS.array} more]`);
  return out;
}

/**
 * @param {object} value
 * @param {number} depth
 * @param {Set<object>} above
 * @returns {Record<string, unknown>}
 */
function record(value, depth, above) {
  /** @type {Record<string, unknown>} */
  const out = {};
  const keys = Object.keys(value);
  for (const key of keys.slice(0, CAPS.keys)) {
    let inner;
    try {
      inner = plain(/** @type {any} */ (value)[key], depth, above);
    } catch (thrown) {
      inner = `[getter threw: ${thrown instanceof Error ? thrown.message : thrown}]`;
    }
    Object.defineProperty(out, key, { value: inner, enumerable: true, configurable: true, writable: true });
  }
  if (keys.length > CAPS.keys) out.__truncatedKeys = keys.length - CAPS.keys;
  return out;
}

/**
 * @param {object} value
 * @returns {value is Map<string, unknown>}  One of Foundry's: a Map that iterates over its values.
 */
function isCollection(value) {
  const utils = /** @type {any} */ (globalThis).foundry?.utils;
  return value instanceof Map && typeof utils?.Collection === "function" && value instanceof utils.Collection;
}

/**
 * @param {any} value
 * @returns {value is { documentName: string, uuid: string, toObject(): Record<string, any> }}
 */
function isDocument(value) {
  try {
    return typeof value.documentName === "string" && typeof value.toObject === "function";
  } catch {
    return false; // a getter threw: whatever it is, it is no document
  }
}

/**
 * Cut a text, without leaving half a surrogate pair, and say how much is missing.
 * @param {string} text
 * @param {number} limit  UTF-16 units.
 */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const end = splitsPair(text, limit) ? limit - 1 : limit;
  return `${text.slice(0, end)}[… ${text.length - end} more characters]`;
}

/**
 * Would a cut before `index` part a surrogate pair?
 * @param {string} text
 * @param {number} index
 */
export function splitsPair(text, index) {
  const unit = text.charCodeAt(index - 1);
  const next = text.charCodeAt(index);
  return unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}

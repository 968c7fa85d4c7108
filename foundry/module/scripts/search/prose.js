/** What a person would read in a document's stored source: its descriptions, pages and commands. */

import { plainText } from "./words.js";

const MOST = 10_000; // characters of one document
const DEEPEST = 8;

/** Where no prose is: ids, pictures, rights, what belongs to modules, and the name, which is compared by itself. */
const PASSED_OVER = new Set(["_id", "_stats", "_key", "name", "img", "src", "flags", "ownership", "prototypeToken", "delta", "texture"]);

/**
 * @param {Record<string, unknown>} source
 * @param {ReadonlyMap<string, string>} children  Child collections, which are documents of their own.
 * @returns {string}  Plain text; empty when there is none.
 */
export function proseOf(source, children) {
  /** @type {string[]} */
  const found = [];
  let room = MOST;
  const visit = (/** @type {unknown} */ value, /** @type {number} */ depth) => {
    if (room <= 0) return;
    if (typeof value === "string") {
      if (!/\s/.test(value)) return; // a key, a path, a number
      const text = plainText(value.slice(0, room * 2)).slice(0, room);
      room -= text.length;
      if (text !== "") found.push(text);
    } else if (value !== null && typeof value === "object" && depth < DEEPEST) {
      for (const key in value) if (!PASSED_OVER.has(key)) visit(/** @type {any} */ (value)[key], depth + 1);
    }
  };
  for (const key in source) if (!PASSED_OVER.has(key) && !children.has(key)) visit(source[key], 1);
  return found.join(" · ");
}

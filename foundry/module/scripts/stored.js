/** JSON that a browser kept for us: by now it may be damaged, or of another shape. */

import { equalJson } from "./recorder/values.js";
import { notice } from "./notices.js";

/**
 * @param {string|null|undefined} text
 * @returns {unknown}  Undefined where there is nothing, or no JSON.
 */
export function parseStored(text) {
  try {
    return JSON.parse(text ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Read what holds the GM's own words. What of it cannot be used is set aside before anything is stored in its place.
 * @template T
 * @param {Pick<Storage, "getItem"|"setItem">|null} storage
 * @param {string} key
 * @param {(value: unknown) => T} sound  What of a value can be used; it takes anything.
 * @returns {T}
 */
export function readTyped(storage, key, sound) {
  const text = load(storage, key);
  const value = parseStored(text);
  const usable = sound(value);
  if (storage && text && text.trim() !== "null" && !equalJson(value, usable)) setAside(storage, key, text);
  return usable;
}

/**
 * @param {Pick<Storage, "getItem">|null} storage
 * @param {string} key
 */
function load(storage, key) {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null; // forbidden
  }
}

/**
 * @param {Pick<Storage, "getItem"|"setItem">} storage
 * @param {string} key
 * @param {string} text
 */
function setAside(storage, key, text) {
  const aside = `${key}.damaged`;
  const kept = (load(storage, aside) ?? "").split("\n").filter(Boolean); // JSON has no line break that it does not escape
  try {
    if (!kept.includes(text)) storage.setItem(aside, [...kept, text].join("\n"));
  } catch (thrown) {
    console.error(`AAGM | ${key} could not be set aside`, thrown);
  }
  notice("warn", game.i18n.format("AAGM.Toast.damaged", { key: aside }), { permanent: true });
}

/**
 * @param {Record<string, unknown>} value
 * @returns {Record<string, any>}  The members that are texts.
 */
export function textsIn(value) {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === "string"));
}

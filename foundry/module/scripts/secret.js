/** Keep the relay's token out of what evaluated code gives back: a dump of all settings would hold it. */

import { readOwn } from "./settings.js";

const HIDDEN = "[AAGM's token]";

/**
 * @template T
 * @param {T} value  JSON.
 * @returns {T}  The same without the token.
 */
export function withoutToken(value) {
  const token = readToken();
  return token ? /** @type {T} */ (without(value, token)) : value;
}

/** @returns {string} */
function readToken() {
  try {
    return readOwn("token") ?? "";
  } catch {
    return ""; // not registered: this client never had one
  }
}

/**
 * @param {unknown} value
 * @param {string} token
 * @returns {unknown}
 */
function without(value, token) {
  if (typeof value === "string") return value.includes(token) ? value.replaceAll(token, HIDDEN) : value;
  if (Array.isArray(value)) return value.map((each) => without(each, token));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [without(key, token), without(each, token)]));
}

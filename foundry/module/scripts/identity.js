/** Who we are. */

export const MODULE_ID = "aagm";

/** Whom we take the relay for until it has said so; a family relay never does. */
export const DEFAULT_MEMBER = "AAGM-K";

/**
 * 16 hex digits, made anew whenever the page loads and never stored: a duplicated tab is another instance.
 * `crypto.randomUUID` does not exist on plain http pages of a LAN; `getRandomValues` does.
 * @param {number} [bytes]
 * @returns {string}
 */
export function randomHex(bytes = 8) {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
}

/** What the settings window decides: pure. */

export const MODES = Object.freeze(/** @type {const} */ (["assistant", "cogm", "custom"]));

/** @typedef {typeof MODES[number]} Mode */

/**
 * @param {unknown} mode  As stored.
 * @returns {Mode}
 */
export function modeOf(mode) {
  return MODES.find((known) => known === mode) ?? "assistant";
}

/**
 * A preset locks the multitasking box.
 * @param {Mode} mode
 * @param {boolean} stored  What Custom has.
 * @returns {{ isLocked: boolean, value: boolean }}
 */
export function multitaskingOf(mode, stored) {
  return mode === "custom" ? { isLocked: false, value: stored } : { isLocked: true, value: mode === "cogm" };
}

/**
 * Six digits, with or without a space.
 * @param {string} text
 * @returns {string|null}
 */
export function codeOf(text) {
  const digits = text.replace(/\s/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
}

/**
 * How things stand with the pairing.
 * @param {{ connected: boolean, code: string, hasToken: boolean, hasTried: boolean }} facts  code: the reason's.
 * @returns {"paired"|"notNeeded"|"checking"|"refused"|"missing"|"kept"|"none"}
 */
export function pairingOf({ connected, code, hasToken, hasTried }) {
  if (connected) return hasToken ? "paired" : "notNeeded";
  if (code === "code_refused") return "refused";
  if (code === "not_paired") return hasTried ? "refused" : "missing";
  if (hasTried && code === "connecting") return "checking";
  return hasToken ? "kept" : "none";
}

/**
 * Why the module is not connected, in words, with the cure. Every state has a reason; texts are in lang/en.json under
 * `AAGM.Reason.<code>`.
 */

/** @import { Reason } from "./wire.js" */
import { CLOSES, CODES } from "./wire.js";

/** Every code there is. */
export const REASON_CODES = Object.freeze([
  "bad_address",
  "blocked_by_browser",
  "closed",
  "code_refused",
  "connecting",
  "disabled",
  "duplicate",
  "hints",
  "iframe",
  "no_answer",
  "not_gm",
  "not_loopback",
  "not_paired",
  "origin_refused",
  "owned_elsewhere",
  "permission_denied",
  "permission_prompt",
  "public_http",
  "refused",
  "relay_down",
  "taken_over",
  "too_large",
  "version_mismatch",
]);

/**
 * @param {string} code
 * @param {Record<string, any>} [data]  Fills the text's places.
 * @returns {Reason}
 */
export function reason(code, data = {}) {
  return { code, message: text(`AAGM.Reason.${code}.message`, { ...data, why: sentence(data.why) }).trim(), fix: text(`AAGM.Reason.${code}.fix`, data) };
}

/**
 * What the relay gave as its reason, as a sentence of its own; empty when it gave none.
 * @param {string} [why]
 * @returns {string}
 */
function sentence(why = "") {
  return why && `${why[0].toUpperCase()}${why.slice(1).replace(/\.$/, "")}.`;
}

/**
 * @param {string} key
 * @param {Record<string, any>} data
 * @returns {string}
 */
function text(key, data) {
  const i18n = /** @type {any} */ (globalThis).game?.i18n;
  return i18n ? i18n.format(key, data) : key;
}

/** What is to happen after a socket closed. */
export const AFTER = Object.freeze({ retry: "retry", ask: "ask", off: "off" });

/**
 * What a close, and the error that came before it, mean (WIRE section 3).
 *
 * `off` stays off until the GM changes something, `ask` waits for the GM and says so, everything else is tried again.
 * @param {number} close  The close code, 1006 when there was none.
 * @param {{ code?: number, message?: string, data?: any }} [error]  The relay's answer to hello, when it refused.
 * @param {boolean} [gaveCode]  The hello held a pairing code.
 * @returns {{ after: string, code: string, data: Record<string, any> }}
 */
export function meaningOf(close, error, gaveCode = false) {
  const { retry, ask, off } = AFTER;
  const data = { close, why: error?.message ?? "", ...error?.data };
  switch (error?.code) {
    case CODES.pairingRequired:
      return { after: ask, code: gaveCode && data.why ? "code_refused" : "not_paired", data };
    case CODES.versionMismatch:
      return { after: off, code: "version_mismatch", data };
    case CODES.notGm:
      return { after: ask, code: "not_gm", data };
    case CODES.tooLarge:
      return { after: retry, code: "too_large", data };
  }
  switch (close) {
    case CLOSES.disabled:
      return { after: off, code: "disabled", data };
    case CLOSES.versionMismatch:
      return { after: off, code: "version_mismatch", data };
    case CLOSES.helloRefused:
      return { after: ask, code: "refused", data };
    case CLOSES.pairingRequired:
      return { after: ask, code: "not_paired", data };
    case CLOSES.takenOver:
      return { after: ask, code: "taken_over", data };
    case CLOSES.duplicate:
      return { after: retry, code: "duplicate", data };
    case CLOSES.notLoopback:
      return { after: retry, code: "not_loopback", data };
    case CLOSES.tooLarge:
      return { after: retry, code: "too_large", data };
    case CLOSES.helloNotFirst:
    case CLOSES.noHello:
      return { after: retry, code: "closed", data };
    default:
      if (error) return { after: ask, code: "refused", data };
      return { after: retry, code: "closed", data };
  }
}

/**
 * What the browser tells about a dial that never opened.
 * @typedef {object} DialFacts
 * @property {string} permission  State of the loopback permission: granted, prompt, denied, or unknown.
 * @property {boolean} isSecure
 * @property {boolean} isLocal  The page's own address needs no permission, whatever the state says.
 * @property {boolean} isFramed
 * @property {boolean} wasBlocked  The WebSocket constructor threw.
 * @property {number} failures  Dials that failed in a row.
 */

/**
 * @param {DialFacts} facts
 * @returns {string}  A reason's code.
 */
export function meaningOfDial({ permission, isSecure, isLocal, isFramed, wasBlocked, failures }) {
  if (wasBlocked) return "blocked_by_browser";
  if (isLocal && !isFramed) return failures < 3 ? "relay_down" : "hints";
  if (permission === "denied") return isFramed ? "iframe" : isSecure ? "permission_denied" : "public_http";
  if (permission === "prompt") return isFramed ? "iframe" : "permission_prompt";
  return failures < 3 ? "relay_down" : "hints";
}

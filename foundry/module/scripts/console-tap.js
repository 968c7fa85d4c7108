/** Listen to the console without taking it away from anybody. */

/** @import { ConsoleLine } from "./wire.js" */
import { cut, serialize } from "./serializer.js";

export const LEVELS = Object.freeze(["log", "info", "warn", "error", "debug"]);

const MESSAGE_LIMIT = 4000;

/** @type {Set<(line: ConsoleLine) => void>} */
const listeners = new Set();

/** @type {(() => void)|null} */
let remove = null;

let isTelling = false;

/**
 * Call `listener` for every console line until the returned function is called.
 * @param {(line: ConsoleLine) => void} listener
 * @returns {() => void}
 */
export function tapConsole(listener) {
  listeners.add(listener);
  remove ??= install();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      remove?.();
      remove = null;
    }
  };
}

/** @returns {() => void} */
function install() {
  const page = /** @type {Record<string, any>} */ (/** @type {unknown} */ (console));
  /** @type {[string, Function, Function][]} */
  const replaced = [];
  for (const level of LEVELS) {
    const original = page[level];
    if (typeof original !== "function") continue;
    const tapped = (/** @type {unknown[]} */ ...args) => {
      original.apply(console, args);
      tell(level, args);
    };
    page[level] = tapped;
    replaced.push([level, original, tapped]);
  }
  return () => {
    // Another module may have wrapped ours meanwhile: then ours stays, and tells nobody.
    for (const [level, original, tapped] of replaced) if (page[level] === tapped) page[level] = original;
  };
}

/**
 * @param {string} level
 * @param {unknown[]} args
 */
function tell(level, args) {
  if (isTelling || listeners.size === 0) return; // what a listener itself logs is not told
  isTelling = true;
  try {
    const line = { level, ts: Date.now(), source: "console", msg: cut(args.map(asText).join(" "), MESSAGE_LIMIT) };
    for (const listener of listeners) listener(line);
  } finally {
    isTelling = false;
  }
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function asText(value) {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
    return JSON.stringify(serialize(value).value);
  } catch {
    return "[unreadable]"; // whoever logs it must not hear of that
  }
}

/** What the page writes to its console, told to the relay while it asks for it. */

/** @import { Timers } from "./timers.js" */
import { LEVELS, tapConsole } from "./console-tap.js";
import { cut } from "./serializer.js";
import { BadParams } from "./errors.js";

const MESSAGE_LIMIT = 4000; // characters
const BURST = 500; // lines a second; more is counted, not sent

/**
 * `logs.entry`, notification, module → relay.
 * @typedef {{ level: string, timestamp: string, source: string, message: string }} LogEntry
 */

/**
 * One subscription of one connection.
 *
 * It ends with the connection, and sending never makes new lines: what cannot be sent is dropped in silence, and what
 * is logged while a line is sent is not told.
 */
export class LogTail {
  #notify;
  #now;
  #after;
  #cancel = () => {};
  #stop = () => {};
  #isSending = false;
  #second = 0;
  #sent = 0;
  #leftOut = 0;

  /** @param {{ notify: (entry: LogEntry) => unknown, timers: Pick<Timers, "after">, now?: () => number }} parts */
  constructor({ notify, timers, now = Date.now }) {
    this.#notify = notify;
    this.#now = now;
    this.#after = timers.after;
  }

  /**
   * Begin, or go on with other levels and another filter.
   * @param {{ levels?: string[], filter?: string }} wanted  `filter` is a regular expression; only family relays send one.
   * @throws {BadParams}
   */
  subscribe({ levels, filter }) {
    const wants = makeFilter(levels, filter);
    this.unsubscribe();
    const tell = (/** @type {{ level: string, source: string, message: string }} */ line) => {
      if (wants(line)) this.#send(line);
    };
    const release = tapConsole(({ level, msg }) => tell({ level, source: "console", message: msg }));
    const failed = (/** @type {any} */ event) => tell(uncaught("window.error", event.error ?? event.message));
    const rejected = (/** @type {any} */ event) => tell(uncaught("unhandledrejection", event.reason));
    globalThis.addEventListener?.("error", failed);
    globalThis.addEventListener?.("unhandledrejection", rejected);
    this.#stop = () => {
      release();
      globalThis.removeEventListener?.("error", failed);
      globalThis.removeEventListener?.("unhandledrejection", rejected);
    };
  }

  /** Stop; also when nothing was subscribed. */
  unsubscribe() {
    this.#stop();
    this.#stop = () => {};
    this.#sendLeftOut();
  }

  /** @param {{ level: string, source: string, message: string }} line */
  #send(line) {
    this.#alone(() => this.#tell(line));
  }

  #sendLeftOut() {
    this.#alone(() => this.#tellLeftOut());
  }

  /** @param {() => void} tell */
  #alone(tell) {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      tell();
    } catch {
      // The socket went away; its subscription ends with it.
    } finally {
      this.#isSending = false;
    }
  }

  /** @param {{ level: string, source: string, message: string }} line */
  #tell({ level, source, message }) {
    const now = this.#now();
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sent = 0;
    }
    if (this.#sent >= BURST) {
      if (this.#leftOut === 0) this.#cancel = this.#after(1000 - (now % 1000), () => this.#sendLeftOut());
      this.#leftOut += 1;
      return;
    }
    this.#sent += 1;
    this.#tellLeftOut();
    this.#notify({ level, timestamp: new Date(now).toISOString(), source, message });
  }

  /** Say how many are missing: before the next line, and where none follows when the second is over. */
  #tellLeftOut() {
    this.#cancel();
    if (this.#leftOut === 0) return;
    const message = `${this.#leftOut} lines were left out: the page logs more than ${BURST} a second`;
    this.#leftOut = 0;
    this.#notify({ level: "warn", timestamp: new Date(this.#now()).toISOString(), source: "console", message });
  }
}

/**
 * @param {string[]|undefined} levels
 * @param {string|undefined} filter
 * @returns {(line: { level: string, message: string }) => boolean}
 * @throws {BadParams}
 */
function makeFilter(levels, filter) {
  const wanted = new Set(levels ?? LEVELS);
  for (const level of wanted) if (!LEVELS.includes(level)) throw new BadParams(`no level is called ${level}`);
  if (filter === undefined) return ({ level }) => wanted.has(level);
  const pattern = compile(filter);
  return ({ level, message }) => wanted.has(level) && pattern.test(message);
}

/** @param {string} filter */
function compile(filter) {
  try {
    return new RegExp(filter);
  } catch (thrown) {
    throw new BadParams(`filter: ${/** @type {Error} */ (thrown).message}`);
  }
}

/**
 * @param {string} source
 * @param {unknown} thrown
 */
function uncaught(source, thrown) {
  const message = thrown instanceof Error ? (thrown.stack ?? `${thrown.name}: ${thrown.message}`) : String(thrown);
  return { level: "error", source, message: cut(message, MESSAGE_LIMIT) };
}

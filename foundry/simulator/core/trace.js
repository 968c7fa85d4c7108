/** The log of what happened, step by step, on every client and on the server. */

/** Every step of an operation, in order, and the queries tests ask of it. */
export class TraceLog {
  #clock;
  #sequence = 0;

  /**
   * @param {{now(): number}} clock
   * @param {number} [limit] Entries kept; the older half goes when it is reached.
   */
  constructor(clock, limit = 200_000) {
    this.#clock = clock;
    this.limit = limit;
    this.entries = [];
  }

  /** Append one step. */
  add(client, phase, fields = {}) {
    if (this.entries.length >= this.limit) this.entries.splice(0, this.limit / 2);
    this.#sequence += 1;
    this.entries.push({ seq: this.#sequence, t: this.#clock.now(), client, phase, ...fields });
  }

  /** The number of the last step: a mark to ask from. */
  get mark() {
    return this.#sequence;
  }

  /** Steps after a mark that match. */
  since(mark, match = {}) {
    return this.entries.filter((entry) => entry.seq > mark && matches(entry, match));
  }

  clear() {
    this.entries.length = 0;
  }
}

/** Tell whether an entry has these values; a function is asked, a RegExp tested. */
export function matches(entry, match) {
  return Object.entries(match).every(([key, wanted]) => {
    if (typeof wanted === "function") return wanted(entry[key], entry);
    if (wanted instanceof RegExp) return wanted.test(String(entry[key]));
    return entry[key] === wanted;
  });
}

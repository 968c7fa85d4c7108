/**
 * The bookkeeping of the watchdog: what left a pile must come to somebody. Nothing here knows Foundry.
 *
 * What left waits a while. Then it is set against what came shortly before or meanwhile: first where Item Piles said it
 * went, then anywhere. What is still missing is lost.
 */

/** @import { Entry } from "./goods.js" */

export const WINDOW = 4000; // ms that goods may take to arrive
export const EARLIER = 8000; // ms by which they may have come before they left

/**
 * @typedef {object} Departure
 * @property {number} at
 * @property {string} from  The holder's uuid.
 * @property {string} fromName
 * @property {Entry & { had: number }} entry  Its `quantity` is what left, of what it had.
 * @property {string} cause
 * @property {string|null} userId  Who did it.
 * @property {boolean} isGone  The pile went, not something from it.
 * @property {number} [order]  Which line of the book it is.
 *
 * @typedef {{ at: number, to: string, id: string, key: string, kin: string, quantity: number, itemUuid: string|null, order?: number }} Arrival
 *
 * @typedef {object} Movement  What Item Piles said.
 * @property {number} at
 * @property {string} hook
 * @property {string} from
 * @property {string|null} to  Null: it was taken away.
 * @property {string|null} userId
 * @property {{ id: string|null, kin: string|null, quantity: number }[]|null} what  Null: everything.
 *
 * @typedef {object} Verdict
 * @property {Departure} departure
 * @property {Movement|null} movement
 * @property {number} delivered
 * @property {number} missing
 * @property {string|null} arrivedAs  Uuid of the item that it became.
 *
 * @typedef {{ departures: Departure[], arrivals: Arrival[], movements: Movement[] }} Book
 *
 * @typedef {{ verdict: Verdict, part: { quantity: number }|null }} Case  `part`: what of the movement it used up.
 */

/** One watch's book. */
export class Ledger {
  #written = 0;
  /** @type {Departure[]} */
  departures = [];
  /** @type {Arrival[]} */
  arrivals = [];
  /** @type {Movement[]} */
  movements = [];

  /** @param {Departure} departure */
  left(departure) {
    this.departures.push({ ...departure, order: ++this.#written });
  }

  /** @param {Arrival} arrival */
  came(arrival) {
    this.arrivals.push({ ...arrival, order: ++this.#written });
  }

  /** @param {Movement} movement */
  moved(movement) {
    this.movements.push(movement);
  }

  /** @returns {number|null}  When the next verdict is due; null when nothing waits. */
  get due() {
    return this.departures.length ? Math.min(...this.departures.map(({ at }) => at)) + WINDOW : null;
  }

  /** @returns {Book}  What a reload must not forget. */
  toJSON() {
    const { departures, arrivals, movements } = this;
    return { departures, arrivals, movements };
  }

  /** @param {Book} book */
  goOn({ departures, arrivals, movements }) {
    Object.assign(this, { departures, arrivals, movements });
    this.#written = Math.max(0, ...[...departures, ...arrivals].map(({ order }) => order ?? 0));
  }

  /**
   * Judge what has waited long enough. What has not keeps what Item Piles said is its own.
   * @param {number} now
   * @returns {Verdict[]}
   */
  judge(now) {
    const rest = new Map(this.arrivals.map((arrival) => [arrival, arrival.quantity]));
    const cases = this.#cases();
    const isDue = (/** @type {Case} */ { verdict }) => verdict.departure.at + WINDOW <= now;
    for (const each of cases) {
      if (each.verdict.movement?.to) this.#take(each.verdict, rest, { anywhere: false, isFinal: isDue(each) });
    }
    const due = cases.filter(isDue);
    for (const { verdict } of due) this.#take(verdict, rest, { anywhere: true, isFinal: true });
    for (const { verdict, part } of due) if (part) part.quantity -= verdict.departure.entry.quantity;
    this.departures = this.departures.filter(({ at }) => at + WINDOW > now);
    this.#forget(now);
    return due.map(({ verdict }) => verdict);
  }

  /** @returns {Case[]}  Every open departure with the movement that fits it best. */
  #cases() {
    const parts = this.movements.flatMap((movement) => partsOf(movement));
    return this.departures.map((departure) => {
      const { from, at, entry, isGone } = departure; // a pile that went was not moved
      const fitting = parts.filter(
        ({ movement, part, left }) => !isGone && movement.from === from && Math.abs(movement.at - at) <= EARLIER && names(part, entry) && left > 0,
      );
      const same = fitting.filter(({ left }) => left === entry.quantity);
      const best = same.find(({ movement }) => movement.at >= at) ?? fitting.find(({ movement }) => movement.at >= at) ?? same[0] ?? fitting[0];
      if (best) best.left -= entry.quantity;
      const movement = best?.movement ?? null;
      return { verdict: { departure, movement, delivered: 0, missing: entry.quantity, arrivedAs: null }, part: best?.part ?? null };
    });
  }

  /**
   * @param {Verdict} verdict
   * @param {Map<Arrival, number>} rest  What is not spoken for.
   * @param {{ anywhere: boolean, isFinal: boolean }} how  isFinal: it is used up.
   */
  #take(verdict, rest, { anywhere, isFinal }) {
    const { departure, movement } = verdict;
    const { at, from, entry } = departure;
    // What came to this place and left it again cannot have come from it.
    const isItself = (/** @type {Arrival} */ { id, to, order = 0 }) => to === from && id === entry.id && order < (departure.order ?? 0);
    const fits = (/** @type {Arrival} */ arrival) =>
      arrival.kin === entry.kin &&
      arrival.at >= at - EARLIER &&
      arrival.at <= at + WINDOW &&
      (anywhere || arrival.to === movement?.to || arrival.to === from) &&
      !isItself(arrival);
    const fitting = this.arrivals.filter(fits);
    const alike = fitting.filter(({ key }) => key === entry.key);
    for (const arrival of new Set([...alike, ...fitting])) {
      const taken = Math.min(verdict.missing, rest.get(arrival) ?? 0);
      if (taken <= 0) continue;
      rest.set(arrival, (rest.get(arrival) ?? 0) - taken);
      if (isFinal) arrival.quantity -= taken;
      verdict.missing -= taken;
      verdict.delivered += taken;
      verdict.arrivedAs ??= arrival.itemUuid;
    }
  }

  /** @param {number} now */
  #forget(now) {
    const oldest = Math.min(now - WINDOW, ...this.departures.map(({ at }) => at)) - EARLIER;
    this.arrivals = this.arrivals.filter(({ at, quantity }) => quantity > 0 && at >= oldest);
    this.movements = this.movements.filter(({ at }) => at >= oldest);
  }
}

/**
 * @param {Movement} movement
 * @returns {{ movement: Movement, part: any, left: number }[]}
 */
function partsOf(movement) {
  if (movement.what === null) return [{ movement, part: null, left: Infinity }];
  return movement.what.map((part) => ({ movement, part, left: part.quantity }));
}

/**
 * @param {{ id: string|null, kin: string|null }|null} part
 * @param {Entry} entry
 */
function names(part, entry) {
  return part === null || part.id === entry.id || (part.kin !== null && part.kin === entry.kin);
}

/**
 * What differs between two stocks. An item that was only renamed is the same goods.
 * @param {Map<string, Entry>} before
 * @param {Map<string, Entry>} after
 * @returns {{ left: (Entry & { had: number })[], came: Entry[] }}  Entries with the difference as their quantity.
 */
export function compareStocks(before, after) {
  /** @type {(Entry & { had: number })[]} */
  const left = [];
  /** @type {Entry[]} */
  const came = [];
  for (const entry of before.values()) {
    const kept = after.get(entry.id)?.quantity ?? 0;
    if (kept < entry.quantity) left.push({ ...entry, quantity: entry.quantity - kept, had: entry.quantity });
  }
  for (const entry of after.values()) {
    const had = before.get(entry.id)?.quantity ?? 0;
    if (had < entry.quantity) came.push({ ...entry, quantity: entry.quantity - had });
  }
  return { left, came };
}

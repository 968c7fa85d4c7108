/** The Rescue Log: a journal that keeps the queue of what was lost in its flags, and a log in a page. */

/** @import { LootRecord } from "./records.js" */
import { HandlerThrew } from "../errors.js";

export const JOURNAL_NAME = "ItemPile Rescue Log";
export const PAGE_NAME = "Session Log";

const KEYS = Object.freeze(["aagm-k-loot-rescue", "aagm-g-loot-rescue"]);
const LEGACY_KEY = "itempile-rescue-pending";
const MOST_RESTORED = 100; // records kept of what was granted

/**
 * What the journal's flag holds.
 * @typedef {object} Queue
 * @property {Record<string, LootRecord>} pending
 * @property {Record<string, LootRecord>} phantoms
 * @property {Record<string, LootRecord>} restored  Ours: what was granted, so that it never is again.
 */

/** The journal, whoever's member made it. Writes follow each other. */
export class RescueLog {
  /** @type {Promise<unknown>} */
  #chain = Promise.resolve();
  #parts;

  /**
   * @param {object} parts
   * @param {() => string} parts.key  The flag of our member, `aagm-k-loot-rescue`.
   * @param {() => object} parts.options  Of every write: neither recorded nor refused.
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** @returns {any|null} */
  get journal() {
    const journals = /** @type {any[]} */ (game.journal.contents);
    const keys = [this.#parts.key(), ...KEYS];
    const flagged = keys.map((key) => journals.find(({ flags }) => flags?.world?.[key])).find(Boolean);
    return flagged ?? journals.find(({ name }) => name === JOURNAL_NAME) ?? null;
  }

  /**
   * @returns {any}
   * @throws {HandlerThrew}
   */
  get #needed() {
    const { journal } = this;
    if (!journal) throw new HandlerThrew("there is no Rescue Log: the GM runs the macro that sets the Loot Watchdog up");
    return journal;
  }

  /**
   * @returns {Queue}  Of all members together.
   * @throws {HandlerThrew}  When there is no journal.
   */
  get queue() {
    const flags = this.#needed.flags?.world ?? {};
    const queue = { pending: {}, phantoms: {}, restored: {} };
    for (const key of [...KEYS, this.#parts.key()]) {
      for (const part of /** @type {const} */ (["pending", "phantoms", "restored"])) Object.assign(queue[part], flags[key]?.[part]);
    }
    return queue;
  }

  /** @returns {number}  Entries of an older watchdog, which nobody here can read. */
  get legacyCount() {
    const legacy = this.#needed.flags?.world?.[LEGACY_KEY];
    return legacy && typeof legacy === "object" ? Object.keys(legacy).length : 0;
  }

  /** @returns {any}  Our own part of the flags. */
  get own() {
    return this.journal?.flags?.world?.[this.#parts.key()] ?? {};
  }

  /**
   * Do a piece of work when everything before it is written; what fails stops nothing that follows.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  inTurn(work) {
    const turn = this.#chain.then(work);
    this.#chain = turn.catch(() => {});
    return turn;
  }

  /**
   * Merge into our part of the flags.
   * @param {Record<string, any>} changes
   */
  async merge(changes) {
    await this.#needed.update({ flags: { world: { [this.#parts.key()]: changes } } }, this.#parts.options());
  }

  /**
   * Change a pending record where it lies.
   * @param {string} id
   * @param {Partial<LootRecord>} changes
   */
  async patch(id, changes) {
    const world = this.#needed.flags?.world ?? {};
    const key = [this.#parts.key(), ...KEYS].find((each) => world[each]?.pending?.[id]) ?? this.#parts.key();
    await this.#needed.update({ flags: { world: { [key]: { pending: { [id]: changes } } } } }, this.#parts.options());
  }

  /**
   * Take records out of the queue, in whichever part they lie.
   * @param {"pending"|"phantoms"|"restored"} part
   * @param {string[]} ids
   * @param {Record<string, any>} [besides]  What our own part gains in the same write.
   */
  async remove(part, ids, besides = {}) {
    const journal = this.#needed;
    const world = journal.flags?.world ?? {};
    const nested = { [this.#parts.key()]: { ...besides } };
    for (const key of new Set([...KEYS, this.#parts.key()])) {
      const gone = ids.filter((id) => world[key]?.[part]?.[id]);
      if (gone.length) nested[key] = { ...nested[key], [part]: deletions(gone) };
    }
    await journal.update({ flags: { world: nested } }, this.#parts.options());
  }

  /**
   * Granted: out of the queue, into what is never granted again, in one write.
   * @param {string} id
   * @param {LootRecord} record
   */
  async settle(id, record) {
    const { restored = {} } = this.own;
    const oldest = Object.keys(restored).sort((a, b) => (restored[a].restoredAt < restored[b].restoredAt ? -1 : 1));
    const surplus = oldest.slice(0, Math.max(0, oldest.length + 1 - MOST_RESTORED));
    await this.remove("pending", [id], { restored: { ...deletions(surplus), [id]: record } });
  }

  /**
   * @param {string} html
   */
  async append(html) {
    const journal = this.#needed;
    const options = this.#parts.options();
    const page = journal.pages.contents.find((/** @type {any} */ { name }) => name === PAGE_NAME);
    if (page) await page.update({ "text.content": `${page.text?.content ?? ""}${html}` }, options);
    else await journal.createEmbeddedDocuments("JournalEntryPage", [logPage(html)], options);
  }
}

/** @param {string} html */
export function logPage(html = "") {
  return { name: PAGE_NAME, type: "text", text: { content: `<h1>Loot Watchdog</h1>${html}`, format: 1 } };
}

/**
 * @param {string[]} keys
 * @returns {Record<string, any>}
 */
function deletions(keys) {
  const operator = /** @type {any} */ (globalThis)._del; // from 14 on
  return Object.fromEntries(keys.map((key) => (operator === undefined ? [`-=${key}`, null] : [key, operator])));
}

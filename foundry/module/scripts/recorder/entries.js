/** What one recording tells: numbered raw entries, each an intent, what became of it, or what could not be held. */

/** @import { RecordedPoint, Uncovered } from "../wire.js" */
/** @import { EntryStream } from "./stream.js" */
/** @import { Intent } from "./intents.js" */

/** The entries of one point, in the order in which they are told. */
export class Entries {
  /** @type {any[]|null}  Every raw entry, where the relay does not keep them. */
  raw;
  #stream;
  #pointId;
  /** @type {Set<string>} */
  #uncovered = new Set();

  /**
   * @param {RecordedPoint} rp
   * @param {EntryStream} stream
   */
  constructor(rp, stream) {
    this.#stream = stream;
    this.#pointId = rp.id;
    this.raw = stream.isStreaming ? null : [];
    stream.open(rp.id, rp.seq);
  }

  /**
   * @param {object} entry
   * @returns {number}  Its `seq`.
   */
  push(entry) {
    const numbered = this.#stream.push(this.#pointId, entry);
    this.raw?.push(numbered);
    return numbered.seq;
  }

  /**
   * Confirm what was sent, or send the whole when nothing was.
   * @param {Intent} intent
   * @param {Record<string, any>} news
   */
  confirm(intent, news) {
    if (intent.seq === null || intent.isDropped) {
      const whole = intent.op === "delete" ? { data: intent.before } : {};
      this.push({ op: intent.op, ...intent.head, ...whole, ...news });
    } else this.push({ confirms: intent.seq, uuid: intent.uuid, ...news });
  }

  /** @param {Intent[]} intents  That came to nothing. */
  drop(intents) {
    const drops = intents.flatMap(({ seq, isDropped }) => (seq === null || isDropped ? [] : [seq]));
    for (const intent of intents) intent.isDropped = true;
    if (drops.length) this.push({ drops });
  }

  /** @param {Uncovered} what  Said once for each document, operation and cause. */
  uncovered(what) {
    const key = `${what.op} ${what.uuid} ${what.why}`;
    if (this.#uncovered.has(key)) return;
    this.#uncovered.add(key);
    this.push({ uncovered: what });
  }

  /** @param {{ failed?: string, runaway?: boolean, suspect?: string }} ending */
  close(ending) {
    this.#stream.close(this.#pointId, ending);
  }
}

/**
 * What recordings have to tell, kept until the relay has it on disk.
 *
 * Entries leave in frames of `rollback.entry`; each stays here until it is acknowledged and is sent again after a
 * reconnect.
 */

/** @import { Peer } from "../rpc.js" */
/** @import { Closed, EntryAck, RecordingState } from "../wire.js" */
import { FRAME_BYTES, FRAME_ENTRIES } from "../wire.js";
import { splitsPair } from "../serializer.js";

const PART_CHARS = 512 * 1024; // UTF-16 units; at most 1.5 MiB as UTF-8, and twice escaped still below a frame

/**
 * What one recording told so far.
 * @typedef {object} Told
 * @property {number} lastSeq
 * @property {{ seq: number, text: string }[]} kept  In order of seq; entries as JSON.
 * @property {number} sent  How many of `kept` this connection has seen.
 * @property {boolean} running
 * @property {Omit<Closed, "pointId"|"lastSeq">} ending
 * @property {boolean} closedSent  On this connection.
 * @property {boolean} isForgettable  Closed, and the relay has it all.
 */

/** The outgoing half of the recorder. */
export class EntryStream {
  /** @type {Map<string, Told>} */
  #told = new Map();
  /** @type {Peer|null} */
  #peer = null;
  #isScheduled = false;
  #isIntentSent = false; // in this turn
  #schedule;

  /** @param {(flush: () => void) => void} [schedule]  Runs what it is given soon, not now. */
  constructor(schedule = soon()) {
    this.#schedule = schedule;
  }

  /** Does the relay at the other end take entries as they come? */
  get isStreaming() {
    return this.#peer !== null;
  }

  /**
   * A recording begins, or goes on.
   * @param {string} pointId
   * @param {number} [seq]  The last one the relay has.
   */
  open(pointId, seq = 0) {
    const told = this.#told.get(pointId);
    if (told) {
      Object.assign(told, { running: true, closedSent: false, isForgettable: false });
      told.lastSeq = Math.max(told.lastSeq, seq);
    } else {
      const fresh = { lastSeq: seq, kept: [], sent: 0, running: true, ending: {}, closedSent: false, isForgettable: false };
      this.#told.set(pointId, fresh);
    }
  }

  /** @param {string} pointId */
  lastSeq(pointId) {
    return this.#told.get(pointId)?.lastSeq ?? 0;
  }

  /**
   * Number an entry and send it with the next frame.
   * @template {object} E
   * @param {string} pointId
   * @param {E} entry
   * @returns {E & { seq: number }}
   */
  push(pointId, entry) {
    const told = /** @type {Told} */ (this.#told.get(pointId));
    const numbered = { seq: ++told.lastSeq, ...entry };
    if (told.isForgettable) told.isForgettable = false;
    told.kept.push({ seq: numbered.seq, text: JSON.stringify(numbered) });
    this.#flushSoon("op" in entry);
    return numbered;
  }

  /**
   * The recording has ended.
   * @param {string} pointId
   * @param {Omit<Closed, "pointId"|"lastSeq">} [ending]
   */
  close(pointId, ending = {}) {
    const told = this.#told.get(pointId);
    if (!told) return;
    told.running = false;
    told.ending = { ...told.ending, ...ending };
    this.#flushSoon();
  }

  /**
   * The relay keeps no entries (a family relay): what was told travels in the result, nothing stays here.
   * @param {string} pointId
   */
  handedOver(pointId) {
    const told = this.#told.get(pointId);
    if (told) Object.assign(told, { kept: [], sent: 0, closedSent: true, isForgettable: true });
  }

  /** @returns {RecordingState[]}  For hello. */
  get recordings() {
    const states = [];
    for (const [pointId, { lastSeq, running, ending, isForgettable }] of this.#told) {
      if (!isForgettable) states.push({ pointId, lastSeq, running, ...ending });
    }
    return states;
  }

  /**
   * A relay that takes streams is there (again): send what it has not acknowledged.
   * @param {Peer} peer
   */
  attach(peer) {
    this.#peer = peer;
    for (const told of this.#told.values()) Object.assign(told, { sent: 0, closedSent: false });
    this.flush();
  }

  detach() {
    this.#peer = null;
  }

  /** @param {EntryAck} ack */
  acknowledged({ pointId, seq, closed }) {
    const told = this.#told.get(pointId);
    if (!told) return;
    const done = told.kept.findIndex((each) => each.seq > seq);
    const count = done < 0 ? told.kept.length : done;
    told.kept.splice(0, count);
    told.sent = Math.max(0, told.sent - count);
    if (closed && !told.running) told.isForgettable = told.kept.length === 0;
    this.#forgetOld();
  }

  /** Of what is done with, the newest keep their seq in case the same point is written to again. */
  #forgetOld() {
    const done = [...this.#told].filter(([, { isForgettable }]) => isForgettable);
    for (const [pointId] of done.slice(0, -50)) this.#told.delete(pointId);
  }

  /**
   * The first of a turn goes at once, and so does the first intent behind confirmations: it leaves the page before the
   * write that it announces.
   * @param {boolean} [isIntent]
   */
  #flushSoon(isIntent = false) {
    if (!this.#peer || (this.#isScheduled && (!isIntent || this.#isIntentSent))) return;
    this.#isIntentSent ||= isIntent;
    this.flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.#isIntentSent = false;
      this.flush();
    });
  }

  /** Put everything on the wire now. */
  flush() {
    if (!this.#peer?.isOpen) return;
    for (const [pointId, told] of this.#told) {
      this.#sendEntries(pointId, told);
      if (told.running || told.closedSent || told.isForgettable) continue;
      told.closedSent = true;
      this.#peer.notify("rollback.closed", { pointId, lastSeq: told.lastSeq, ...told.ending });
    }
  }

  /**
   * @param {string} pointId
   * @param {Told} told
   */
  #sendEntries(pointId, told) {
    let frame = [];
    let bytes = 0;
    while (told.sent < told.kept.length) {
      const { seq, text } = told.kept[told.sent];
      const size = upperBytes(text);
      if (frame.length && (frame.length === FRAME_ENTRIES || bytes + size > FRAME_BYTES)) {
        this.#sendFrame(pointId, frame);
        frame = [];
        bytes = 0;
      }
      told.sent += 1;
      if (size > FRAME_BYTES) for (const part of partsOf(seq, text)) this.#sendFrame(pointId, [part]);
      else {
        frame.push(text);
        bytes += size;
      }
    }
    if (frame.length) this.#sendFrame(pointId, frame);
  }

  /**
   * @param {string} pointId
   * @param {string[]} texts
   */
  #sendFrame(pointId, texts) {
    const params = `{"pointId":${JSON.stringify(pointId)},"entries":[${texts.join(",")}]}`;
    this.#peer?.sendText(`{"jsonrpc":"2.0","method":"rollback.entry","params":${params}}`);
  }
}

/**
 * At least as many bytes as the text has in UTF-8.
 * @param {string} text
 */
function upperBytes(text) {
  if (text.length * 3 <= FRAME_BYTES / FRAME_ENTRIES) return text.length * 3; // too small to be worth counting
  return new TextEncoder().encode(text).length;
}

/**
 * An entry too big for a frame, in pieces; none ends inside a surrogate pair.
 * @param {number} seq
 * @param {string} json
 * @returns {string[]}
 */
export function partsOf(seq, json) {
  /** @type {string[]} */
  const pieces = [];
  for (let start = 0; start < json.length; ) {
    let end = Math.min(json.length, start + PART_CHARS);
    if (end < json.length && splitsPair(json, end)) end -= 1;
    pieces.push(json.slice(start, end));
    start = end;
  }
  return pieces.map((piece, i) => JSON.stringify({ seq, part: i + 1, parts: pieces.length, json: piece }));
}

/**
 * Run soon, also in a hidden tab: a message to ourselves is no timer and is not slowed.
 * @returns {(flush: () => void) => void}
 */
function soon() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  /** @type {any} */ (port1).unref?.(); // in Node it would keep the process
  return (flush) => {
    waiting.push(flush);
    port2.postMessage(null);
  };
}

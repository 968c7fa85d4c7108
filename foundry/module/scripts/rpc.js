/** JSON-RPC 2.0 over one socket, both ways. */

import { AagmError, MethodNotFound, NotConnected, RelayRefused, TooLarge, toWireError } from "./errors.js";
import { CODES } from "./wire.js";
import { isPlain } from "./recorder/values.js";

/** @typedef {(params: any) => unknown} Method */

/**
 * What a peer needs from outside.
 * @typedef {object} PeerParts
 * @property {(text: string) => void} send
 * @property {(method: string) => Method|undefined} methodNamed  What answers the other side's requests.
 * @property {(method: string, params: any) => void} notified
 * @property {() => void} [beforeAnswer]  What must be on the wire before any answer.
 * @property {() => number} [limit]  Bytes the other side takes in one frame.
 */

/** One end of one socket: every request is answered, with a result or an error. */
export class Peer {
  /** @type {PeerParts} */
  #parts;
  #isOpen = true;
  #lastId = 0;
  /** @type {Map<string, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map();

  /** @param {PeerParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  get isOpen() {
    return this.#isOpen;
  }

  /**
   * Ask the other side.
   * @param {string} method
   * @param {object} params
   * @param {string} [id]
   * @returns {Promise<any>}
   * @throws {RelayRefused|NotConnected}
   */
  request(method, params, id = `req-${++this.#lastId}`) {
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new NotConnected());
      this.#pending.set(id, { resolve, reject });
      try {
        this.#send({ jsonrpc: "2.0", id, method, params });
      } catch (error) {
        this.#pending.delete(id);
        reject(error);
      }
    });
  }

  /**
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /**
   * Send a frame that is text already.
   * @param {string} text
   */
  sendText(text) {
    if (!this.#isOpen) throw new NotConnected();
    this.#parts.send(text);
  }

  /** @param {string} text  One frame. */
  receive(text) {
    if (!this.#isOpen) return;
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.#answer({ id: null, error: { code: CODES.parse, message: "not JSON" } });
      return;
    }
    const { id, method, params } = isPlain(message) ? message : /** @type {any} */ ({});
    if (typeof method === "string") {
      if (id === undefined) this.#parts.notified(method, isPlain(params) ? params : {});
      else void this.#serve(id, method, params ?? {});
    } else if (id !== undefined && ("result" in message || "error" in message)) this.#settle(id, message);
    else this.#answer({ id: id ?? null, error: { code: CODES.invalidRequest, message: "not a JSON-RPC message" } });
  }

  /**
   * The socket is gone: whatever waits is rejected, nothing is sent any more.
   * @param {string} [why]
   */
  close(why) {
    this.#isOpen = false;
    for (const { reject } of this.#pending.values()) reject(new NotConnected(why));
    this.#pending.clear();
  }

  /**
   * @param {string|number|null} id
   * @param {string} method
   * @param {unknown} params
   */
  async #serve(id, method, params) {
    /** @type {Record<string, unknown>} */
    const answer = { id };
    try {
      const run = this.#parts.methodNamed(method);
      if (!run) throw new MethodNotFound(method);
      if (!isPlain(params)) throw new AagmError("params must be an object", { code: CODES.invalidParams });
      answer.result = (await run(params)) ?? null;
    } catch (thrown) {
      answer.error = toWireError(thrown);
    }
    this.#answer(answer);
  }

  /** @param {Record<string, unknown>} answer */
  #answer(answer) {
    if (!this.#isOpen) return; // the caller was told when the socket broke
    this.#parts.beforeAnswer?.();
    try {
      this.#send({ jsonrpc: "2.0", ...answer });
    } catch (thrown) {
      const rollback = /** @type {any} */ (answer).result?.rollback ?? /** @type {any} */ (answer).error?.data?.rollback;
      const error = toWireError(thrown);
      if (rollback?.streamed !== undefined) error.data = { ...error.data, rollback };
      this.#parts.send(JSON.stringify({ jsonrpc: "2.0", id: answer.id, error }));
    }
  }

  /** @param {object} message */
  #send(message) {
    if (!this.#isOpen) throw new NotConnected();
    const text = JSON.stringify(message);
    const limit = this.#parts.limit?.() ?? Infinity;
    if (text.length * 3 > limit) {
      const size = new TextEncoder().encode(text).length;
      if (size > limit) throw new TooLarge(size, limit);
    }
    this.#parts.send(text);
  }

  /**
   * @param {string} id
   * @param {{ result?: unknown, error?: any }} message
   */
  #settle(id, message) {
    const waiting = this.#pending.get(id);
    if (!waiting) return;
    this.#pending.delete(id);
    if (message.error) waiting.reject(new RelayRefused(message.error));
    else waiting.resolve(message.result);
  }
}

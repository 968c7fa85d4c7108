/** The connection to the relay: dial, hello first, requests both ways, and dial again. */

/** @import { HelloAnswer, HelloParams, Reason } from "./wire.js" */
/** @import { Timers } from "./timers.js" */
/** @import { Method } from "./rpc.js" */
import { AFTER, meaningOf, meaningOfDial, reason } from "./reasons.js";
import { CLOSES } from "./wire.js";
import { NotConnected, RelayRefused } from "./errors.js";
import { Peer } from "./rpc.js";
import { dialList, parseRelayUrl } from "./loopback.js";

const FIRST_DELAY = 1000; // ms
const LONGEST_DELAY = 30_000; // ms
const ANSWER_LIMIT = 10_000; // ms from open to hello's answer
const REFUSED_LIMIT = 2000; // ms from a refused hello to the relay's close

/**
 * @typedef {{ kind: "off", reason: Reason }} Off  Not to be dialled until something changes.
 * @typedef {{ kind: "dialling", reason: Reason }} Dialling
 * @typedef {{ kind: "connected", answer: HelloAnswer, peer: Peer, since: number }} Connected
 * @typedef {{ kind: "waiting", reason: Reason }} Waiting  Tried again by itself.
 * @typedef {Off|Dialling|Connected|Waiting} LinkState
 */

/**
 * @typedef {object} LinkParts
 * @property {() => { enabled: boolean, url: string }} settings
 * @property {(takeOver: boolean) => HelloParams} hello
 * @property {(method: string) => Method|undefined} methodNamed
 * @property {(method: string, params: any) => void} notified
 * @property {() => void} beforeAnswer
 * @property {(answer: HelloAnswer, peer: Peer) => void} accepted  Called before any state change is told.
 * @property {(state: LinkState, before: LinkState) => void} changed
 * @property {Timers} timers
 * @property {(url: string) => WebSocket} open  Makes the socket.
 * @property {typeof import("./diagnose.js").diagnoseDial} diagnose
 * @property {() => number} [random]  0 ≤ n < 1, for the jitter.
 * @property {() => number} limit  Bytes a frame may have.
 */

/** One link to one relay, made again for ever unless the relay or the GM said not to. */
export class RelayLink {
  /** @type {LinkParts} */
  #parts;
  /** @type {LinkState} */
  #state = { kind: "off", reason: { code: "disabled", message: "", fix: "" } };
  #generation = 0; // of the socket; what an older one says is ignored
  #failures = 0; // dials in a row without an accepted hello
  /** @type {{ socket: WebSocket, peer: Peer }|null} */
  #live = null;
  #cancel = () => {};
  /** @type {{ url: string, result: string }[]} */
  #tried = [];

  /** @param {LinkParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  get state() {
    return this.#state;
  }

  /** What each address answered since the last accepted hello. */
  get tried() {
    return [...this.#tried];
  }

  /** @returns {Peer|null}  The other end, while it is accepted. */
  get peer() {
    return this.#state.kind === "connected" ? this.#state.peer : null;
  }

  /**
   * Begin anew, whatever was before: settings changed, the GM asks, the page starts.
   * @param {{ takeOver?: boolean }} [options]
   */
  restart({ takeOver = false } = {}) {
    this.#failures = 0;
    this.#tried = [];
    this.#hangUp(CLOSES.disabled, "restarted");
    const { enabled, url } = this.#parts.settings();
    if (!enabled) return this.#become({ kind: "off", reason: reason("disabled") });
    const parsed = parseRelayUrl(url);
    if (!parsed) return this.#become({ kind: "off", reason: reason(/^ws:\/\//i.test(url.trim()) ? "not_loopback" : "bad_address", { url }) });
    this.#dial(dialList(parsed.url), takeOver);
  }

  /** Something suggests that a dial may work now: the page is seen again, the network is back. */
  nudge() {
    if (this.#state.kind !== "waiting") return;
    this.#cancel();
    this.#redial();
  }

  #redial = () => {};

  /**
   * @param {string[]} urls
   * @param {boolean} takeOver
   */
  #dial(urls, takeOver = false) {
    const generation = ++this.#generation;
    const url = urls[this.#failures % urls.length];
    this.#redial = () => this.#dial(urls);
    this.#become({ kind: "dialling", reason: reason("connecting", { url }) });
    /** @type {WebSocket} */
    let socket;
    try {
      socket = this.#parts.open(url);
    } catch {
      this.#failedDial(url, generation, true);
      return;
    }
    const peer = this.#makePeer(socket);
    this.#live = { socket, peer };
    /** @type {{ code?: number, message?: string, data?: any }|undefined} */
    let refusal;
    let hasOpened = false;
    let gaveCode = false;
    socket.onopen = () => {
      if (generation !== this.#generation) return;
      hasOpened = true;
      this.#cancel = this.#parts.timers.after(ANSWER_LIMIT, () => this.#lost(url, generation, "no_answer", {}));
      const hello = this.#parts.hello(takeOver);
      gaveCode = Boolean(hello.pairingCode);
      peer.request("hello", hello, `hello-${Date.now()}`).then(
        (answer) => generation === this.#generation && this.#accept(answer, peer),
        (error) => {
          if (!(error instanceof RelayRefused)) return;
          refusal = error; // the relay closes next; if it forgets, so do we
          this.#cancel();
          this.#cancel = this.#parts.timers.after(REFUSED_LIMIT, () => socket.close());
        },
      );
    };
    socket.onmessage = ({ data }) => {
      if (generation === this.#generation && typeof data === "string") peer.receive(data);
    };
    socket.onclose = ({ code, reason: why }) => {
      peer.close();
      if (generation !== this.#generation) return;
      this.#cancel();
      if (!hasOpened) return this.#failedDial(url, generation, false);
      const { after, code: meaning, data } = meaningOf(code, refusal, gaveCode);
      if (!data.why) data.why = why;
      this.#lost(url, generation, meaning, data, after);
    };
  }

  /** @param {WebSocket} socket */
  #makePeer(socket) {
    const { methodNamed, notified, beforeAnswer, limit } = this.#parts;
    return new Peer({ send: (text) => socket.send(text), methodNamed, notified, beforeAnswer, limit });
  }

  /**
   * @param {HelloAnswer} answer
   * @param {Peer} peer
   */
  #accept(answer, peer) {
    this.#cancel();
    this.#failures = 0;
    this.#tried = [];
    this.#parts.accepted(answer, peer);
    this.#become({ kind: "connected", answer, peer, since: Date.now() });
  }

  /** The relay told who owns the bridge now. */
  ownerChanged(/** @type {{ owner: boolean, userName?: string }} */ { owner, userName = "" }) {
    if (this.#state.kind !== "connected") return;
    const answer = { ...this.#state.answer, owner, ownedBy: owner ? undefined : { userName, since: "" } };
    this.#become({ ...this.#state, answer });
  }

  /**
   * @param {string} url
   * @param {number} generation
   * @param {boolean} wasBlocked
   */
  #failedDial(url, generation, wasBlocked) {
    const failures = this.#failures + 1;
    this.#lost(url, generation, wasBlocked ? "blocked_by_browser" : "relay_down", { failures });
    void this.#parts.diagnose(url, { wasBlocked, failures }).then((facts) => {
      if (this.#state.kind !== "waiting" || this.#failures !== failures) return;
      const origin = globalThis.location?.origin ?? "";
      const code = facts.answersHttp ? "origin_refused" : meaningOfDial(facts);
      if (code !== this.#state.reason.code) {
        this.#become({ kind: "waiting", reason: reason(code, { url, origin, failures }) });
      }
    });
  }

  /**
   * This socket is done with.
   * @param {string} url
   * @param {number} generation
   * @param {string} code
   * @param {Record<string, any>} data
   * @param {string} [after]
   */
  #lost(url, generation, code, data, after = AFTER.retry) {
    if (generation !== this.#generation) return;
    this.#hangUp(CLOSES.disabled, code);
    this.#tried = [...this.#tried.filter((each) => each.url !== url), { url, result: code }];
    this.#failures += 1;
    const why = reason(code, { url, ...data });
    if (after !== AFTER.retry) return this.#become({ kind: "off", reason: why });
    this.#become({ kind: "waiting", reason: why });
    this.#cancel = this.#parts.timers.after(this.#delay(), () => this.#redial());
  }

  /** @returns {number}  Milliseconds until the next dial: doubled each time, half of it chance. */
  #delay() {
    const longest = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (this.#failures - 1));
    return longest * (0.5 + (this.#parts.random ?? Math.random)() / 2);
  }

  /**
   * @param {number} code
   * @param {string} why
   */
  #hangUp(code, why) {
    this.#generation += 1;
    this.#cancel();
    this.#cancel = () => {};
    const live = this.#live;
    this.#live = null;
    if (!live) return;
    live.peer.close(why);
    try {
      live.socket.close(code, why);
    } catch {
      // closed already
    }
  }

  /** @param {LinkState} state */
  #become(state) {
    const before = this.#state;
    this.#state = state;
    this.#parts.changed(state, before);
  }

  /**
   * Ask the relay.
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>}
   */
  async request(method, params) {
    const { peer } = this;
    if (!peer) throw new NotConnected();
    return peer.request(method, params);
  }

  /**
   * Tell the relay; false when there is no connection.
   * @param {string} method
   * @param {object} params
   */
  notify(method, params) {
    const { peer } = this;
    if (!peer?.isOpen) return false;
    peer.notify(method, params);
    return true;
  }
}

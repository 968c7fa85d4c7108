/** Between clients and server: latency, order, loss. Everything crosses as JSON. */
import { soon } from "../core/clock.js";
import { fromWire } from "../core/operators.js";

/** The wires of one world. */
export class Network {
  #server;
  #clock;
  #faults;
  #random;
  #latency;
  #connections = new Set();

  /**
   * @param {object} parts
   * @param {number|[number, number]|Record<string, number>} parts.latency Milliseconds one way: fixed, a range, or by client name.
   */
  constructor({ server, clock, faults, random, latency }) {
    this.#server = server;
    this.#clock = clock;
    this.#faults = faults;
    this.#random = random;
    this.#latency = latency;
  }

  /** The ids of users with a client connected. */
  get onlineUsers() {
    return new Set(Array.from(this.#connections, (connection) => connection.userId));
  }

  get connections() {
    return Array.from(this.#connections);
  }

  connect({ name, userId, receive, socketMessage }) {
    const connection = { name, userId, receive, socketMessage, online: true, session: 0, sentAt: 0, receivedAt: 0, held: null, frozen: null };
    this.#connections.add(connection);
    return connection;
  }

  /** Events missed while away stay missed; requests in flight never settle. */
  disconnect(connection) {
    connection.online = false;
    connection.session += 1;
    this.#connections.delete(connection);
  }

  /** What came while a page was frozen is delivered. */
  thaw(connection) {
    const waiting = connection.frozen ?? [];
    connection.frozen = null;
    for (const deliver of waiting) this.#deliver(connection, deliver);
  }

  reconnect(connection) {
    connection.online = true;
    this.#connections.add(connection);
  }

  /**
   * Send a request. The answer comes with what is broadcast.
   * @returns {Promise<{result: Promise<object>[]}>} Rejects when refused; never settles when the line is cut.
   */
  request(connection, request) {
    const subject = { ...request, userId: connection.userId, client: connection.name };
    const rejection = this.#faults.strike("rejectAfterPre", subject);
    if (rejection) return Promise.reject(new Error(rejection.reason ?? "The request was rejected"));
    if (!connection.online) return new Promise(() => {});
    const text = JSON.stringify(request);
    const session = connection.session;
    const delay = this.#faults.strike("delay", subject)?.ms ?? 0;
    const lost = this.#faults.strike("neverSettle", subject);
    return new Promise((resolve, reject) => {
      if (lost && !lost.stored) return;
      this.#after(this.#inOrder(connection, "sentAt") + delay, () => {
        if (connection.session !== session) return;
        const outcome = this.#server.process(connection.userId, fromWire(text), text.length);
        const settle = lost ? () => {} : (how) => how(resolve, reject);
        if (outcome.error) this.#deliver(connection, () => settle((_resolve, refuse) => refuse(new Error(outcome.error))));
        else this.#broadcast(connection, subject, JSON.stringify(outcome.events), settle, Boolean(lost));
      });
    });
  }

  #broadcast(requester, subject, text, settle, lost) {
    for (const connection of Array.from(this.#connections)) {
      const own = connection === requester;
      if (own && lost) continue;
      if (!own && subject.options?.broadcast === false) continue;
      if (this.#strike("dropBroadcast", subject, connection)) continue;
      const copies = own && this.#faults.strike("duplicateAnswer", subject) ? 2 : 1;
      const deliver = () => {
        const applied = connection.receive(fromWire(text));
        if (own) settle((resolve) => resolve(applied));
        else applied.catch(() => {});
      };
      if (this.#strike("reorder", subject, connection)) {
        connection.held = deliver;
        continue;
      }
      for (let i = 0; i < copies; i += 1) this.#deliver(connection, deliver);
      if (connection.held) {
        this.#deliver(connection, connection.held);
        connection.held = null;
      }
    }
  }

  /** Does a fault strike what goes to this connection? */
  #strike(fault, subject, { name }) {
    return !this.#faults.isQuiet && this.#faults.strike(fault, { ...subject, client: name });
  }

  #deliver(connection, deliver) {
    const session = connection.session;
    const run = () => (connection.frozen ? connection.frozen.push(deliver) : deliver());
    const ms = this.#inOrder(connection, "receivedAt");
    if (ms === 0) run();
    else {
      this.#after(ms, () => {
        if (connection.session === session) run();
      });
    }
  }

  /** Ask for one document of a pack. */
  fetchDocument(connection, pack, id) {
    return new Promise((resolve) => {
      const session = connection.session;
      this.#after(this.#latencyOf(connection) * 2, () => {
        if (connection.session !== session) return;
        const source = this.#server.store.packs.get(pack)?.documents.get(id);
        resolve(source ? JSON.parse(JSON.stringify(source)) : null);
      });
    });
  }

  /** Relay a socket message to every other client. */
  emit(sender, channel, data) {
    const text = JSON.stringify(data);
    for (const connection of this.#connections) {
      if (connection === sender) continue;
      this.#deliver(connection, () => connection.socketMessage(channel, text, sender.userId));
    }
  }

  /** How long a message takes now: one wire delivers in order, nothing overtakes what was sent before. */
  #inOrder(connection, direction) {
    const now = this.#clock.monotonic();
    const at = Math.max(now + this.#latencyOf(connection), connection[direction]);
    connection[direction] = at;
    return at - now;
  }

  #after(ms, run) {
    if (ms <= 0) soon(run);
    else this.#clock.setTimeout(run, ms);
  }

  #latencyOf(connection) {
    const latency = this.#latency;
    if (typeof latency === "number") return latency;
    if (Array.isArray(latency)) return latency[0] + Math.floor(this.#random() * (latency[1] - latency[0] + 1));
    return latency[connection.name] ?? 0;
  }
}

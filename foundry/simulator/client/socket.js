/** `game.socket`: messages between clients that are not documents. */
export class GameSocket {
  #client;
  #listeners = new Map();

  constructor(client) {
    this.#client = client;
    this.id = client.sessionId;
  }

  get connected() {
    return this.#client.connection?.online ?? false;
  }

  on(channel, listener) {
    const known = this.#listeners.get(channel) ?? [];
    this.#listeners.set(channel, [...known, listener]);
    return this;
  }

  off(channel, listener) {
    this.#listeners.set(channel, (this.#listeners.get(channel) ?? []).filter((known) => known !== listener));
    return this;
  }

  /** Send to every other client; the sender does not hear itself. */
  emit(channel, ...args) {
    this.#client.world.network.emit(this.#client.connection, channel, args);
    return this;
  }

  deliver(channel, text, sender) {
    for (const listener of this.#listeners.get(channel) ?? []) {
      this.#client.guarded(`socket ${channel}`, () => listener(...JSON.parse(text), sender));
    }
  }
}

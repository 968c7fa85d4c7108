/** A tab in Node: the page's names that Node lacks, and an end that takes sockets and timers with it. */

let tabs = 0;

/** @returns {Pick<Storage, "getItem"|"setItem"|"removeItem">} */
function sessionStorage() {
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, String(value)),
    removeItem: (key) => values.delete(key),
  };
}

/** What a module finds on its page besides Foundry's own names. */
export class Tab {
  #sockets = new Set();
  #timers = new Map();
  #listeners = new Map();
  #page;
  #saved = new Map();

  /**
   * @param {typeof import("ws").WebSocket} Socket
   * @param {string} origin The page's origin, which the relay checks.
   * @param {object} [storage] The `sessionStorage` of the page before, which a reload keeps.
   */
  constructor(Socket, origin, storage = sessionStorage()) {
    tabs += 1;
    this.number = tabs;
    this.storage = storage;
    this.#page = this.#names(Socket, origin);
  }

  #names(Socket, origin) {
    const sockets = this.#sockets;
    const listeners = this.#listeners;
    class PageSocket extends Socket {
      constructor(url, protocols) {
        super(url, protocols, { origin, perMessageDeflate: false });
        sockets.add(this);
        this.on("close", () => sockets.delete(this));
        this.on("error", () => {}); // a browser's socket that fails tells its listeners, and nobody else
      }
    }
    const events = {
      addEventListener: (type, listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]),
      removeEventListener: (type, listener) => listeners.set(type, (listeners.get(type) ?? []).filter((known) => known !== listener)),
    };
    const document = { hidden: false, visibilityState: "visible", ...events };
    const location = Object.assign(new URL("/game", origin), { reload() {} });
    const fetch = this.#fetchOfPage(globalThis.fetch);
    return { WebSocket: PageSocket, document, location, sessionStorage: this.storage, fetch, ...events, ...this.#timerFunctions() };
  }

  /** Answers that come after the tab's end reach nobody. */
  #fetchOfPage(real) {
    const whileOpen = (settle) => (value) => this.#isClosed || settle(value);
    return (...given) => new Promise((resolve, reject) => void real(...given).then(whileOpen(resolve), whileOpen(reject)));
  }

  #isClosed = false;

  /** Timers that end with the tab. */
  #timerFunctions() {
    const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval, clearTimeout: globalThis.clearTimeout };
    const keep = (timer) => {
      this.#timers.set(timer, true);
      return timer;
    };
    const clear = (timer) => {
      this.#timers.delete(timer);
      real.clearTimeout(timer);
    };
    this.#clear = clear;
    return {
      setTimeout: (run, ms, ...args) => {
        const timer = real.setTimeout(() => {
          this.#timers.delete(timer);
          run(...args);
        }, ms);
        return keep(timer);
      },
      setInterval: (run, ms, ...args) => keep(real.setInterval(run, ms, ...args)),
      clearTimeout: clear,
      clearInterval: clear,
    };
  }

  #clear = () => {};

  get sockets() {
    return this.#sockets.size;
  }

  install(target) {
    for (const [name, value] of Object.entries(this.#page)) {
      this.#saved.set(name, Object.getOwnPropertyDescriptor(target, name));
      Object.defineProperty(target, name, { value, configurable: true, writable: true });
    }
    this.#target = target;
  }

  #target = null;

  /** End all sockets and timers at once, as a page's end does. */
  close() {
    this.#isClosed = true;
    for (const socket of this.#sockets) {
      socket.removeAllListeners(); // a page that is gone runs nothing any more
      socket.on("error", () => {});
      socket.terminate();
    }
    this.#sockets.clear();
    for (const timer of this.#timers.keys()) this.#clear(timer);
    for (const [name, descriptor] of this.#saved) {
      if (descriptor) Object.defineProperty(this.#target, name, descriptor);
      else delete this.#target[name];
    }
  }

  hide(hidden) {
    const { document } = this.#page;
    document.hidden = hidden;
    document.visibilityState = hidden ? "hidden" : "visible";
    for (const listener of this.#listeners.get("visibilitychange") ?? []) listener({ type: "visibilitychange" });
  }
}

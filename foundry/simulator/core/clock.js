/** Time, virtual for tests and real for the demo. */

const realTimers = {
  setTimeout: globalThis.setTimeout.bind(globalThis),
  clearTimeout: globalThis.clearTimeout.bind(globalThis),
};
const realImmediate = globalThis.setImmediate?.bind(globalThis);

const queue = [];
let waiting = 0;
let port = null;

/** Run in the next turn of the event loop, in order: as near as possible, but never within the current task. */
export function soon(run) {
  waiting += 1;
  const counted = () => {
    waiting -= 1;
    run();
  };
  if (realImmediate) {
    realImmediate(counted);
    return;
  }
  if (!port) {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => queue.shift()();
    port = channel.port2;
  }
  queue.push(counted);
  port.postMessage(null);
}

/** Let everything that is ready run: all microtasks, then one turn of the event loop. */
export function turn() {
  return new Promise(soon);
}

/** Turn until nothing is waiting for its turn. */
async function drain() {
  do await turn();
  while (waiting > 0);
}

/** A clock that stands still until it is told to go on. */
export class VirtualClock {
  #now;
  #offset = 0;
  #next = 1;
  #timers = new Map();

  /** @param {number} [start] Milliseconds. */
  constructor(start = 1_750_000_000_000) {
    this.#now = start;
  }

  /** The wall clock's milliseconds; may jump. */
  now() {
    return this.#now + this.#offset;
  }

  /** Milliseconds that never go back. */
  monotonic() {
    return this.#now;
  }

  get pending() {
    return this.#timers.size;
  }

  setTimeout(fn, ms = 0, ...args) {
    return this.#add(fn, ms, args, null);
  }

  setInterval(fn, ms = 0, ...args) {
    return this.#add(fn, ms, args, Math.max(1, ms));
  }

  clearTimeout(id) {
    this.#timers.delete(id);
  }

  clearInterval(id) {
    this.#timers.delete(id);
  }

  #add(fn, ms, args, every) {
    const id = this.#next;
    this.#next += 1;
    this.#timers.set(id, { id, at: this.#now + Math.max(0, Number(ms) || 0), fn, args, every });
    return id;
  }

  /** Go on by *ms*; timers fire in order, and what they start runs before the next one. */
  async advance(ms) {
    const until = this.#now + ms;
    await drain();
    for (let due = this.#due(until); due; due = this.#due(until)) {
      this.#fire(due);
      await drain();
    }
    this.#now = until;
  }

  /** Go on until a promise settles; an error when nothing is left that could settle it. */
  async settle(promise) {
    let done = false;
    const watched = Promise.resolve(promise).finally(() => {
      done = true;
    });
    watched.catch(() => {});
    for (let idle = 0; !done && idle < 20; ) {
      await drain();
      const due = done ? undefined : this.#due(Infinity);
      idle = due ? 0 : idle + 1;
      if (due) this.#fire(due);
    }
    if (!done) throw new Error("nothing left on the clock that could settle this promise");
    return watched;
  }

  /** Set the wall clock forward or back; timers do not notice. */
  jump(ms) {
    this.#offset += ms;
  }

  /** Let time pass in which nothing runs, as when a listener takes long. */
  elapse(ms) {
    this.#now += ms;
  }

  #due(until) {
    let first;
    for (const timer of this.#timers.values()) {
      if (timer.at <= until && (!first || timer.at < first.at)) first = timer;
    }
    return first;
  }

  #fire(timer) {
    this.#now = Math.max(this.#now, timer.at);
    if (timer.every === null) this.#timers.delete(timer.id);
    else timer.at = this.#now + timer.every;
    timer.fn(...timer.args);
  }
}

/** The machine's own clock. */
export class RealClock {
  #timers = new Set();
  #offset = 0;

  now() {
    return Date.now() + this.#offset;
  }

  monotonic() {
    return performance.now();
  }

  /** Busy for a while, as a slow listener is. */
  elapse(ms) {
    const until = performance.now() + ms;
    while (performance.now() < until);
  }

  get pending() {
    return this.#timers.size;
  }

  setTimeout(fn, ms = 0, ...args) {
    const id = realTimers.setTimeout(() => {
      this.#timers.delete(id);
      fn(...args);
    }, ms);
    this.#timers.add(id);
    return id;
  }

  clearTimeout(id) {
    this.#timers.delete(id);
    realTimers.clearTimeout(id);
  }

  setInterval(fn, ms = 0, ...args) {
    const id = setInterval(fn, ms, ...args);
    this.#timers.add(id);
    return id;
  }

  clearInterval(id) {
    this.#timers.delete(id);
    clearInterval(id);
  }

  advance(ms) {
    return new Promise((resolve) => {
      this.setTimeout(resolve, ms);
    });
  }

  settle(promise) {
    return promise;
  }

  jump(ms) {
    this.#offset += ms;
  }

  /** Drop every timer that has not fired. */
  stop() {
    for (const id of this.#timers) realTimers.clearTimeout(id);
    this.#timers.clear();
  }
}

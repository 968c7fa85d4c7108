/** A page's timers on the world's clock, throttled as browsers do. Source: FOUNDRY_FACTS 9. */

const MINUTE = 60_000;

/** The timers of one page. */
export class PageTimers {
  #clock;
  #timers = new Map();
  #next = 1;

  constructor(clock) {
    this.#clock = clock;
    /** In the background a timer fires at whole minutes only. */
    this.hidden = false;
    /** Frozen pages fire nothing; what was due fires when they thaw. */
    this.frozen = false;
  }

  /** The four functions, to be put on a page. */
  get functions() {
    return {
      setTimeout: (run, ms, ...args) => this.setTimeout(run, ms, ...args),
      setInterval: (run, ms, ...args) => this.setInterval(run, ms, ...args),
      clearTimeout: (id) => this.clear(id),
      clearInterval: (id) => this.clear(id),
    };
  }

  setTimeout(run, ms = 0, ...args) {
    return this.#add(() => run(...args), ms, false);
  }

  setInterval(run, ms = 0, ...args) {
    return this.#add(() => run(...args), Math.max(1, ms), true);
  }

  clear(id) {
    this.#clock.clearTimeout(this.#timers.get(id)?.inner);
    this.#timers.delete(id);
  }

  #add(run, ms, repeats) {
    const id = this.#next;
    this.#next += 1;
    const timer = { run, ms, repeats, inner: null };
    this.#timers.set(id, timer);
    this.#arm(id, timer, ms);
    return id;
  }

  #arm(id, timer, ms) {
    timer.inner = this.#clock.setTimeout(() => this.#due(id, timer), ms);
  }

  #due(id, timer) {
    const now = this.#clock.now();
    const held = this.frozen || (this.hidden && now % MINUTE !== 0);
    if (held) {
      this.#arm(id, timer, MINUTE - (now % MINUTE));
      return;
    }
    if (timer.repeats) this.#arm(id, timer, timer.ms);
    else this.#timers.delete(id);
    timer.run();
  }
}

/** Memory twins for the module's tests: time, sockets, a relay's end of one. */

/** Time that goes on when it is told to. */
export class ManualTimers {
  #now = 0;
  #waiting = new Map();
  #last = 0;

  now = () => this.#now;

  after = (ms, run) => {
    const id = ++this.#last;
    this.#waiting.set(id, { at: this.#now + ms, run });
    return () => this.#waiting.delete(id);
  };

  /** How long until each waiting timer, in order. */
  get delays() {
    return [...this.#waiting.values()].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  advance(ms) {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#waiting].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      const [id, { at, run }] = due;
      this.#waiting.delete(id);
      this.#now = at;
      run();
    }
    this.#now = end;
  }
}

/** A browser's WebSocket whose other end is this test. */
export class FakeSocket {
  sent = [];
  closedWith = null;
  onopen = null;
  onmessage = null;
  onclose = null;

  constructor(url) {
    this.url = url;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code = 1005) {
    this.closedWith ??= code;
  }

  open() {
    this.onopen?.({});
  }

  /** The relay sends. */
  say(message) {
    this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message }) });
  }

  /** The relay, or the network, closes. */
  drop(code = 1006, reason = "") {
    this.closedWith ??= code;
    this.onclose?.({ code, reason });
  }

  get hello() {
    return this.sent.find(({ method }) => method === "hello");
  }
}

/** Let promises that are ready run. */
export async function settled() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/* A relay in the page: it answers hello, keeps what the module says, and tells what a test wants told. */
(() => {
  const hello = {
    sessionId: "s-1", capabilitySet: "gm", auditLogging: true, protocol: 3, features: ["stream", "prompt-ack", "pairing", "take-over"],
    member: "kimi", memberName: "AAGM-K", relayVersion: "1.0.0", owner: true, protected: { ids: [], names: [], flags: [] }, resend: [],
  };

  class ScriptedSocket {
    readyState = 0;
    constructor(url) {
      this.url = url;
      relay.sockets.push(this);
      setTimeout(() => (relay.isDown ? this.#end(1006) : this.#open()));
    }
    #open() {
      this.readyState = 1;
      this.onopen?.({});
    }
    #end(code, reason = "") {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.onclose?.({ code, reason, wasClean: code !== 1006 });
    }
    send(text) {
      relay.hear(JSON.parse(text), this);
    }
    close(code = 1005, reason = "") {
      this.#end(code, reason);
    }
    say(message) {
      if (this.readyState === 1) this.onmessage?.({ data: JSON.stringify({ jsonrpc: "2.0", ...message }) });
    }
  }

  const relay = {
    sockets: [],
    heard: [],
    isDown: false,
    isAcknowledging: true,
    hello: { ...hello },
    refusal: null, // {error, close}: of the next hello
    tabs: [],
    status: { state: "ready" },
    mode: "internal",
    points: [],
    answers: {}, // by action of aagm.rollback.request: an answer, or a list of them
    get socket() {
      return this.sockets.at(-1);
    },
    tell(method, params) {
      this.socket.say({ method, params });
    },
    tellAll() {
      this.tell("aagm.tabs", { tabs: this.tabs });
      this.tell("aagm.status", this.status);
      this.tell("aagm.mode", { mode: this.mode });
      this.tell("aagm.rollback", { event: "sync", points: this.points });
    },
    drop(code = 1006) {
      this.socket.close(code);
    },
    said(method) {
      return this.heard.filter((each) => each.method === method).map(({ params }) => params);
    },
    /* Take a prompt as the real one does: on disk, acknowledged, in its tab's table. */
    take({ promptId, text, tabId = "t-main" }) {
      if (this.isAcknowledging) this.tell("aagm.prompt.ack", { promptId });
      if (text === "/close") this.tabs = this.tabs.filter(({ id }) => id !== tabId);
      else if (!text.startsWith("/")) {
        if (!this.tabs.some(({ id }) => id === tabId)) this.tabs.push({ id: tabId, title: text.slice(0, 24), state: "idle", transcript: [] });
        const tab = this.tabs.find(({ id }) => id === tabId);
        tab.transcript.push({ role: "user", text, ts: new Date().toISOString(), promptId });
        tab.state = "working";
      }
      this.tell("aagm.tabs", { tabs: this.tabs });
    },
    hear(message, socket) {
      this.heard.push(message);
      const { id, method, params } = message;
      if (method === "hello") {
        const { refusal } = this;
        if (!refusal) return socket.say({ id, result: this.hello });
        socket.say({ id, error: refusal.error });
        return setTimeout(() => socket.close(refusal.close));
      }
      if (method === "aagm.status.request") return this.tellAll();
      if (method === "aagm.prompt") return this.take(params);
      if (method === "aagm.rollback.request") {
        const known = this.answers[params.action];
        const answer = Array.isArray(known) ? known.shift() : known;
        socket.say(answer === undefined ? { id, error: { code: -32602, message: "action must be rollback, redo or check" } } : { id, result: answer });
        return undefined;
      }
      if (id !== undefined && method !== undefined) socket.say({ id, error: { code: -32601, message: `the relay has no method ${method}` } });
      return undefined;
    },
  };
  window.relay = relay;
  window.WebSocket = ScriptedSocket;
})();

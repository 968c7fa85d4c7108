import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { AFTER, REASON_CODES, meaningOf, meaningOfDial, reason } from "../../module/scripts/reasons.js";
import { FakeSocket, ManualTimers, settled } from "./twins.mjs";
import { dialList, parseRelayUrl } from "../../module/scripts/loopback.js";
import { RelayLink } from "../../module/scripts/socket.js";

const URL_ASKED = "ws://127.0.0.1:7898/";

/** A link whose sockets, time and luck are the test's. */
function makeLink(overrides = {}) {
  const timers = new ManualTimers();
  const sockets = [];
  const states = [];
  const accepted = [];
  const settings = { enabled: true, url: URL_ASKED };
  const link = new RelayLink({
    settings: () => settings,
    hello: (takeOver) => ({ userId: "gm", ...(takeOver && { takeOver }) }),
    methodNamed: (method) => ({ ping: () => ({ pong: true }), boom: () => { throw new Error("no"); } })[method],
    notified: () => {},
    beforeAnswer: () => {},
    accepted: (answer) => accepted.push(answer),
    changed: (state) => states.push(state),
    timers,
    open: (url) => {
      const socket = new FakeSocket(url);
      sockets.push(socket);
      return socket;
    },
    diagnose: async (url, known) => ({
      permission: "unknown", isSecure: true, isFramed: false, answersHttp: false, ...known,
    }),
    random: () => 1,
    limit: () => 1000,
    ...overrides,
  });
  return { link, timers, sockets, states, accepted, settings };
}

/** Dial, say hello, be accepted. */
async function connect(made, answer = { sessionId: "s", protocol: 3, features: ["stream"] }) {
  made.link.restart();
  const socket = made.sockets.at(-1);
  socket.open();
  socket.say({ id: socket.hello.id, result: answer });
  await settled();
  return socket;
}

test("a disabled bridge makes no connection at all", () => {
  const made = makeLink();
  made.settings.enabled = false;
  made.link.restart();
  made.timers.advance(600_000);
  assert.equal(made.sockets.length, 0);
  assert.equal(made.link.state.reason.code, "disabled");
});

test("only plain WebSockets of this machine are dialled", () => {
  for (const good of ["ws://127.0.0.1:7898", "ws://localhost:1", "ws://[::1]:7898", " ws://127.1.2.3:9 "]) {
    assert.ok(parseRelayUrl(good), good);
  }
  for (const bad of [
    "wss://127.0.0.1:7898", "http://127.0.0.1", "ws://192.168.0.2:7898", "ws://127.0.0.1.evil.example",
    "ws://localhost.evil.example", "ws://u:p@127.0.0.1", "ws://0.0.0.0", "127.0.0.1:7898", "",
  ]) assert.equal(parseRelayUrl(bad), null, bad);
  const made = makeLink();
  made.settings.url = "ws://192.168.0.2:7898";
  made.link.restart();
  assert.equal(made.sockets.length, 0);
  assert.equal(made.link.state.reason.code, "not_loopback");
  for (const url of ["http://nonsense", "127.0.0.1:7898", ""]) {
    made.settings.url = url;
    made.link.restart();
    assert.equal(made.link.state.reason.code, "bad_address", url);
  }
  assert.equal(made.sockets.length, 0);
});

test("what the relay gives as its reason is read as a sentence", (t) => {
  globalThis.game = { i18n: { format: (key, data) => `The relay closed. ${data.why}` } };
  t.after(() => { delete globalThis.game; });
  const said = (why) => reason("closed", { close: 1001, why }).message;
  assert.equal(said("the relay stops"), "The relay closed. The relay stops.");
  assert.equal(said("No hello."), "The relay closed. No hello.");
  assert.equal(said(undefined), "The relay closed.");
});

test("hello is the first frame, and the bridge counts as connected only once it is accepted", async () => {
  const made = makeLink();
  made.link.restart();
  const [socket] = made.sockets;
  socket.open();
  assert.equal(socket.sent[0].method, "hello");
  assert.equal(made.link.peer, null);
  socket.say({ id: socket.hello.id, result: { sessionId: "s" } });
  await settled();
  assert.equal(made.link.state.kind, "connected");
  assert.deepEqual(made.accepted, [{ sessionId: "s" }]);
});

test("every request is answered, with a result or an error", async () => {
  const made = makeLink();
  const socket = await connect(made);
  socket.say({ id: "1", method: "ping", params: {} });
  socket.say({ id: "2", method: "no.such" });
  socket.say({ id: "3", method: "boom" });
  socket.say({ id: "4", method: "ping", params: [1] });
  socket.say({ id: "5" });
  socket.say("{not json");
  socket.say({ id: null, method: "ping" });
  await settled();
  const answers = socket.sent.slice(1);
  const codeOf = (id) => answers.filter((each) => each.id === id).map(({ result, error }) => error?.code ?? result);
  assert.deepEqual(codeOf("1"), [{ pong: true }]);
  assert.deepEqual(codeOf("2"), [-32601]);
  assert.deepEqual(codeOf("3"), [-33002]);
  assert.deepEqual(codeOf("4"), [-32602]);
  assert.deepEqual(codeOf("5"), [-32600]);
  assert.deepEqual(codeOf(null), [-32700, { pong: true }]);
});

test("an answer larger than the relay takes is an error that says so", async () => {
  const made = makeLink({ methodNamed: () => () => ({ text: "ä".repeat(600), rollback: { streamed: 7 } }) });
  const socket = await connect(made);
  socket.say({ id: "1", method: "big" });
  await settled();
  const { error } = socket.sent.at(-1);
  assert.equal(error.code, -33009);
  assert.deepEqual(error.data.rollback, { streamed: 7 });
});

test("a relay that is not there is dialled again, later each time, up to half a minute", async () => {
  const made = makeLink();
  made.link.restart();
  const waits = [];
  for (let i = 0; i < 7; i++) {
    made.sockets.at(-1).drop();
    await settled();
    waits.push(made.timers.delays[0]);
    made.timers.advance(waits.at(-1));
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  assert.deepEqual(made.link.tried.map(({ url }) => url).sort(), [URL_ASKED, "ws://localhost:7898/"]);
  assert.equal(made.states.some((state) => state.reason?.code === "hints"), true);
});

test("the wait is partly chance, so that many tabs do not come at once", () => {
  const made = makeLink({ random: () => 0 });
  made.link.restart();
  made.sockets[0].drop();
  assert.deepEqual(made.timers.delays, [500]);
});

test("an accepted hello, not an open socket, starts the waits anew", async () => {
  const made = makeLink();
  made.link.restart();
  for (let i = 0; i < 4; i++) {
    made.sockets.at(-1).open();
    made.sockets.at(-1).drop(4008);
    made.timers.advance(made.timers.delays[0]);
  }
  made.sockets.at(-1).drop();
  assert.deepEqual(made.timers.delays, [16000]);
  const socket = await connect(made);
  socket.drop(1006);
  assert.deepEqual(made.timers.delays, [1000]);
});

test("a page that is seen again dials at once, but only when it waits", async () => {
  const made = makeLink();
  made.link.restart();
  made.link.nudge();
  assert.equal(made.sockets.length, 1);
  made.sockets[0].drop();
  made.link.nudge();
  assert.equal(made.sockets.length, 2);
  assert.deepEqual(made.timers.delays, []);
});

test("after 1000 and 4006 the module stays off, after 4001, 4005 and 4007 it waits for the GM", async () => {
  const expected = { 1000: "disabled", 4006: "version_mismatch", 4001: "refused", 4005: "not_paired", 4007: "taken_over" };
  for (const [code, why] of Object.entries(expected)) {
    const made = makeLink();
    const socket = await connect(made);
    socket.drop(Number(code));
    made.timers.advance(600_000);
    assert.equal(made.sockets.length, 1, code);
    assert.equal(made.link.state.kind, "off", code);
    assert.equal(made.link.state.reason.code, why, code);
    made.link.restart();
    assert.equal(made.sockets.length, 2, code);
  }
});

test("after every other close it dials again", async () => {
  for (const code of [1006, 1001, 1009, 1011, 4000, 4002, 4003, 4008, 4999]) {
    const made = makeLink();
    const socket = await connect(made);
    socket.drop(code);
    assert.equal(made.link.state.kind, "waiting", String(code));
    made.timers.advance(30_000);
    assert.equal(made.sockets.length, 2, String(code));
  }
});

test("a refused hello is told with the relay's own words", async () => {
  const made = makeLink();
  made.link.restart();
  const [socket] = made.sockets;
  socket.open();
  socket.say({ id: socket.hello.id, error: { code: -33006, message: "pairing required" } });
  await settled();
  socket.drop(4005);
  assert.equal(made.link.state.kind, "off");
  assert.equal(made.link.state.reason.code, "not_paired");
  assert.deepEqual(meaningOf(1006, { code: -33003, message: "unknown user" }).after, AFTER.ask);
  assert.deepEqual(meaningOf(4002, { code: -33003, message: "duplicate-session" }).code, "duplicate");
});

test("a relay that refuses and does not close is left", async () => {
  const made = makeLink();
  made.link.restart();
  const [socket] = made.sockets;
  socket.open();
  socket.say({ id: socket.hello.id, error: { code: -33007, message: "too old" } });
  await settled();
  made.timers.advance(2000);
  assert.equal(socket.closedWith, 1005);
});

test("something that opens and never answers hello is left after ten seconds", () => {
  const made = makeLink();
  made.link.restart();
  made.sockets[0].open();
  made.timers.advance(10_000);
  assert.equal(made.link.state.reason.code, "no_answer");
  assert.equal(made.sockets[0].closedWith, 1000);
});

test("requests of ours end with an error when the socket goes", async () => {
  const made = makeLink();
  const socket = await connect(made);
  const asked = made.link.request("aagm.rollback.request", { action: "check" });
  socket.drop(1006);
  await assert.rejects(asked, { code: -33003 });
  await assert.rejects(made.link.request("x", {}), { code: -33003 });
  assert.equal(made.link.notify("x", {}), false);
});

test("what an older socket still says is ignored", async () => {
  const made = makeLink();
  const old = await connect(made);
  made.link.restart();
  old.say({ id: "1", method: "ping" });
  old.drop(4007);
  await settled();
  assert.equal(made.link.state.kind, "dialling");
  assert.equal(old.sent.length, 1);
});

test("take over is said once, in the hello the GM asked for", () => {
  const made = makeLink();
  made.link.restart({ takeOver: true });
  made.sockets[0].open();
  assert.equal(made.sockets[0].hello.params.takeOver, true);
  made.sockets[0].drop();
  made.timers.advance(1000);
  made.sockets[1].open();
  assert.equal("takeOver" in made.sockets[1].hello.params, false);
});

test("a browser that refuses to open the socket is named, without a storm of retries", async () => {
  const made = makeLink({ open: () => { throw new Error("insecure"); } });
  made.link.restart();
  await settled();
  assert.equal(made.link.state.reason.code, "blocked_by_browser");
  assert.deepEqual(made.timers.delays, [1000]);
});

test("a relay that answers http but not this page is told apart from one that is down", async () => {
  const made = makeLink({ diagnose: async () => ({ permission: "granted", answersHttp: true }) });
  made.link.restart();
  made.sockets[0].drop();
  await settled();
  assert.equal(made.link.state.reason.code, "origin_refused");
});

test("the browser's permission decides between the causes of a failed dial", () => {
  const facts = { permission: "unknown", isSecure: true, isFramed: false, wasBlocked: false, failures: 1 };
  assert.equal(meaningOfDial(facts), "relay_down");
  assert.equal(meaningOfDial({ ...facts, failures: 3 }), "hints");
  assert.equal(meaningOfDial({ ...facts, permission: "prompt" }), "permission_prompt");
  for (const permission of ["prompt", "denied"]) {
    assert.equal(meaningOfDial({ ...facts, permission, isSecure: false, isLocal: true }), "relay_down", "no permission is needed there");
  }
  assert.equal(meaningOfDial({ ...facts, permission: "denied" }), "permission_denied");
  assert.equal(meaningOfDial({ ...facts, permission: "denied", isSecure: false }), "public_http");
  assert.equal(meaningOfDial({ ...facts, permission: "denied", isFramed: true }), "iframe");
});

test("the other name of this machine is dialled in turn", () => {
  assert.deepEqual(dialList("ws://localhost:7898/"), ["ws://localhost:7898/", URL_ASKED]);
});

test("every reason has a message and a cure in the language file, and no other", async () => {
  const lang = JSON.parse(await readFile(new URL("../../module/lang/en.json", import.meta.url), "utf8"));
  const wanted = REASON_CODES.flatMap((code) => [`AAGM.Reason.${code}.fix`, `AAGM.Reason.${code}.message`]);
  assert.deepEqual(Object.keys(lang).filter((key) => key.startsWith("AAGM.Reason.")).sort(), wanted.sort());
});

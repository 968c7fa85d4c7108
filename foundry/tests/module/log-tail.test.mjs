import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { LogTail } from "../../module/scripts/log-tail.js";
import { ManualTimers } from "./twins.mjs";

const LEVELS = ["log", "info", "warn", "error", "debug"];
let saved;
let shown;
let told;
let time;
let tail;
let timers;

beforeEach(() => {
  saved = Object.fromEntries(LEVELS.map((level) => [level, console[level]]));
  shown = [];
  told = [];
  time = 1_800_000_000_000;
  for (const level of LEVELS) console[level] = (...args) => shown.push([level, ...args]);
  timers = new ManualTimers();
  tail = new LogTail({ notify: (entry) => told.push(entry), timers, now: () => time });
});

afterEach(() => {
  tail.unsubscribe();
  Object.assign(console, saved);
});

const messages = () => told.map(({ message }) => message);

test("what the page logs is shown as ever and told with level, time and source", () => {
  tail.subscribe({});
  console.warn("the tide", { rises: 2 });
  assert.deepEqual(told, [{ level: "warn", timestamp: "2027-01-15T08:00:00.000Z", source: "console", message: 'the tide {"rises":2}' }]);
  assert.deepEqual(shown, [["warn", "the tide", { rises: 2 }]]);
});

test("nothing is told before and after, and the console is the page's own again", () => {
  const own = console.log;
  console.log("before");
  tail.subscribe({});
  console.log("during");
  tail.unsubscribe();
  console.log("after");
  assert.deepEqual(messages(), ["during"]);
  assert.equal(console.log, own);
});

test("what cannot be read is logged as ever, and nobody who logs it is thrown at", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const broken = { documentName: "Actor", toObject: () => { throw new Error("the system is broken"); } };
  tail.subscribe({});
  console.log("a", broken);
  console.log("b", proxy);
  assert.deepEqual(messages(), ["a [unreadable]", "b [unreadable]"]);
  assert.equal(shown.length, 2);
});

test("another subscription replaces the one before", () => {
  tail.subscribe({ levels: ["error"] });
  tail.subscribe({ levels: ["info", "error"] });
  console.info("one");
  console.error("two");
  console.debug("three");
  assert.deepEqual(messages(), ["one", "two"]);
});

test("a family relay's filter is kept to, and a broken one refused without harm", () => {
  tail.subscribe({ filter: "ti+de" });
  console.log("low tiide");
  console.log("low water");
  assert.throws(() => tail.subscribe({ filter: "(" }), { code: -32602 });
  assert.throws(() => tail.subscribe({ levels: ["loud"] }), /no level is called loud/);
  console.log("tide again");
  assert.deepEqual(messages(), ["low tiide", "tide again"]);
});

test("a warning made by sending is not sent: no loop", () => {
  let calls = 0;
  tail = new LogTail({
    notify: () => {
      calls += 1;
      console.warn("cannot send");
      throw new Error("the socket is gone");
    },
    timers,
  });
  tail.subscribe({});
  console.log("one");
  assert.equal(calls, 1);
  console.log("two");
  assert.equal(calls, 2);
  assert.deepEqual(shown.map(([, text]) => text), ["one", "cannot send", "two", "cannot send"]);
});

test("a page that floods its console is counted, not sent", () => {
  tail.subscribe({});
  for (let i = 0; i < 1700; i += 1) console.log(`line ${i}`);
  assert.equal(told.length, 500);
  time += 1000;
  console.log("calm");
  assert.deepEqual(told.slice(500).map(({ level, message }) => [level, message]), [
    ["warn", "1200 lines were left out: the page logs more than 500 a second"],
    ["log", "calm"],
  ]);
});

const LOST = "200 lines were left out: the page logs more than 500 a second";

test("a flood after which nothing is logged is counted when its second is over, once", () => {
  tail.subscribe({});
  time += 400;
  for (let i = 0; i < 700; i += 1) console.log(`line ${i}`);
  timers.advance(599);
  assert.equal(told.length, 500);
  timers.advance(1);
  assert.deepEqual(messages().slice(500), [LOST]);
  time += 600;
  console.log("calm");
  assert.deepEqual(messages().slice(501), ["calm"]);
  assert.deepEqual(timers.delays, []);
});

test("a flood is counted when nobody listens any more, and its timer ends", () => {
  tail.subscribe({});
  for (let i = 0; i < 700; i += 1) console.log(`line ${i}`);
  tail.unsubscribe();
  assert.deepEqual(messages().slice(500), [LOST]);
  assert.deepEqual(timers.delays, []);
  tail.unsubscribe();
  assert.equal(told.length, 501);
});

test("errors that nobody caught are told", () => {
  const page = new EventTarget();
  const had = [globalThis.addEventListener, globalThis.removeEventListener];
  globalThis.addEventListener = page.addEventListener.bind(page);
  globalThis.removeEventListener = page.removeEventListener.bind(page);
  try {
    tail.subscribe({ levels: ["error"] });
    page.dispatchEvent(Object.assign(new Event("error"), { message: "the cellar is full" }));
    page.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason: "no bell" }));
    tail.unsubscribe();
    page.dispatchEvent(Object.assign(new Event("error"), { message: "late" }));
  } finally {
    [globalThis.addEventListener, globalThis.removeEventListener] = had;
  }
  assert.deepEqual(told.map(({ source, message }) => [source, message]), [
    ["window.error", "the cellar is full"],
    ["unhandledrejection", "no bell"],
  ]);
});

test("a long line is cut", () => {
  tail.subscribe({});
  console.log("x".repeat(5000));
  assert.match(told[0].message, /^x{4000}\[… 1000 more characters\]$/);
});

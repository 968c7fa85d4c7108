import assert from "node:assert/strict";
import test from "node:test";

import { Events } from "../../module/scripts/events.js";
import { ChatState } from "../../module/scripts/ui/chat-state.js";
import { TabList } from "../../module/scripts/ui/tab-list.js";

const TOPICS = ["Tabs", "Status", "Mode", "Rollback", "Cancelled", "Reply", "Waiting", "Progress", "Connection", "Settings"];
const at = (minute) => `2026-03-01T17:${String(minute).padStart(2, "0")}:00.000Z`;
const point = (id, minute, more = {}) => ({ id, ts: at(minute), summary: id, tabId: "t-a", kind: "eval", state: "live", ...more });

/** A state on an API that does nothing but tell what the test tells. */
function setUp({ isMultitasking = true, session = {}, isAcknowledging = true } = {}) {
  const events = new Events();
  const sent = [];
  let waiting = [];
  const memory = { session, keepSession: (changes) => Object.assign(memory.session, changes) };
  const relay = { protocol: isAcknowledging ? 3 : 2, memberName: "AAGM-K" };
  const api = {
    ...Object.fromEntries(TOPICS.map((topic) => [`on${topic}`, (listener) => events.on(topic, listener)])),
    status: () => ({ connected: true, owner: true, state: "connected", reason: null, relay }),
    waiting: () => waiting,
    sendPrompt(text, tabId) {
      const promptId = `p-${sent.length}`;
      sent.push({ promptId, text, tabId });
      if (isAcknowledging) events.emit("Waiting", (waiting = [...waiting, { promptId, text, tabId }]));
      return promptId;
    },
    closeTab: (tabId) => sent.push({ close: tabId }),
  };
  const acknowledge = (promptId) => events.emit("Waiting", (waiting = waiting.filter((each) => each.promptId !== promptId)));
  const facts = { isMultitasking, isSeen: true };
  const tabs = new TabList({ memory, isMultitasking: () => facts.isMultitasking });
  tabs.watchedBy(() => facts.isSeen);
  const state = new ChatState({ api, tabs, changed: () => {} });
  const tell = (topic, params) => events.emit(topic, params);
  const texts = (tabId = tabs.active) => state.itemsOf(tabId).map((item) => (item.kind === "line" ? `${item.role}${item.isCancelled ? "!" : ""}${item.waits && `(${item.waits})`}: ${item.text}` : item.kind === "card" ? `card ${item.point.id}` : `older ${item.count}`));
  return { state, tabs, tell, texts, sent, acknowledge, facts, memory };
}

const table = (...tabs) => ({ tabs: tabs.map(([id, state, ...transcript]) => ({ id, title: id, state, transcript })) });

test("a single conversation is the family's main tab, without a bar", () => {
  const { state, tabs } = setUp({ isMultitasking: false });
  assert.equal(tabs.active, "t-main");
  assert.equal(state.hasTabBar, false);
  assert.equal(tabs.mayAdd, false);
});

test("five tabs are the most", () => {
  const { state, tabs } = setUp();
  for (let i = 0; i < 8; i += 1) state.addTab();
  assert.equal(tabs.tabs.length, 5);
  assert.equal(tabs.mayAdd, false);
  assert.match(tabs.active, /^t-[0-9a-f]{8}$/);
});

test("a new tab is the window's own until its first prompt, and the blank one goes when the relay tells others", () => {
  const { state, tabs, tell } = setUp();
  const [blank] = tabs.tabs;
  assert.equal(blank.isLocal, true);
  tell("Tabs", table(["t-a", "idle"]));
  assert.deepEqual(tabs.tabs.map(({ id }) => id), ["t-a"]);
  assert.equal(tabs.active, "t-a");
  state.addTab();
  const { active } = tabs;
  state.send("hello");
  tell("Tabs", table(["t-a", "idle"], [active, "working", { role: "user", text: "hello", ts: at(1), promptId: "p-0" }]));
  assert.deepEqual(tabs.tabs.map(({ id, isLocal }) => [id, isLocal]), [["t-a", false], [active, false]]);
});

test("what is typed shows at once, waits, is sent, and becomes a line: never twice, never gone", () => {
  const { state, tabs, tell, texts, acknowledge } = setUp({ isMultitasking: false });
  state.send("light the lamps");
  assert.deepEqual(texts(), ["user(waiting): light the lamps"]);
  acknowledge("p-0");
  assert.deepEqual(texts(), ["user(sent): light the lamps"]);
  tell("Tabs", table(["t-main", "working", { role: "user", text: "light the lamps", ts: at(1), promptId: "p-0" }]));
  assert.deepEqual(texts(), ["user: light the lamps"]);
  assert.equal(state.isWorking, true);
  assert.equal(tabs.active, "t-main");
});

test("a command is no line once the relay has taken it", () => {
  const { state, tell, texts, acknowledge } = setUp({ isMultitasking: false });
  state.send("/points");
  acknowledge("p-0");
  tell("Tabs", table(["t-main", "idle", { role: "system", text: "There is no rollback point.", ts: at(1) }]));
  assert.deepEqual(texts(), ["system: There is no rollback point."]);
});

test("an older relay acknowledges nothing, and a prompt that cannot be sent stays with the GM", () => {
  const { state, tell, texts } = setUp({ isMultitasking: false, isAcknowledging: false });
  assert.equal(state.isFamilyRelay, true);
  state.send("hello");
  assert.deepEqual(texts(), ["user(sent): hello"]);
  tell("Tabs", table(["t-main", "working", { role: "user", text: "hello", ts: at(1) }]));
  assert.deepEqual(texts(), ["user: hello"]);
});

test("a reply shows before the table does, and once", () => {
  const { tell, texts } = setUp({ isMultitasking: false });
  tell("Tabs", table(["t-main", "working"]));
  tell("Reply", { text: "Done.", tabId: "t-main", promptId: "p-0" });
  assert.deepEqual(texts(), ["assistant: Done."]);
  tell("Tabs", table(["t-main", "done", { role: "assistant", text: "Done.", ts: at(1), promptId: "p-0" }]));
  assert.deepEqual(texts(), ["assistant: Done."]);
});

test("what the relay says without keeping it stays to be read", () => {
  const { tell, texts } = setUp({ isMultitasking: false });
  tell("Reply", { text: "Not taken yet: the disk is full.", tabId: "t-main", system: true });
  tell("Tabs", table(["t-main", "idle"]));
  assert.deepEqual(texts(), ["system: Not taken yet: the disk is full."]);
});

test("a long reply is whole in this session though the table cuts it", () => {
  const { state, tell } = setUp({ isMultitasking: false });
  const whole = "x".repeat(20_000);
  tell("Reply", { text: whole, tabId: "t-main" });
  tell("Tabs", table(["t-main", "done", { role: "assistant", text: whole.slice(0, 8000), ts: at(1) }]));
  const [item] = state.itemsOf("t-main");
  assert.equal(item.text.length, 20_000);
});

test("cancelled prompts stay visible, those that left the transcript too, and go when they are sent again", () => {
  const { tell, texts } = setUp({ isMultitasking: false });
  const line = { role: "user", text: "ring the bell", ts: at(1), promptId: "p-1", cancelled: true };
  tell("Tabs", table(["t-main", "done", line]));
  tell("Cancelled", { tabId: "t-main", prompts: [{ promptId: "p-1", text: "ring the bell" }, { promptId: "p-0", text: "older" }] });
  assert.deepEqual(texts(), ["user!: older", "user!: ring the bell"]);
  tell("Tabs", table(["t-main", "working", { ...line, cancelled: undefined }, { role: "user", text: "older", ts: at(2), promptId: "p-2" }]));
  assert.deepEqual(texts(), ["user: ring the bell", "user: older"]);
});

test("cards stand where they happened, in their tab or in the first", () => {
  const { tell, texts } = setUp();
  const said = (minute) => ({ role: "assistant", text: `at ${minute}`, ts: at(minute) });
  tell("Tabs", table(["t-a", "done", said(1), said(5)], ["t-b", "idle"]));
  tell("Rollback", { event: "sync", points: [point("rp-3", 9, { tabId: "t-gone" }), point("rp-2", 3), point("rp-1", 0, { tabId: null }), point("rp-b", 2, { tabId: "t-b" })] });
  assert.deepEqual(texts("t-a"), ["card rp-1", "assistant: at 1", "card rp-2", "assistant: at 5", "card rp-3"]);
  assert.deepEqual(texts("t-b"), ["card rp-b"]);
  tell("Rollback", { event: "rolled-back", point: point("rp-2", 3, { state: "rolled-back" }) });
  assert.equal(texts("t-a").filter((text) => text === "card rp-2").length, 1);
});

test("of two hundred cards the newest thirty are shown, the others on request", () => {
  const { state, tell, texts } = setUp();
  tell("Tabs", table(["t-a", "done"]));
  tell("Rollback", { event: "sync", points: Array.from({ length: 200 }, (_, i) => point(`rp-${i}`, 0)) });
  assert.equal(texts("t-a")[0], "older 170");
  assert.equal(texts("t-a").length, 31);
  assert.equal(state.itemsOf("t-a", { isAll: true }).length, 200);
});

test("an undone change knows the undo that brings it back, until that is gone", () => {
  const { state, tell } = setUp();
  const undo = point("rp-9", 9, { kind: "redo", direction: "undo", undoes: ["rp-1"] });
  tell("Rollback", { event: "sync", points: [undo, point("rp-1", 1, { state: "rolled-back" })] });
  assert.equal(state.redoOf("rp-1").id, "rp-9");
  tell("Rollback", { event: "rolled-back", point: { ...undo, state: "rolled-back" } });
  assert.equal(state.redoOf("rp-1"), undefined);
});

test("what is said in another tab is unread until it is opened, also over a reload", () => {
  const { state, tabs, tell, memory } = setUp();
  const unread = () => tabs.tabs.filter(({ isUnread }) => isUnread).map(({ id }) => id);
  tell("Tabs", table(["t-a", "idle"], ["t-b", "done", { role: "assistant", text: "here", ts: at(1) }]));
  assert.deepEqual(unread(), ["t-b"]);
  const again = setUp({ session: structuredClone(memory.session) });
  again.tell("Tabs", table(["t-a", "idle"], ["t-b", "done", { role: "assistant", text: "here", ts: at(1) }]));
  assert.deepEqual(again.tabs.tabs.filter(({ isUnread }) => isUnread).map(({ id }) => id), ["t-b"]);
  state.select("t-b");
  assert.deepEqual(unread(), []);
});

test("what is said while nobody looks is unread in the open tab too", () => {
  const { tabs, tell, facts } = setUp();
  tell("Tabs", table(["t-a", "idle"]));
  facts.isSeen = false;
  tell("Tabs", table(["t-a", "done", { role: "assistant", text: "here", ts: at(1) }]));
  assert.equal(tabs.tabs[0].isUnread, true);
  facts.isSeen = true;
  tabs.markSeen();
  assert.equal(tabs.tabs[0].isUnread, false);
});

test("closing tells the relay only of tabs that it knows, and the next tab opens", () => {
  const { state, tabs, tell, sent } = setUp();
  tell("Tabs", table(["t-a", "idle"], ["t-b", "idle"]));
  state.addTab();
  state.closeTab(tabs.active);
  assert.deepEqual(sent, []);
  assert.equal(tabs.active, "t-b");
  state.send("/close");
  assert.deepEqual(sent, [{ close: "t-b" }]);
  assert.equal(tabs.active, "t-a");
  state.closeTab("t-a");
  assert.equal(tabs.tabs.length, 1);
  assert.equal(tabs.tabs[0].isLocal, true);
});

test("a tab that the relay lists no more is gone", () => {
  const { tabs, tell } = setUp();
  tell("Tabs", table(["t-a", "idle"], ["t-b", "idle"]));
  tell("Tabs", table(["t-b", "idle"]));
  assert.deepEqual([tabs.tabs.map(({ id }) => id), tabs.active], [["t-b"], "t-b"]);
});

test("tabs from before stay reachable when multitasking is turned off", () => {
  const { state, tabs, tell, facts } = setUp();
  tell("Tabs", table(["t-a", "idle"], ["t-b", "idle"]));
  facts.isMultitasking = false;
  assert.equal(state.hasTabBar, true);
  assert.equal(tabs.mayAdd, false);
});

test("progress shows until it is done or the relay is gone", () => {
  const { state, tell } = setUp();
  tell("Progress", { label: "Rollback", done: 1, total: 3 });
  tell("Progress", { label: "Mirror", done: 0, total: 0 });
  tell("Progress", { label: "Rollback", done: 3, total: 3 });
  assert.deepEqual(state.progress.map(({ label }) => label), ["Mirror"]);
  tell("Connection", { connected: false, state: "waiting", reason: { code: "relay_down", message: "", fix: "" }, relay: null });
  assert.deepEqual(state.progress, []);
});

test("a command shows while it waits, and not below its answer once the relay has it", () => {
  const { state, tell, acknowledge, texts } = setUp();
  state.send("/points");
  assert.deepEqual(texts(), ["user(waiting): /points"]);
  tell("Reply", { text: "There is no rollback point.", system: true });
  acknowledge("p-0");
  assert.deepEqual(texts(), ["system: There is no rollback point."]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PromptBox } from "../../module/scripts/prompts.js";
import { WindowMemory } from "../../module/scripts/ui/memory.js";
import { readOwn, worldSettings } from "../../module/scripts/settings.js";

const BOX = "aagm.waiting-sunken-inn";
const CHAT = "aagm.chat-sunken-inn";
let stored;
let told;
let settings;

beforeEach(() => {
  stored = new Map();
  told = [];
  settings = new Map();
  globalThis.sessionStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text) };
  globalThis.ui = { notifications: { warn: (text) => told.push(text) } };
  globalThis.game = {
    world: { id: "sunken-inn" },
    i18n: { format: (key, { key: place }) => `${key} ${place}` },
    settings: { get: (_scope, key) => settings.get(key) },
  };
});

const makeBox = () => new PromptBox({ notify: () => false, isAcknowledging: () => true, changed: () => {}, storage: globalThis.sessionStorage, storageKey: BOX });
const kept = { promptId: "p-1", text: "light the lamps" };

for (const text of ["null", "", "[]"]) {
  test(`a store that holds ${text || "no text"} is an empty one`, () => {
    stored.set(BOX, text);
    stored.set(CHAT, text === "[]" ? "{}" : text);
    assert.deepEqual(makeBox().waiting, []);
    assert.deepEqual(new WindowMemory().session, {});
    assert.deepEqual(told, []);
  });
}

for (const text of ['{"promptId":"p-1","text":"light', '{"p-1":"light the lamps"}', "7", '"light the lamps"', '[null,"light the lamps",{"promptId":"p-2"},{"promptId":"p-3","text":"x","tabId":4}]']) {
  test(`prompts that are stored as ${text} are set aside, and the GM is told where`, () => {
    stored.set(BOX, text);
    const box = makeBox();
    assert.deepEqual(box.waiting, []);
    box.send("ring the bell");
    assert.equal(stored.get(`${BOX}.damaged`), text);
    assert.deepEqual(told, [`AAGM.Toast.damaged ${BOX}.damaged`]);
  });

  test(`a chat that is stored as ${text} starts anew, and what was typed is set aside`, () => {
    stored.set(CHAT, text);
    const memory = new WindowMemory();
    assert.deepEqual(memory.session, {});
    memory.keepSession({ active: "t-a" });
    assert.equal(stored.get(`${CHAT}.damaged`), text);
  });
}

test("sound prompts among damaged ones still wait", () => {
  stored.set(BOX, JSON.stringify([null, kept, { promptId: 5, text: "x" }]));
  assert.deepEqual(makeBox().waiting, [kept]);
  assert.equal(told.length, 1);
});

test("one that was set aside earlier is not lost to a second, and none is kept twice", () => {
  for (const text of ["{1", "{1", "{2"]) {
    stored.set(BOX, text);
    makeBox();
  }
  assert.equal(stored.get(`${BOX}.damaged`), "{1\n{2");
});

test("drafts that are texts come back, whatever stands beside them", () => {
  stored.set(CHAT, JSON.stringify({ active: 3, seen: [], drafts: { "t-a": "half a thought", "t-b": { x: 1 } } }));
  assert.deepEqual(new WindowMemory().session, { drafts: { "t-a": "half a thought" } });
});

test("settings of another kind than they were registered as are as they were at first", () => {
  assert.deepEqual([readOwn("pairingCode"), readOwn("relayUrl"), readOwn("enabled")], ["", "ws://127.0.0.1:7898", false]);
  for (const name of ["pairingCode", "token", "window"]) settings.set(`${name}-sunken-inn`, null);
  for (const name of ["mode", "mirrorPath", "multitasking"]) settings.set(name, null);
  assert.deepEqual([readOwn("pairingCode"), readOwn("token")], ["", ""]);
  assert.deepEqual(worldSettings(), { mode: "assistant", multitasking: false, mirrorEnabled: false, mirrorPath: "", mirrorContextualSort: false });
  const memory = new WindowMemory();
  assert.deepEqual([memory.place, memory.member, memory.isOpen], [{}, "", false]);
  settings.set("window-sunken-inn", { member: { name: "x" }, width: "wide", isOpen: 1 });
  assert.deepEqual([memory.place, memory.member, memory.isOpen], [{}, "", false]);
});

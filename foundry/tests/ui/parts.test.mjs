import assert from "node:assert/strict";
import test from "node:test";

import { isLocalPage } from "../../module/scripts/loopback.js";
import { valueText } from "../../module/scripts/ui/views/changes.js";
import { WindowMemory, onScreen } from "../../module/scripts/ui/memory.js";
import { addTool } from "../../module/scripts/ui/scene-button.js";
import { codeOf, modeOf, multitaskingOf, pairingOf } from "../../module/scripts/ui/settings-rules.js";
import { referenceTo } from "../../module/scripts/ui/documents.js";

test("presets lock the multitasking box, Custom has what was stored", () => {
  assert.deepEqual(multitaskingOf("assistant", true), { isLocked: true, value: false });
  assert.deepEqual(multitaskingOf("cogm", false), { isLocked: true, value: true });
  for (const stored of [true, false]) assert.deepEqual(multitaskingOf("custom", stored), { isLocked: false, value: stored });
});

test("an unknown mode is the assistant", () => {
  assert.deepEqual(["cogm", "custom", "gm", undefined, 3].map(modeOf), ["cogm", "custom", "assistant", "assistant", "assistant"]);
});

test("a pairing code is six digits, however it is typed", () => {
  assert.deepEqual(["123456", " 123 456 ", "12345", "1234567", "12a456", ""].map(codeOf), ["123456", "123456", null, null, null, null]);
});

for (const [facts, expected] of [
  [{ connected: true, code: "", hasToken: true, hasTried: true }, "paired"],
  [{ connected: true, code: "", hasToken: false, hasTried: false }, "notNeeded"],
  [{ connected: false, code: "not_paired", hasToken: false, hasTried: false }, "missing"],
  [{ connected: false, code: "not_paired", hasToken: false, hasTried: true }, "refused"],
  [{ connected: false, code: "code_refused", hasToken: false, hasTried: false }, "refused"],
  [{ connected: false, code: "connecting", hasToken: false, hasTried: true }, "checking"],
  [{ connected: false, code: "relay_down", hasToken: true, hasTried: false }, "kept"],
  [{ connected: false, code: "relay_down", hasToken: false, hasTried: false }, "none"],
]) {
  test(`the pairing field says ${expected} of ${JSON.stringify(facts)}`, () => assert.equal(pairingOf(facts), expected));
}

test("a remembered window comes back where it can be grasped, also on a smaller screen", () => {
  const screen = { width: 1000, height: 700 };
  assert.deepEqual(onScreen({ left: 100, top: 50, width: 500, height: 600 }, screen), { left: 100, top: 50, width: 500, height: 600 });
  assert.deepEqual(onScreen({ left: 2400, top: -80, width: 1600, height: 600 }, screen), { left: 0, top: 0, width: 1000, height: 600 });
  assert.deepEqual(onScreen({}, screen), { width: 480, height: 640 });
});

test("memory that the browser refuses, or that is broken, is no memory and no fault", () => {
  const stored = new Map([["aagm.window-sunken-inn", "nonsense"]]);
  globalThis.ui = { notifications: { warn() {} } };
  globalThis.game = {
    world: { id: "sunken-inn" },
    i18n: { format: (key) => key },
    settings: { get: (scope, key) => stored.get(`${scope}.${key}`), set: (scope, key, value) => stored.set(`${scope}.${key}`, value) },
  };
  globalThis.sessionStorage = { getItem: () => "{broken", setItem() { throw new Error("full"); } };
  const memory = new WindowMemory();
  assert.deepEqual([memory.place, memory.isOpen, memory.member, memory.session], [{}, false, "", {}]);
  memory.keepSession({ active: "t-a" });
  assert.deepEqual(memory.session, { active: "t-a" });
  memory.keepWindow({ width: 400, left: Number.NaN });
  assert.deepEqual(memory.place, { width: 400 });
  delete globalThis.sessionStorage;
});

test("where the window stands counts for this page when the browser does not store it", async () => {
  const told = [];
  globalThis.ui = { notifications: { warn: (text) => told.push(text) } };
  globalThis.game = {
    world: { id: "sunken-inn" },
    i18n: { localize: (key) => key },
    settings: { get: () => ({}), set: async () => { throw new Error("full"); } },
  };
  const { error } = console;
  console.error = () => {};
  try {
    const memory = new WindowMemory();
    memory.keepWindow({ isOpen: true, member: "AAGM-K" });
    await new Promise(setImmediate);
    memory.keepWindow({ width: 400 });
    await new Promise(setImmediate);
    assert.deepEqual([memory.isOpen, memory.member, memory.place], [true, "AAGM-K", { width: 400 }]);
    assert.deepEqual(told, ["AAGM.Toast.unstored"]);
  } finally {
    console.error = error;
  }
});

test("the button goes into an array of controls and into a record", () => {
  let opened = 0;
  const old = [{ name: "token", tools: [] }, { name: "walls", tools: [] }];
  addTool(old, () => { opened += 1; });
  old[0].tools[0].onClick();
  const record = { tokens: { tools: { select: {} } } };
  addTool(record, () => { opened += 1; });
  record.tokens.tools["aagm-chat"].onChange();
  assert.equal(opened, 2);
  assert.equal(record.tokens.tools["aagm-chat"].order, 1);
  addTool({}, () => {});
});

for (const [what, data, expected] of [
  ["an actor", { type: "Actor", uuid: "Actor.a" }, "@UUID[Actor.a]{Ottar Reed}"],
  ["a place in a page", { type: "JournalEntryPage", uuid: "Actor.a", anchor: { slug: "debts", name: "Debts" } }, "@UUID[Actor.a#debts]{Debts}"],
  ["a document that is gone", { type: "Actor", uuid: "Actor.gone" }, "@UUID[Actor.gone]"],
  ["a pack", { type: "Compendium", collection: "world.x" }, ""],
  ["no document", {}, ""],
  ["a uuid that would end its bracket", { type: "Actor", uuid: "Actor.a]{x" }, ""],
]) {
  test(`a drop of ${what} becomes ${expected || "nothing"}`, async () => {
    globalThis.fromUuid = async (uuid) => {
      if (uuid === "Actor.broken") throw new Error("no such pack");
      return uuid === "Actor.a" ? { name: "Ottar Reed" } : null;
    };
    assert.equal(await referenceTo(data), expected);
  });
}

test("a name with braces or line breaks does not end its label", async () => {
  globalThis.fromUuid = async () => ({ name: "a}b\n{c" });
  assert.equal(await referenceTo({ uuid: "Actor.a" }), "@UUID[Actor.a]{a b c}");
});

for (const [change, before, after] of [
  [{ path: "a", before: 1, after: "x" }, "1", "x"],
  [{ path: "a", after: null }, null, "null"],
  [{ path: "a", before: "", after: false }, '""', "false"],
  [{ path: "a", beforeCut: '{"a":', after: [1, { b: 2 }] }, '{"a":…', '[1,{"b":2}]'],
]) {
  test(`a value is shown as it is: ${JSON.stringify(change)}`, () => {
    assert.deepEqual([valueText(change, "before"), valueText(change, "after")], [before, after]);
  });
}

for (const [host, expected] of [
  ["localhost", true],
  ["127.0.0.1", true],
  ["[::1]", true],
  ["inn.localhost", true],
  ["brunnas-inn.local", true],
  ["192.168.1.7", true],
  ["172.20.0.2", true],
  ["[fd12:3456::1]", true],
  ["[fe80::1]", true],
  ["172.32.0.2", false],
  ["192.0.2.5", false],
  ["inn.example", false],
  ["10.example", false],
  ["192.168.inn.example", false],
]) {
  test(`a page from ${host} ${expected ? "needs no" : "may need a"} permission`, () => assert.equal(isLocalPage(host), expected));
}

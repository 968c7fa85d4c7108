import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { REASON_CODES, reason } from "../../module/scripts/reasons.js";
import { capturedText, doneText, firstDocuments, notesOf, questionOf, stateOf } from "../../module/scripts/ui/card-words.js";
import { statusLine } from "../../module/scripts/ui/status-words.js";
import { ENGLISH, speakEnglish } from "./english.mjs";

speakEnglish();

const MODULE = new URL("../../module/", import.meta.url);
const sources = readdirSync(new URL("scripts/", MODULE), { recursive: true })
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ isOurs: name.startsWith("ui"), source: readFileSync(new URL(`scripts/${name}`, MODULE), "utf8") }));

/** What the sources ask for: whole keys, and keys whose end is computed. */
function askedFor() {
  const whole = new Set();
  const open = new Set();
  for (const { isOurs, source } of sources) {
    for (const [, key] of source.matchAll(/"(AAGM\.[\w.-]+)"/g)) whole.add(key);
    for (const [, start] of source.matchAll(/`(AAGM\.[\w.-]*)\$\{/g)) open.add(start);
    if (!isOurs) continue;
    for (const [, name, quote, key] of source.matchAll(/\b(say|counted)\(\s*(["`])([\w.-]+)/g)) {
      const isOpen = quote === "`";
      if (isOpen) open.add(`AAGM.${key}`);
      else whole.add(name === "counted" ? `AAGM.${key}.other` : `AAGM.${key}`);
    }
    for (const [, yes, no] of source.matchAll(/\b(?:say|counted)\([^"`)]*\? "([\w.-]+)" : "([\w.-]+)"/g)) {
      whole.add(`AAGM.${yes}`).add(`AAGM.${no}`);
    }
    for (const [, key] of source.matchAll(/\btexts\("([\w.-]+)"\)/g)) open.add(`AAGM.Status.${key}.`);
  }
  open.delete("AAGM.");
  return { whole, open };
}

test("every text that the sources name is there", () => {
  const { whole, open } = askedFor();
  assert.ok(whole.size > 100, "the sources were read");
  assert.deepEqual([...whole].filter((key) => !(key in ENGLISH)), []);
  assert.deepEqual([...open].filter((start) => !Object.keys(ENGLISH).some((key) => key.startsWith(start))), []);
});

test("no text is there that nothing names", () => {
  const { whole, open } = askedFor();
  const isAsked = (key) => whole.has(key) || whole.has(key.replace(/\.one$/, ".other")) || [...open].some((start) => key.startsWith(start));
  assert.deepEqual(Object.keys(ENGLISH).filter((key) => !isAsked(key)), []);
});

test("no key lies inside another, for Foundry makes a tree of them", () => {
  const keys = Object.keys(ENGLISH);
  assert.deepEqual(keys.filter((key) => keys.some((other) => other.startsWith(`${key}.`))), []);
});

const CONNECTED = { connected: true, owner: true, state: "connected", reason: null, relay: { memberName: "AAGM-K" } };
const facts = (changes) => ({ connection: CONNECTED, listener: { state: "ready" }, mode: "internal", isWorking: false, isFamilyRelay: false, waiting: 0, wasHidden: false, ...changes });
const broken = (code) => ({ connected: false, owner: false, state: code === "connecting" ? "dialling" : code === "disabled" ? "off" : "waiting", reason: reason(code, { url: "ws://127.0.0.1:7898", origin: "http://inn.example", failures: 3, close: 1006, why: "", userName: "Brunna" }), relay: null });

for (const code of REASON_CODES) {
  test(`without a connection the line says why and what to do: ${code}`, () => {
    const line = statusLine(facts({ connection: code === "owned_elsewhere" ? { ...CONNECTED, owner: false, reason: broken(code).reason } : broken(code) }));
    assert.ok(line.label && line.message, "what is, and why");
    if (code !== "connecting") assert.match(line.fix, /[.!?]$/);
    assert.doesNotMatch(`${line.label} ${line.message} ${line.fix}`, /AAGM\.|\{|undefined/);
  });
}

test("what only the settings, another press or another tab can cure has a button for it", () => {
  const cure = (code) => statusLine(facts({ connection: broken(code) })).cure;
  assert.deepEqual(["not_paired", "code_refused", "disabled", "not_loopback", "origin_refused"].map(cure), Array(5).fill("settings"));
  assert.deepEqual(["relay_down", "permission_prompt", "version_mismatch"].map(cure), Array(3).fill("retry"));
  assert.equal(cure("taken_over"), "takeOver");
  assert.equal(cure("connecting"), null);
  assert.equal(statusLine(facts({ connection: { ...CONNECTED, owner: false, reason: reason("owned_elsewhere", { userName: "Brunna" }) } })).cure, "takeOver");
});

for (const [what, changes, label, tone] of [
  ["an agent listens", {}, "Ready", "good"],
  ["no agent listens", { listener: { state: "no-listener" } }, "No agent listens", "wait"],
  ["the tab is worked on", { isWorking: true }, "Working", "busy"],
  ["agents work in the background", { listener: { state: "working", text: "Counting rats", count: 2 } }, "Working", "busy"],
  ["an agent outside drives", { mode: "external" }, "External", "busy"],
  ["the relay has told nothing yet", { listener: null }, "Connected", "idle"],
]) {
  test(`while ${what} the line says so, and what to do`, () => {
    const line = statusLine(facts(changes));
    assert.equal(line.label, label);
    assert.equal(line.tone, tone);
    assert.ok(line.message);
  });
}

test("a member that tells its mode with the status has it in front", () => {
  assert.equal(statusLine(facts({ listener: { state: "ready", mode: "internal" } })).label, "INT. Ready");
  assert.equal(statusLine(facts({ listener: { state: "ready", mode: "external" }, mode: "external" })).label, "EXT. External");
});

test("the listener to try is the one of the relay that is connected", () => {
  const fixOf = (member) => statusLine(facts({ connection: { ...CONNECTED, relay: { member } }, listener: { state: "no-listener" } })).fix;
  assert.match(fixOf("kimi"), /aagm listen --echo\.$/);
  assert.match(fixOf("grok"), /aagm listen --echo --member grok\.$/);
});

test("where nothing answers, to start the relay is the first thing to do", () => {
  for (const code of ["relay_down", "hints"]) assert.match(broken(code).reason.fix, /^Start (it|the relay): twistd --pidfile= -n aagm, with --member grok for Grok\./);
});

test("background work tells what and how many", () => {
  const line = statusLine(facts({ listener: { state: "working", text: "Counting rats", count: 2 } }));
  assert.deepEqual([line.message, line.fix], ["Counting rats", "2 agents."]);
});

test("an older relay, prompts that wait and a page in the background are noted", () => {
  assert.match(statusLine(facts({ isFamilyRelay: true })).notes[0], /older/);
  const { notes } = statusLine(facts({ connection: broken("relay_down"), waiting: 2, wasHidden: true }));
  assert.deepEqual([notes[0], notes.length], ["2 prompts wait and are sent once the relay is there.", 2]);
  assert.match(notes[1], /window of its own/);
});

const POINT = { id: "rp-1", ts: "", summary: "Heal", tabId: null, kind: "eval", state: "live", captured: "2 update, 1 create", docs: ["update Actor Ottar Reed", "update Actor Brunna", "create Item Lantern"] };

test("a card counts what was captured and names the first documents", () => {
  assert.equal(capturedText(POINT), "2 changed, 1 new");
  assert.equal(capturedText({ ...POINT, captured: "no documents touched" }), "No documents");
  const many = { ...POINT, captured: "300 update", docs: Array(12).fill("update Wall w") };
  assert.deepEqual(firstDocuments(many), { first: Array(3).fill({ op: "update", name: "Wall w" }), more: 297 });
});

for (const [what, changes, hasRedo, action] of [
  ["live", {}, false, "rollback"],
  ["partly rolled back", { state: "partial" }, false, "rollback"],
  ["rolled back", { state: "rolled-back" }, false, null],
  ["rolled back, and its undo is live", { state: "rolled-back" }, true, "redo"],
  ["still running", { state: "open" }, false, null],
  ["empty", { state: "empty" }, false, null],
  ["of another world", { otherWorld: "The Dry Inn" }, false, null],
  ["an undo whose change has no card", { kind: "redo", direction: "undo" }, false, "redo"],
  ["an undo whose change has a card", { kind: "redo", direction: "undo" }, true, null],
  ["an undo that was redone", { kind: "redo", direction: "undo", state: "rolled-back" }, false, null],
  ["a redo", { kind: "redo", direction: "redo" }, false, "rollback"],
]) {
  test(`a card that is ${what} offers ${action ?? "nothing"}`, () => {
    const state = stateOf({ ...POINT, ...changes }, hasRedo);
    assert.equal(state.action, action);
    assert.equal(Boolean(state.button), action !== null || what === "rolled back");
  });
}

test("a card tells everything that a person should know of its point", () => {
  const notes = notesOf({ ...POINT, failed: "it timed out", unsaved: true, uncoveredCount: 1, mayExist: 2, tail: 1, own: 1, suspect: "rp-0" });
  assert.equal(notes.length, 7);
  assert.deepEqual(notesOf(POINT), []);
});

test("a question names later changes with their tabs, conflicts with their paths", () => {
  const question = questionOf(
    {
      alsoUndoes: [{ id: "rp-2", summary: "a", tabId: "t-b" }, { id: "rp-3", summary: "b", tabId: "t-b" }],
      conflicts: [{ uuid: "Actor.a", name: "Ottar", path: "system.hp", kind: "changed" }, { uuid: "Item.b", kind: "gone" }],
    },
    () => "Cellar",
  );
  assert.equal(question.others, "2 later changes are undone as well (Cellar)");
  assert.deepEqual(question.conflicts, ["Ottar (system.hp) was changed", "Item.b was deleted"]);
});

test("what came of it is told, failures one by one", () => {
  const documents = [{ says: "Actor Ottar put back", ok: true }, { says: "Item Lantern: locked", ok: false }];
  const done = doneText({ rolledBack: [{ id: "rp-1", summary: "", state: "partial", failed: 1, documents }] }, "rollback");
  assert.deepEqual(done, { text: "Only partly rolled back: 1 document. What was not:", failures: ["Item Lantern: locked"], notes: [], isWhole: false });
  assert.equal(doneText({ rolledBack: [] }, "rollback").text, "Nothing had to be taken back.");
});

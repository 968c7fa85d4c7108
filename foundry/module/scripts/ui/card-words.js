/** What a rollback card says: pure, from a point as the relay tells it. */

/** @import { Point } from "./chat-items.js" */
/** @import { Action, Conflict, Done, Preview } from "./undo-flow.js" */
import { counted, say } from "./words.js";

const OPS = Object.freeze(["update", "create", "delete"]);
const FIRST = 3; // documents that a folded card names

/**
 * @param {Point} point
 * @returns {string}  "2 changed, 1 new"
 */
export function capturedText({ captured = "" }) {
  const counts = [...String(captured).matchAll(/(\d+) (update|create|delete)/g)];
  if (!counts.length) return say("Card.captured.none");
  return counts.map(([, count, op]) => counted(`Card.captured.${op}`, Number(count))).join(", ");
}

/**
 * @param {Point} point
 * @returns {{ op: string, name: string }[]}
 */
export function documentsOf({ docs = [] }) {
  return docs.map((/** @type {string} */ text) => {
    const [op, ...rest] = String(text).split(" ");
    return OPS.includes(op) ? { op, name: rest.join(" ") } : { op: "update", name: String(text) };
  });
}

/**
 * @param {Point} point
 * @returns {{ first: { op: string, name: string }[], more: number }}
 */
export function firstDocuments(point) {
  const all = documentsOf(point);
  const counted = [...String(point.captured ?? "").matchAll(/(\d+) (?:update|create|delete)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const first = all.slice(0, FIRST);
  return { first, more: Math.max(counted, all.length) - first.length };
}

/**
 * @param {Point} point
 * @param {boolean} hasRedo  Of a change: its undo can be taken back. Of an undo: that can be asked for elsewhere.
 * @returns {{ label: string, action: Action|null, button: string }}
 */
export function stateOf(point, hasRedo) {
  const { state, kind, direction, otherWorld } = point;
  const nothing = { label: "", action: null, button: "" };
  if (otherWorld !== undefined) return { ...nothing, label: say("Card.state.otherWorld", { world: otherWorld ?? "" }) };
  if (kind === "redo" && direction === "undo") {
    if (state !== "live" && state !== "partial") return { ...nothing, label: say("Card.state.redone") };
    return hasRedo ? nothing : { label: "", action: "redo", button: say("Card.redo") }; // it stands on the card of what was undone
  }
  switch (state) {
    case "live":
      return { label: "", action: "rollback", button: say("Card.rollBack") };
    case "partial":
      return { label: say("Card.state.partial"), action: "rollback", button: say("Card.rollBackRest") };
    case "rolled-back":
      return { label: say("Card.state.rolledBack"), action: hasRedo ? "redo" : null, button: say("Card.redo") };
    case "open":
      return { ...nothing, label: say("Card.state.open") };
    default:
      return { ...nothing, label: say("Card.state.empty") };
  }
}

/**
 * What a person should know of a point besides: one sentence each.
 * @param {Point} point
 * @returns {string[]}
 */
export function notesOf(point) {
  const { failed, lost, suspect, tail, own, mayExist, uncoveredCount, unsaved } = point;
  return [
    failed && say("Card.note.failed", { why: failed }),
    unsaved && say("Card.note.unsaved"),
    lost && say("Card.note.lost"),
    uncoveredCount && counted("Card.note.uncovered", uncoveredCount),
    mayExist && counted("Card.note.mayExist", mayExist),
    tail && counted("Card.note.tail", tail),
    own && counted("Card.note.own", own),
    suspect && say("Card.note.suspect", { id: suspect }),
  ].filter((note) => typeof note === "string");
}

/**
 * @param {Preview} preview
 * @param {(tabId: string) => string} titleOf
 * @returns {{ others: string, conflicts: string[], isUnchecked: boolean, returning: string[], own: string[], skipped: string[] }}
 */
export function questionOf({ alsoUndoes = [], bringsBack = [], conflicts = [], leftAlone = [], skipped = [] }, titleOf) {
  const tabs = [...new Set(alsoUndoes.map(({ tabId }) => tabId).filter((id) => typeof id === "string"))].map((id) => titleOf(/** @type {string} */ (id)));
  const others = alsoUndoes.length ? counted("Card.question.also", alsoUndoes.length) : "";
  return {
    others: others && tabs.length ? `${others} (${tabs.join(", ")})` : others,
    conflicts: conflicts === "not checked" ? [] : conflicts.map(conflictText),
    isUnchecked: conflicts === "not checked",
    returning: bringsBack.map(({ summary, id }) => summary || id),
    own: leftAlone.map(({ name, uuid }) => name || uuid),
    skipped,
  };
}

/** @param {Conflict} conflict */
function conflictText({ uuid, name, path, kind }) {
  const known = ["changed", "gone", "exists", "edited-after-create"].includes(kind) ? kind : "changed";
  return say(`Card.conflict.${known}`, { name: name || uuid, path: path ?? "" }).replace(/ \(\)/, "");
}

/**
 * @param {Done} done
 * @param {Action} action
 * @returns {{ text: string, failures: string[], notes: string[], isWhole: boolean }}
 */
export function doneText({ rolledBack = [], conflicts, unsaved, leftAlone = [], skipped = [] }, action) {
  const failed = rolledBack.reduce((sum, each) => sum + (each.failed || 0), 0);
  const documents = rolledBack.reduce((sum, each) => sum + each.documents.length + (each.moreDocuments ?? 0), 0);
  const isWhole = failed === 0 && rolledBack.every(({ error }) => !error);
  const verb = action === "redo" ? "redo" : "rollback";
  const key = isWhole ? verb : `part${verb[0].toUpperCase()}${verb.slice(1)}`;
  return {
    text: rolledBack.length ? counted(`Card.done.${key}`, documents - failed) : say("Card.done.nothing"),
    failures: [
      ...rolledBack.flatMap(({ documents: rows }) => rows.filter(({ ok }) => !ok).map(({ says }) => says)),
      ...rolledBack.flatMap(({ error }) => (error ? [error] : [])),
    ],
    notes: [
      conflicts === "not checked" && say("Card.done.unchecked"),
      unsaved && say("Card.done.unsaved"),
      leftAlone.length && counted("Card.done.leftAlone", leftAlone.length),
      skipped.length && counted("Card.done.skipped", skipped.length),
    ].filter((note) => typeof note === "string"),
    isWhole,
  };
}

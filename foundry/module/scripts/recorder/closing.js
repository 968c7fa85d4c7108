/** What became of an intent that no post hook answered: look at the world, before a later write hides it or at the end. */

/** @import { Change } from "../wire.js" */
/** @import { FoundryDocument } from "./documents.js" */
/** @import { Intent } from "./intents.js" */
import { deltaOf, hashWhole, nameOf } from "./documents.js";
import { diffDelta } from "./diff-document.js";
import { equalJson } from "./values.js";
import { findLoaded } from "./lookup.js";
import { readPath } from "./paths.js";

/**
 * @typedef {{ kind: "dropped" }} Dropped  It came to nothing.
 * @typedef {{ kind: "unknown" }} Unknown  It stays an intent; undoing it will look again.
 * @typedef {{ kind: "told", news: Record<string, any> }} Told  It happened.
 * @typedef {{ kind: "delta", document: FoundryDocument, changes: Change[] }} DeltaChanged
 * @typedef {{ kind: "changed", document: FoundryDocument, touched: Map<string, true> }} Changed
 * @typedef {Dropped|Unknown|Told|DeltaChanged|Changed} Verdict
 */

/**
 * @param {Intent} intent
 * @param {object} [known]
 * @param {boolean} [known.wasBatchAnswered]  Another document of its batch was confirmed: this one was refused.
 * @param {boolean} [known.wasDeleted]  It was confirmed to be deleted: this is the same asked for twice.
 * @param {FoundryDocument|null} [document]  The one it is about.
 * @returns {Verdict}
 */
export function lookUp(intent, { wasBatchAnswered = false, wasDeleted = false } = {}, document = findLoaded(intent.uuid)) {
  const { op, uuid, head } = intent;
  if (op === "create" && uuid === null) return { kind: wasBatchAnswered || intent.isTaken ? "dropped" : "unknown" };
  if (op === "delete") return wasDeleted ? { kind: "dropped" } : lookUpDelete(intent, document !== null);
  // A pack's documents are only there when they are loaded.
  if (!document) return { kind: op === "update" && head.pack ? "unknown" : "dropped" };
  const { documentName, _source: source } = document;
  if (op === "create") {
    const news = { uuid, name: nameOf(documentName, source), ...hashWhole(document.uuid, documentName, source) };
    return { kind: "told", news };
  }
  if (intent.isDelta) {
    const changes = diffDelta(intent.before, { actorLink: source.actorLink, delta: deltaOf(document) });
    return changes.length ? { kind: "delta", document, changes } : { kind: "dropped" };
  }
  if (intent.guess.every(({ path, before }) => equalJson(before, readPath(source, path)))) return { kind: "dropped" };
  return { kind: "changed", document, touched: guessedKeys(intent) };
}

/**
 * @param {Intent} intent
 * @returns {Map<string, true>}  The keys of a source that it is about.
 */
export function guessedKeys({ guess }) {
  return new Map(guess.map(({ path }) => [path.split(".")[0], true]));
}

/**
 * @param {Intent} intent
 * @param {boolean} isThere
 * @returns {Verdict}
 */
function lookUpDelete({ head }, isThere) {
  if (isThere) return { kind: "dropped" };
  if (head.pack) return { kind: "unknown" };
  const isParentGone = head.parentUuid !== null && !findLoaded(head.parentUuid);
  if (isParentGone) return { kind: head.partner ? "dropped" : "unknown" }; // it may have gone with what it lay in
  return { kind: "told", news: {} };
}

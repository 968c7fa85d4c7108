/** What became of an intent that no post hook answered: look at the world when the recording closes. */

/** @import { Change } from "../wire.js" */
/** @import { FoundryDocument, Source } from "./documents.js" */
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
 * @param {object} known
 * @param {boolean} known.wasBatchAnswered  Another document of its batch was confirmed: this one was refused.
 * @param {boolean} known.wasDeleted  It was confirmed to be deleted: this is the same asked for twice.
 * @returns {Verdict}
 */
export function lookUp(intent, { wasBatchAnswered, wasDeleted }) {
  const { op, uuid, head } = intent;
  if (op === "create" && uuid === null) return { kind: wasBatchAnswered ? "dropped" : "unknown" };
  const document = findLoaded(uuid);
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
  const touched = touchedBySurprise(intent, source);
  return touched ? { kind: "changed", document, touched } : { kind: "dropped" };
}

/**
 * Did an update happen that no hook told of?
 * @param {Intent} intent
 * @param {Source} source  The document's, now.
 * @returns {Map<string, true>|null}  What it may have touched; null: nothing is different.
 */
export function touchedBySurprise({ guess }, source) {
  if (guess.every(({ path, before }) => equalJson(before, readPath(source, path)))) return null;
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

/** What an update did to a document: changes of its own, and entries of children that were written inline. */

/** @import { Change, CreateEntry, DeleteEntry, UpdateEntry } from "../wire.js" */
/** @import { Source } from "./documents.js" */
/** @import { Touched } from "./leaves.js" */
import { KEPT_STATS, withoutStats } from "./paths.js";
import { childCollections, hashChildren, hashDocument, isRecordedKey, nameOf } from "./documents.js";
import { cloneJson, equalJson } from "./values.js";
import { diffLeaves, guessAfter, leaf, unionKeys } from "./leaves.js";

/**
 * An entry that has no seq yet.
 * @typedef {Omit<CreateEntry, "seq">|Omit<DeleteEntry, "seq">|Omit<UpdateEntry, "seq">} NewEntry
 */

/**
 * Changes of the document itself, children apart.
 * @param {string} documentName
 * @param {Source} before
 * @param {Source} after
 * @param {Map<string, Touched>|null} touched  Null: look everywhere.
 * @returns {Change[]}
 */
export function diffBody(documentName, before, after, touched) {
  /** @type {Change[]} */
  const out = [];
  const children = childCollections(documentName);
  const keys = new Set(touched?.keys() ?? unionKeys(before, after));
  if (documentName === "Token" && keys.has("actorLink")) keys.add("delta"); // what counts as the delta changes with the link
  for (const key of keys) {
    if (!isRecordedKey(key) || children.has(key)) continue;
    if (documentName === "Token" && key === "delta") out.push(...diffDelta(before, after));
    else diffLeaves(before[key], after[key], key, out, touched?.get(key));
  }
  for (const key of KEPT_STATS) {
    diffLeaves(before._stats?.[key] ?? undefined, after._stats?.[key] ?? undefined, `_stats.${key}`, out);
  }
  return out;
}

/**
 * What an update will probably change, from what it asks for.
 * @param {string} documentName
 * @param {Source} before
 * @param {Source} changes
 * @param {{ touched: Map<string, Touched>, recursive: boolean }} how
 * @returns {Change[]}
 */
export function guessBody(documentName, before, changes, { touched, recursive }) {
  const after = /** @type {Source} */ (recursive ? guessAfter(before, changes) : { ...before, ...changes });
  const children = childCollections(documentName);
  /** @type {Change[]} */
  const out = [];
  for (const [key, inner] of touched) {
    if (isRecordedKey(key) && !children.has(key)) diffLeaves(before[key], after[key], key, out, inner);
  }
  return out;
}

/**
 * Changes of a token's delta, its children one leaf each. A linked token's delta does not count.
 * @param {Source} before  The token's.
 * @param {Source} after
 * @returns {Change[]}
 */
export function diffDelta(before, after) {
  const older = before.actorLink ? null : (before.delta ?? null);
  const newer = after.actorLink ? null : (after.delta ?? null);
  if (!older || !newer) return equalJson(older, newer) ? [] : [leaf("delta", withoutStats(older), withoutStats(newer))];
  /** @type {Change[]} */
  const out = [];
  const children = childCollections("ActorDelta");
  for (const key of unionKeys(older, newer)) {
    if (!isRecordedKey(key)) continue;
    if (children.has(key)) out.push(...diffDeltaChildren(`delta.${key}`, older[key] ?? [], newer[key] ?? []));
    else diffLeaves(older[key], newer[key], `delta.${key}`, out);
  }
  return out;
}

/**
 * @param {string} path
 * @param {Source[]} before
 * @param {Source[]} after
 * @returns {Change[]}
 */
function diffDeltaChildren(path, before, after) {
  const older = byId(before);
  const newer = byId(after);
  const out = [];
  for (const id of new Set([...older.keys(), ...newer.keys()])) {
    const was = withoutStats(older.get(id));
    const is = withoutStats(newer.get(id));
    if (!equalJson(was, is)) out.push(leaf(`${path}.${id}`, was, is));
  }
  return out;
}

/**
 * @param {Source[]} list
 * @returns {Map<string, Source>}
 */
export function byId(list) {
  return new Map(list.map((item) => [item._id, item]));
}

/**
 * Entries for the children of one collection that was written inline, and for theirs.
 * @param {{ uuid: string, pack: string|null, userId: string }} parent
 * @param {string} childName
 * @param {Source[]} before
 * @param {Source[]} after
 * @returns {NewEntry[]}
 */
export function diffChildren(parent, childName, before, after) {
  const older = byId(before);
  const newer = byId(after);
  /** @type {NewEntry[]} */
  const out = [];
  for (const id of new Set([...older.keys(), ...newer.keys()])) {
    const was = older.get(id);
    const is = newer.get(id);
    const uuid = `${parent.uuid}.${childName}.${id}`;
    const head = { ...parent, uuid, documentName: childName, name: nameOf(childName, is ?? was ?? {}), parentUuid: parent.uuid };
    if (was && is) out.push(...diffChild(head, was, is));
    else if (was) out.push({ ...head, op: "delete", data: cloneJson(was) });
    else if (is) {
      const hash = hashDocument(childName, is);
      out.push({ ...head, op: "create", hash, children: hashChildren(uuid, childName, is) });
    }
  }
  return out;
}

/**
 * @param {Omit<NewEntry, "op"|"data"|"changes"> & { uuid: string }} head
 * @param {Source} before
 * @param {Source} after
 * @returns {NewEntry[]}
 */
function diffChild(head, before, after) {
  const { uuid, documentName, pack, userId } = head;
  /** @type {NewEntry[]} */
  const out = [];
  const changes = diffBody(documentName, before, after, null);
  if (changes.length) out.push({ ...head, op: "update", changes, hash: hashDocument(documentName, after) });
  for (const [key, childName] of childCollections(documentName)) {
    out.push(...diffChildren({ uuid, pack, userId }, childName, before[key] ?? [], after[key] ?? []));
  }
  return out;
}

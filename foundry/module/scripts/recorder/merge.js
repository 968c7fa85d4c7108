/**
 * Fold raw entries into what a recording did, document by document.
 *
 * The relay does the same in Python when it writes a point; here it serves a family relay, which takes merged entries
 * only, and `rollback.apply`, which takes both.
 */

/** @import { Change, OperationEntry, RawEntry, Uncovered, UpdateEntry } from "../wire.js" */
import { cloneJson, equalJson } from "./values.js";
import { covers, rest, writePath } from "./paths.js";

/**
 * An entry and the raw ones it stands for.
 * @typedef {{ entry: OperationEntry, seqs: number[] }} Merged
 */

/**
 * Apply confirmations and drops to their intents.
 * @param {Iterable<RawEntry>} raw
 * @returns {{ entries: OperationEntry[], uncovered: Uncovered[] }}  Entries in order of seq.
 */
export function resolveIntents(raw) {
  /** @type {Map<number, OperationEntry>} */
  const bySeq = new Map();
  /** @type {Uncovered[]} */
  const uncovered = [];
  const ordered = [...raw].sort((a, b) => a.seq - b.seq);
  for (const item of ordered) {
    if ("uncovered" in item) uncovered.push(item.uncovered);
    else if ("drops" in item) for (const seq of item.drops) bySeq.delete(seq);
    else if ("confirms" in item) {
      const intent = bySeq.get(item.confirms);
      if (!intent) continue;
      const whole = /** @type {any} */ ({ ...intent, ...item, seq: intent.seq });
      delete whole.confirms;
      delete whole.confirmed;
      bySeq.set(intent.seq, whole);
    } else bySeq.set(item.seq, item);
  }
  return { entries: [...bySeq.values()], uncovered };
}

/**
 * One entry a document and life of it: earliest `before`, latest `after`, newest hash.
 *
 * What was created and deleted again leaves nothing; updates of a created document go into its create; an update and
 * the delete that follows stay two.
 * @param {OperationEntry[]} entries  In order of seq.
 * @returns {Merged[]}
 */
export function mergeEntries(entries) {
  /** @type {Merged[]} */
  let merged = [];
  /** @type {Map<string, Merged>} */
  const open = new Map(); // the entry that takes further updates, by uuid and by whether the GM did it
  /** @type {Set<string>} */
  const gone = new Set();
  for (const entry of entries) {
    const { uuid } = entry;
    const key = `${entry.own ? "own " : ""}${uuid}`;
    const known = uuid === null ? undefined : open.get(key);
    if (entry.op === "update") {
      if (known) foldUpdate(known, entry);
      else merged.push(begin(open, key, entry));
      continue;
    }
    if (entry.op === "create") {
      merged.push(begin(open, key, entry));
      for (const each of gone) if (uuid !== null && covers(uuid, each)) gone.delete(each);
      continue;
    }
    if (uuid !== null && gone.has(uuid)) continue; // asked for twice at once, done once
    gone.add(`${uuid}`);
    closeLives(open, uuid);
    if (known?.entry.op === "create" && entry.confirmed !== false) {
      merged = merged.filter((other) => other !== known && !isWithin(other, known));
    } else merged.push({ entry: { ...entry }, seqs: [entry.seq] });
  }
  for (const { entry } of merged) {
    if (entry.op === "update") entry.changes = entry.changes.filter(({ before, after }) => !equalJson(before, after));
  }
  return merged.filter(({ entry }) => entry.op !== "update" || entry.changes.length > 0);
}

/**
 * A document is deleted, and all that lies in it: what comes later under these uuids are others.
 * @param {Map<string, Merged>} open
 * @param {string|null} uuid
 */
function closeLives(open, uuid) {
  open.delete(`${uuid}`);
  open.delete(`own ${uuid}`);
  const below = `${uuid}.`;
  for (const key of open.keys()) if (key.startsWith(below) || key.startsWith(`own ${below}`)) open.delete(key);
}

/**
 * @param {Map<string, Merged>} open
 * @param {string} key
 * @param {OperationEntry} entry
 */
function begin(open, key, entry) {
  const merged = { entry: { ...entry }, seqs: [entry.seq] };
  if (entry.uuid !== null) open.set(key, merged);
  return merged;
}

/**
 * Did this happen to a descendant of the created document, after it was created?
 * @param {Merged} other
 * @param {Merged} created
 */
function isWithin(other, created) {
  const above = created.entry.uuid;
  const { uuid, seq } = other.entry;
  return above !== null && uuid !== null && seq > created.entry.seq && uuid !== above && covers(above, uuid);
}

/**
 * @param {Merged} known
 * @param {UpdateEntry} update
 */
function foldUpdate(known, update) {
  const { entry } = known;
  known.seqs.push(update.seq);
  if (update.hash !== undefined) entry.hash = update.hash;
  if (update.confirmed === false && entry.op === "update") entry.confirmed = false;
  if (!update.tail) delete entry.tail;
  if (!update.partner) delete entry.partner;
  if (!update.side) delete entry.side;
  if (update.types) entry.types = [...new Set([...(entry.types ?? []), ...update.types])];
  if (entry.op === "update") entry.changes = foldChanges(entry.changes, update.changes);
}

/**
 * Changes after changes: as if both had been one. A path above or below another counts as the same place.
 * @param {Change[]} older
 * @param {Change[]} newer
 * @returns {Change[]}  With what came back to its `before`: a later change of that path must still find it.
 */
export function foldChanges(older, newer) {
  /** @type {Map<string, Change>} */
  const byPath = new Map(older.map((change) => [change.path, { ...change }]));
  for (const change of newer) {
    const above = changeAbove(byPath, change.path);
    if (above) setAfter(above, change);
    else byPath.set(change.path, widen(byPath, change));
  }
  return [...byPath.values()];
}

/**
 * @param {Map<string, Change>} byPath
 * @param {string} path
 * @returns {Change|undefined}  The known change of this path or of one above it.
 */
function changeAbove(byPath, path) {
  let at = path;
  for (;;) {
    const found = byPath.get(at);
    if (found) return found;
    const dot = at.lastIndexOf(".");
    if (dot < 0) return undefined;
    at = at.slice(0, dot);
  }
}

/**
 * @param {Change} known
 * @param {Change} change
 */
function setAfter(known, change) {
  if (known.path === change.path) {
    if ("after" in change) known.after = change.after;
    else delete known.after;
    return;
  }
  const whole = { after: cloneJson(known.after ?? {}) };
  writePath(whole, `after.${rest(known.path, change.path)}`, change.after);
  known.after = whole.after;
}

/**
 * Take in what is known below the path: its `before` belongs into the `before` of the whole.
 * @param {Map<string, Change>} byPath
 * @param {Change} change
 * @returns {Change}
 */
function widen(byPath, change) {
  const wide = { ...change };
  for (const below of [...byPath.values()].reverse()) {
    if (!covers(change.path, below.path)) continue;
    byPath.delete(below.path);
    const whole = { before: cloneJson(wide.before ?? {}) };
    writePath(whole, `before.${rest(change.path, below.path)}`, below.before);
    wide.before = whole.before;
  }
  return wide;
}

/** Take away what the point created; nothing else is ever deleted. */

/** @import { CreateEntry, HashedChild, OperationEntry } from "../../wire.js" */
/** @import { FoundryDocument } from "../documents.js" */
/** @import { Remove } from "./plan.js" */
/** @import { UndoContext } from "./apply.js" */
import { PAST } from "./outcome.js";
import { UNDO_MARK } from "../marks.js";
import { combatantsOf } from "../partners.js";
import { contentsOf } from "../folders.js";
import { covers } from "../paths.js";
import { hashChildren, hashDocument } from "../documents.js";
import { grouped, openPlace, placeKey, runsOf, writeRun } from "./batch.js";
import { find } from "../lookup.js";
import { resetSetting } from "./settings.js";
import { sameChildren } from "./check.js";

const NAMED = 3; // of what lies in a folder that stays

/**
 * Which of them may go; asked before anything is written, since taking back the rest touches them too.
 * @param {Remove[]} tasks  Newest first.
 * @param {UndoContext} context
 * @returns {Promise<Remove[]>}
 */
export async function removable(tasks, { outcome, force, protectedDocuments, entries, recreated }) {
  /** @type {Remove[]} */
  const ready = [];
  for (const task of tasks) {
    const document = await find(task.uuid);
    // What it lies in comes back as it was when it was deleted: only then is this one there, again.
    if (!document || recreated.some((uuid) => covers(uuid, task.uuid))) ready.push(task);
    else if (protectedDocuments.includes(document)) outcome.failed(task, "it is protected");
    else if (!force && isEdited(document, task.entry, entries)) outcome.failed(task, "edited since it was created");
    else ready.push(task);
  }
  return ready;
}

/**
 * @param {Remove[]} tasks
 * @param {UndoContext} context
 */
export async function removeAll(tasks, context) {
  const { outcome } = context;
  const ready = await stillThere(tasks);
  const there = new Set(ready);
  for (const task of tasks) if (!there.has(task)) outcome.done(task, "already gone");
  await removeSome(ready, context, { past: false });
  const left = await stillThere(ready);
  const stuck = new Set(left);
  for (const task of ready) if (!stuck.has(task)) outcome.mended(task);
  await removeSome(left, context, { past: true });
  for (const task of left) {
    if (!(await find(task.uuid))) outcome.mended(task, PAST);
    else if (!outcome.isFailed(task)) outcome.failed(task, "it is still there");
  }
}

/**
 * @param {Remove[]} tasks
 * @returns {Promise<Remove[]>}
 */
async function stillThere(tasks) {
  /** @type {Remove[]} */
  const out = [];
  for (const task of tasks) if (await find(task.uuid)) out.push(task);
  return out;
}

/**
 * @param {Remove[]} tasks
 * @param {UndoContext} context
 * @param {{ past: boolean }} how
 */
async function removeSome(tasks, context, how) {
  // Folders last and from the bottom, so that what was created in them is gone before they are: a folder's deletion
  // moves what it holds.
  const folders = await byHeight(tasks.filter(isFolder));
  for (const level of [tasks.filter((task) => !isFolder(task)), ...folders]) {
    for (const run of runsOf(level, ({ entry }) => placeKey(entry))) await removeRun(run, context, how);
  }
}

/**
 * @param {Remove[]} tasks
 * @returns {Promise<Remove[][]>}  Those that hold no other first.
 */
async function byHeight(tasks) {
  /** @type {[number, Remove][]} */
  const ranked = [];
  for (const task of tasks) {
    let depth = 0;
    for (let at = (await find(task.uuid))?.folder; at && depth < 99; at = at.folder) depth += 1;
    ranked.push([depth, task]);
  }
  const levels = grouped(ranked, ([depth]) => depth);
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level.map(([, task]) => task));
}

/** @param {Remove} task */
function isFolder({ entry }) {
  return entry.documentName === "Folder";
}

/**
 * @param {Remove[]} run
 * @param {UndoContext} undo
 * @param {{ past: boolean }} how
 */
async function removeRun(run, { outcome, announce, force }, { past }) {
  const [{ entry }] = run;
  try {
    if (entry.documentName === "Setting") {
      for (const { uuid } of run) await resetSetting(await find(uuid));
      return;
    }
    const { Class, context } = await openPlace(entry);
    const send = async (/** @type {Remove[]} */ tasks) => {
      const options = { ...context, ...UNDO_MARK, ...(past && { noHook: true }) };
      if (past) for (const { uuid } of tasks) announce.preDelete(await find(uuid), options);
      await Class.deleteDocuments(tasks.map(idOf), options);
    };
    const ready = force ? run : await unused(run, outcome);
    if (ready.length) await writeRun(ready, send, (task, error) => outcome.failed(task, error));
  } catch (error) {
    for (const task of run) outcome.failed(task, error);
  }
}

/**
 * Those that nobody uses any more: what the point put there is gone by now, the rest is somebody's.
 * @param {Remove[]} tasks
 * @param {UndoContext["outcome"]} outcome
 * @returns {Promise<Remove[]>}
 */
async function unused(tasks, outcome) {
  /** @type {Remove[]} */
  const out = [];
  for (const task of tasks) {
    const document = await find(task.uuid);
    const names = document && isFolder(task) ? contentsOf(document).map(({ name }) => name) : [];
    if (names.length) {
      const few = names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : names;
      const list = few.join(", ");
      outcome.failed(task, `it is not empty: ${list}`);
    } else if (document?.documentName === "Token" && combatantsOf(document).length) outcome.failed(task, "it takes part in a combat");
    else out.push(task);
  }
  return out;
}

/** @param {{ uuid: string }} task */
export function idOf({ uuid }) {
  return uuid.slice(uuid.lastIndexOf(".") + 1);
}

/**
 * Was it, or what lies in it, changed since the point left it?
 * @param {FoundryDocument} document
 * @param {CreateEntry} entry
 * @param {OperationEntry[]} entries  All of the point, in order.
 */
export function isEdited(document, entry, entries) {
  const { uuid, documentName, _source: source } = document;
  if (entry.hash === undefined) return false;
  if (hashDocument(documentName, source) !== entry.hash) return true;
  return !sameChildren(hashChildren(uuid, documentName, source), leftChildren(entry, entries));
}

/**
 * The descendants of a created document as the point left them.
 * @param {CreateEntry} created
 * @param {OperationEntry[]} entries
 * @returns {HashedChild[]}
 */
function leftChildren(created, entries) {
  const left = new Map((created.children ?? []).map(({ uuid, hash }) => [uuid, hash]));
  for (const entry of entries) {
    const { uuid, seq } = entry;
    if (uuid === null || seq < created.seq || !uuid.startsWith(`${created.uuid}.`)) continue;
    if (entry.op === "delete") {
      for (const known of [...left.keys()]) if (covers(uuid, known)) left.delete(known);
      continue;
    }
    if (entry.hash !== undefined) left.set(uuid, entry.hash);
    if (entry.op === "create") for (const child of entry.children ?? []) left.set(child.uuid, child.hash);
  }
  return [...left].map(([uuid, hash]) => ({ uuid, hash }));
}

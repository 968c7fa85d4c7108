/** Bring deleted documents back, with their ids and their children's. */

/** @import { EntryHead, OperationEntry } from "../../wire.js" */
/** @import { FoundryDocument, Source } from "../documents.js" */
/** @import { NewEntry } from "../diff-document.js" */
/** @import { Recreate } from "./plan.js" */
/** @import { UndoContext } from "./apply.js" */
import { childCollections, hashChildren, hashDocument } from "../documents.js";
import { depthOf, find, worldCollection } from "../lookup.js";
import { diffBody, diffChildren } from "../diff-document.js";
import { idOf, isEdited } from "./remove.js";
import { grouped, openPlace, placeKey, runsOf, writeRun } from "./batch.js";
import { PAST } from "./outcome.js";
import { UNDO_MARK } from "../marks.js";
import { cloneJson } from "../values.js";
import { covers } from "../paths.js";
import { sameChildren } from "./check.js";
import { tame } from "./policy.js";

/**
 * @typedef {{ task: Recreate, data: Source }} Item
 */

/**
 * Parents first; folders before what lies in them.
 * @param {Recreate[]} tasks
 * @param {UndoContext} context
 */
export async function recreateAll(tasks, context) {
  for (const level of levelsOf(tasks)) {
    /** @type {Item[]} */
    const items = [];
    for (const task of level) {
      const item = await prepare(task, context);
      if (item) items.push(item);
    }
    for (const past of [false, true]) {
      const absent = [];
      for (const item of items) if (!(await find(item.task.uuid))) absent.push({ ...item, past });
      for (const run of runsOf(absent, ({ task }) => placeKey(task.entry))) await createRun(run, context);
    }
    for (const item of items) await look(item, context);
  }
}

/**
 * @param {Recreate[]} tasks
 * @returns {Recreate[][]}
 */
function levelsOf(tasks) {
  const folders = new Map(tasks.filter(isFolder).map((task) => [idOf(task), task]));
  const rank = (/** @type {Recreate} */ task) => {
    if (!isFolder(task)) return 1000 * (depthOf(task.uuid) + 1);
    let height = 0;
    for (let at = folders.get(task.entry.data.folder); at && height < 999; at = folders.get(at.entry.data.folder)) height += 1;
    return height;
  };
  const levels = grouped(tasks, rank);
  const inLevel = (/** @type {Recreate[]} */ level) => level.sort((a, b) => (placeKey(a.entry) < placeKey(b.entry) ? -1 : 1));
  return [...levels].sort(([a], [b]) => a - b).map(([, level]) => inLevel(level));
}

/** @param {Recreate} task */
function isFolder({ entry }) {
  return entry.documentName === "Folder";
}

/**
 * @param {Recreate} task
 * @param {UndoContext} context
 * @returns {Promise<Item|null>}  Null when there is nothing to create.
 */
async function prepare(task, context) {
  const { outcome, force, protectedDocuments } = context;
  const { entry, uuid } = task;
  if (protectedDocuments.includes({ documentName: entry.documentName, id: entry.data._id, _source: entry.data, parent: null })) {
    outcome.failed(task, "it is protected");
    return null;
  }
  const { data, note, refused } = await dataOf(task, context);
  const existing = await find(uuid);
  if (existing) {
    if (isSame(existing, data)) outcome.done(task, "it is back already");
    else if (entry.confirmed === false) outcome.done(task, "it was never deleted");
    else if (!force && !task.replacedBy) outcome.failed(task, "another document has its id now");
    else if (!force && !isOurWork(task, context) && isEdited(existing, /** @type {any} */ (task.replacedBy), context.entries)) {
      outcome.failed(task, "edited since it was put there");
    } else if (entry.documentName === "Scene") {
      // Token by token the fighters would go with the tokens; a scene's own deletion leaves them alone.
      await existing.delete({ ...UNDO_MARK }).catch((/** @type {unknown} */ error) => outcome.failed(task, error));
      if (!(await find(uuid))) return { task, data };
    } else await overwrite(existing, data, task, context);
    return null;
  }
  outcome.done(task, note);
  if (refused) outcome.refused(task, refused);
  return { task, data };
}

/**
 * What is sent: without what Foundry keeps for itself, without what policy holds back, without a folder that is gone.
 * @param {Recreate} task
 * @param {UndoContext} context
 */
async function dataOf({ entry }, { force }) {
  const data = cloneJson(entry.data);
  for (const key of Object.keys(data)) if (key.startsWith("_") && key !== "_id" && key !== "_stats") delete data[key];
  const refused = tame(entry.documentName, data, force);
  let note;
  if (data.folder && !(await folderExists(data.folder, entry.pack))) {
    data.folder = null;
    note = "its folder is gone";
  }
  if (entry.documentName === "Token" && data.actorLink) delete data.delta; // it would write through to the actor
  if (data.active === true && (entry.documentName === "Scene" || entry.documentName === "Combat")) data.active = false;
  return { data, note, refused };
}

/**
 * @param {string} id
 * @param {string|null} pack
 */
async function folderExists(id, pack) {
  const folders = pack === null ? worldCollection("Folder") : /** @type {any} */ (game.packs.get(pack))?.folders;
  return folders?.has(id) ?? false;
}

/**
 * @param {(Item & { past: boolean })[]} run
 * @param {UndoContext} context
 */
async function createRun(run, { outcome, announce }) {
  const [{ task, past }] = run;
  const failed = (/** @type {Item} */ item, /** @type {unknown} */ error) => outcome.failed(item.task, error);
  try {
    const { Class, context } = await openPlace(task.entry);
    const send = (/** @type {Item[]} */ items) => {
      const options = { ...context, ...UNDO_MARK, keepId: true, keepEmbeddedIds: true, ...(past && { noHook: true }) };
      const sources = items.map(({ data }) => cloneJson(data));
      if (past) for (const data of sources) announce.preCreate(new Class(data, context), data, options);
      return Class.createDocuments(sources, options);
    };
    await writeRun(run, send, failed);
    if (past) for (const item of run) if (await find(item.task.uuid)) outcome.mended(item.task, PAST);
  } catch (error) {
    for (const item of run) failed(item, error);
  }
}

/**
 * @param {Item} item
 * @param {UndoContext} context
 */
async function look({ task, data }, context) {
  const document = await find(task.uuid);
  if (!document) {
    if (!context.outcome.isFailed(task)) context.outcome.failed(task, "it did not come back");
  } else if (!isSame(document, data)) await overwrite(document, data, task, context);
}

/**
 * @param {FoundryDocument} document
 * @param {Source} data
 */
function isSame({ uuid, documentName, _source: source }, data) {
  if (hashDocument(documentName, source) !== hashDocument(documentName, completed(data, source))) return false;
  return sameChildren(hashChildren(uuid, documentName, source), hashChildren(uuid, documentName, data));
}

/**
 * Make an existing document, and what lies in it, what the data says.
 * @param {FoundryDocument} document
 * @param {Source} data
 * @param {Recreate} task
 * @param {UndoContext} context
 */
async function overwrite(document, data, task, context) {
  for (let tries = 0; tries < 3 && !isSame(document, data); tries++) {
    const rows = await context.again(entriesBetween(document, data, task.entry));
    const wrong = rows.find(({ ok }) => !ok);
    if (wrong) return context.outcome.failed(task, `not as it was: ${wrong.error}`);
  }
  if (!isSame(document, data)) return context.outcome.failed(task, "not as it was: it changes again and again");
  context.overwritten.push(task.uuid);
  context.outcome.done(task, "it was there and was overwritten");
}

/**
 * Was it this rollback that changed it last, when it overwrote what it lies in?
 * @param {Recreate} task
 * @param {UndoContext} context
 */
function isOurWork({ uuid }, { overwritten }) {
  return overwritten.some((above) => covers(above, uuid));
}

/**
 * What was not sent is not ours: it may be as it is.
 * @param {Source} data
 * @param {Source} source
 * @returns {Source}
 */
function completed(data, source) {
  const rest = Object.entries(source).filter(([key]) => !(key in data));
  return { ...data, ...Object.fromEntries(rest) };
}

/**
 * Entries as if the document had gone from `data` to what it is now.
 * @param {FoundryDocument} document
 * @param {Source} data
 * @param {EntryHead} head
 * @returns {OperationEntry[]}
 */
function entriesBetween(document, data, { pack, userId, name, parentUuid }) {
  const { uuid, documentName, _source: source } = document;
  const own = { uuid, documentName, name, parentUuid, pack, userId };
  const changes = diffBody(documentName, completed(data, source), source, null);
  /** @type {NewEntry[]} */
  const entries = changes.length ? [{ op: "update", ...own, changes }] : [];
  for (const [key, childName] of childCollections(documentName)) {
    entries.push(...diffChildren({ uuid, pack, userId }, childName, data[key] ?? [], source[key] ?? []));
  }
  return entries.map((entry, i) => /** @type {OperationEntry} */ ({ ...entry, seq: i + 1 }));
}

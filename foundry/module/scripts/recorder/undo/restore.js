/** Put updated documents back: read just before, written leaf by leaf, looked at afterwards. */

/** @import { Change } from "../../wire.js" */
/** @import { FoundryDocument } from "../documents.js" */
/** @import { Restore } from "./plan.js" */
/** @import { UndoContext } from "./apply.js" */
/** @import { Write } from "./writes.js" */
import { PAST } from "./outcome.js";
import { MODES, buildUpdate, forced, planWrites, writeOptions } from "./writes.js";
import { currentValue, recordedValue } from "./current.js";
import { grouped, openPlace, placeKey, runsOf, writeRun } from "./batch.js";
import { allowedChanges } from "./policy.js";
import { covers } from "../paths.js";
import { equalJson } from "../values.js";
import { find } from "../lookup.js";
import { writeSetting } from "./settings.js";

/** Paths that name files. */
const FILE = /(^|\.)(img|src|path|thumb|avatar)$/;
const FILE_NOTE = "the path is put back; files are not";

/** Leaf by leaf; by whole keys; the same past other modules' listeners, which refuse or edit what is put back. */
const TRIES = [
  { coarse: false, past: false },
  { coarse: true, past: false },
  { coarse: false, past: true },
  { coarse: true, past: true },
];

/**
 * @typedef {object} Item
 * @property {Restore} task
 * @property {FoundryDocument} document
 * @property {Change[]} changes  All that are to be put back.
 * @property {Write} write
 * @property {boolean} past
 */

/**
 * @param {Restore[]} tasks
 * @param {UndoContext} context
 */
export async function restoreAll(tasks, context) {
  let left = await prepareAll(tasks, context);
  for (const { coarse, past } of TRIES) {
    if (!left.length) return;
    const items = left.flatMap(({ task, document, changes }) =>
      planWrites(document, missing(document, changes), { coarse }).map((write) => ({ task, document, changes, write, past })),
    );
    await writeItems(items, context);
    left = await look(left, context, { past, last: coarse && past });
  }
}

/**
 * @typedef {{ task: Restore, document: FoundryDocument, changes: Change[] }} Prepared
 */

/**
 * @param {Restore[]} tasks
 * @param {UndoContext} context
 * @returns {Promise<Prepared[]>}
 */
async function prepareAll(tasks, { outcome, force, protectedDocuments, asked }) {
  /** @type {Prepared[]} */
  const out = [];
  for (const task of tasks) {
    const { entry } = task;
    const document = await find(task.uuid);
    if (!document) outcome.failed(task, "it is gone");
    else if (protectedDocuments.includes(document)) outcome.failed(task, "it is protected");
    else {
      const { changes, refused } = allowedChanges(entry.documentName, document._source, entry.changes, force);
      ask(asked, task.uuid, changes);
      const conflicts = force || entry.confirmed === false ? [] : changed(document, changes);
      if (conflicts.length) outcome.failed(task, `changed since: ${conflicts.join(", ")}`);
      else if (missing(document, changes).length) out.push({ task, document, changes });
      else outcome.done(task);
      if (refused) outcome.refused(task, refused);
    }
  }
  return out;
}

/**
 * @param {UndoContext["asked"]} asked
 * @param {string} uuid
 * @param {Change[]} changes
 */
function ask(asked, uuid, changes) {
  asked.set(uuid, [...(asked.get(uuid) ?? []), ...changes]);
}

/**
 * The changes that are not as they were before.
 * @param {FoundryDocument} document
 * @param {Change[]} changes
 */
function missing(document, changes) {
  const { documentName } = document;
  const relinked = changes.find(({ path }) => path === "actorLink");
  const isLinked = documentName === "Token" && (relinked ? relinked.before : document._source.actorLink);
  return changes.filter(({ path, before }) => {
    if (isLinked && path.startsWith("delta")) return false; // it would write through to the actor
    return !equalJson(currentValue(document, path), recordedValue(documentName, path, before));
  });
}

/**
 * Paths that are neither as they were before nor as the write left them: somebody wrote there since.
 * @param {FoundryDocument} document
 * @param {Change[]} changes
 */
function changed(document, changes) {
  const { documentName } = document;
  const out = [];
  for (const { path, after } of missing(document, changes)) {
    if (!equalJson(currentValue(document, path), recordedValue(documentName, path, after))) out.push(path);
  }
  return out;
}

/**
 * @param {Item[]} items
 * @param {UndoContext} context
 */
async function writeItems(items, context) {
  const { outcome } = context;
  const settings = items.filter(({ write }) => write.mode === "setting");
  for (const { task, document, write } of settings) {
    await writeSetting(document, write.changes).catch((error) => outcome.failed(task, error));
  }
  const ordered = items.filter(({ write }) => write.mode !== "setting");
  const groups = grouped(ordered, ({ task, write }) => `${write.mode} ${placeKey(task.entry)}`);
  const inOrder = [...groups.values()].sort(([a], [b]) => MODES.indexOf(a.write.mode) - MODES.indexOf(b.write.mode));
  for (const group of inOrder) {
    for (const run of runsOf(group, () => "")) await writeOneRun(run, context);
  }
}

/**
 * @param {Item[]} run  Of one place and mode.
 * @param {UndoContext} undo
 */
async function writeOneRun(run, { outcome, announce }) {
  const [{ task, write, past }] = run;
  const failed = (/** @type {Item} */ item, /** @type {unknown} */ error) => outcome.failed(item.task, error);
  let place;
  try {
    place = await openPlace(task.entry);
  } catch (error) {
    for (const item of run) failed(item, error);
    return;
  }
  const { Class, context } = place;
  const send = (/** @type {Item[]} */ items) => {
    const options = { ...context, ...writeOptions(task.entry.documentName, write.mode), ...(past && { noHook: true }) };
    const updates = items.map((item) => forced(buildUpdate(item.document, item.write)));
    if (past) items.forEach(({ document }, i) => announce.preUpdate(document, updates[i], options));
    return Class.updateDocuments(updates.map((update, i) => ({ ...update, _id: items[i].document.id })), options);
  };
  await writeRun(run, send, failed);
}

/**
 * Is it as it was? What is not goes on to the next try, after the last one it has failed.
 * @param {Prepared[]} prepared
 * @param {UndoContext} context
 * @param {{ past: boolean, last: boolean }} how
 * @returns {Promise<Prepared[]>}
 */
async function look(prepared, { outcome, announce, asked }, { past, last }) {
  /** @type {Prepared[]} */
  const left = [];
  for (const { task, changes: known } of prepared) {
    const document = await find(task.uuid);
    const more = additions(document, known, asked.get(task.uuid) ?? [], announce.echo(task.uuid));
    if (more.length) ask(asked, task.uuid, more);
    const changes = [...known, ...more];
    const wrong = document ? missing(document, changes) : changes;
    if (!wrong.length) {
      const note = past ? PAST : changes.some(({ path }) => FILE.test(path)) ? FILE_NOTE : undefined;
      if (outcome.isFailed(task)) outcome.mended(task, note);
      else outcome.done(task, note);
    } else if (last || !document) {
      if (!outcome.isFailed(task)) outcome.failed(task, `not put back: ${wrong.map(({ path }) => path).join(", ")}`);
    } else left.push({ task, document, changes });
  }
  return left;
}

/**
 * What other modules' listeners added to our own write: it goes back too, or becomes what this rollback asked for last.
 * @param {FoundryDocument|null} document
 * @param {Change[]} known  This task's own.
 * @param {Change[]} asked
 * @param {Change[]} echo
 * @returns {Change[]}
 */
function additions(document, known, asked, echo) {
  if (!document) return [];
  const { documentName } = document;
  const isOfNow = (/** @type {Change} */ { path, after }) => equalJson(currentValue(document, path), recordedValue(documentName, path, after));
  const wanted = echo.filter(isOfNow).map((change) => asked.findLast(({ path }) => covers(path, change.path) || covers(change.path, path)) ?? change);
  return [...new Set(wanted)].filter((change) => !known.some(({ path }) => path === change.path));
}

/**
 * A last look at what was put back: what a listener changed meanwhile is put back once more.
 * @param {Restore[]} tasks
 * @param {UndoContext} context
 */
export async function restoreAgain(tasks, context) {
  /** @type {Restore[]} */
  const again = [];
  for (const task of tasks) {
    if (context.outcome.isFailed(task)) continue;
    const document = await find(task.uuid);
    const { changes } = document ? allowedChanges(task.entry.documentName, document._source, task.entry.changes, context.force) : task.entry;
    if (!document || missing(document, changes).length) again.push(task);
  }
  if (again.length) await restoreAll(again, { ...context, force: true });
}

/**
 * `rollback.apply`: take a point's entries back.
 *
 * Deleted documents come back first, parents before children; then updates; then what was created goes; last what is
 * to be active is made active. Every document's outcome is a row; one that fails stops no other.
 */

/** @import { ApplyParams, AppliedRow, Change, OperationEntry, UpdateEntry } from "../../wire.js" */
/** @import { Recorder } from "../recorder.js" */
/** @import { ProtectedDocuments } from "../../protected-documents.js" */
/** @import { Recreate, Remove, Restore, Task } from "./plan.js" */
import { restoreAgain, restoreAll } from "./restore.js";
import { BadParams } from "../../errors.js";
import { Outcome } from "./outcome.js";
import { makePlan } from "./plan.js";
import { normalise, withChildren } from "./normal.js";
import { recreateAll } from "./recreate.js";
import { removable, removeAll } from "./remove.js";

/**
 * What one undo carries through its phases.
 * @typedef {object} UndoContext
 * @property {Outcome} outcome
 * @property {boolean} force
 * @property {ProtectedDocuments} protectedDocuments
 * @property {OperationEntry[]} entries  In order of seq.
 * @property {Map<string, Change[]>} asked  All that this rollback puts back on purpose, by uuid.
 * @property {string[]} recreated  Uuids of what is brought back.
 * @property {string[]} overwritten  Uuids of what was made, with all that lies in it, as it is to be.
 * @property {Pick<Recorder, "preCreate"|"preUpdate"|"preDelete"|"echo">} announce  Takes the place of pre hooks that are
 *   left out, and tells what else our writes changed.
 * @property {(entries: OperationEntry[]) => Promise<AppliedRow[]>} again  Takes further entries back, forced.
 */

/**
 * @param {ApplyParams} params
 * @param {{ protectedDocuments: ProtectedDocuments, recorder: UndoContext["announce"], isFamilyRelay?: boolean }} parts
 *   A family relay asks nobody about conflicts and cannot force: there everything is written, as it always did.
 * @returns {Promise<{ pointId: string, applied: AppliedRow[] }>}
 */
export async function applyUndo({ pointId, entries, force = false }, { protectedDocuments, recorder, isFamilyRelay = false }) {
  if (!Array.isArray(entries)) throw new BadParams("entries must be a list");
  const applied = await takeBack(entries, {
    force: force || isFamilyRelay,
    protectedDocuments,
    announce: recorder,
    asked: new Map(),
  });
  return { pointId, applied };
}

/**
 * @param {OperationEntry[]} entries
 * @param {Pick<UndoContext, "force"|"protectedDocuments"|"announce"|"asked">} how
 * @returns {Promise<AppliedRow[]>}
 */
async function takeBack(entries, how) {
  const outcome = new Outcome();
  const given = normalise(entries);
  const ordered = (await withChildren(given)).sort((a, b) => a.seq - b.seq);
  /** @type {UndoContext} */
  const context = {
    ...how,
    outcome,
    recreated: [],
    overwritten: [],
    entries: ordered,
    again: (more) => takeBack(more, { ...how, force: true }),
  };
  await run(makePlan(ordered), context);
  return outcome.rows(given);
}

/**
 * @param {Task[]} tasks
 * @param {UndoContext} context
 */
async function run(tasks, context) {
  const recreated = /** @type {Recreate[]} */ (tasks.filter(({ kind }) => kind === "recreate"));
  context.recreated.push(...recreated.map(({ uuid }) => uuid));
  const removed = await removable(/** @type {Remove[]} */ (tasks.filter(({ kind }) => kind === "remove")), context);
  /** @type {Restore[]} */
  const restored = [];
  /** @type {Restore[]} */
  const activated = [];
  for (const task of tasks) {
    if (task.kind === "nothing") context.outcome.done(task, task.note);
    if (task.kind !== "restore") continue;
    const [first, last] = splitActivation(task);
    if (first) restored.push(first);
    if (last) activated.push(last);
  }
  activated.push(...recreated.filter((task) => !isActivityKnown(task, tasks)).flatMap(activationOf));
  await recreateAll(recreated, context);
  await restoreAll(restored, context);
  await removeAll(removed, context);
  await restoreAll(activated, context);
  await restoreAgain(restored, context);
  await restoreAgain(activated, context);
}

/**
 * @param {Restore} task
 * @returns {[Restore|null, Restore|null]}  All but becoming active, and becoming active.
 */
function splitActivation(task) {
  const { entry } = task;
  const isLast = (/** @type {{ path: string, before?: unknown }} */ { path, before }) => path === "active" && before === true;
  if (!["Scene", "Combat"].includes(entry.documentName) || !entry.changes.some(isLast)) return [task, null];
  const others = entry.changes.filter((change) => !isLast(change));
  return [
    others.length ? { ...task, entry: { ...entry, changes: others } } : null,
    { ...task, entry: { ...entry, changes: entry.changes.filter(isLast) } },
  ];
}

/**
 * Did the point change whether it is active before it deleted it? Then that change says what it was.
 * @param {Recreate} recreate
 * @param {Task[]} tasks
 */
function isActivityKnown({ uuid }, tasks) {
  return tasks.some((task) => task.kind === "restore" && task.uuid === uuid && task.entry.changes.some(({ path }) => path === "active"));
}

/**
 * @param {Recreate} task
 * @returns {Restore[]}  Makes a scene or combat active that was so when it was deleted.
 */
function activationOf({ uuid, entry, seqs }) {
  if (!["Scene", "Combat"].includes(entry.documentName) || entry.data.active !== true || entry.pack) return [];
  /** @type {UpdateEntry} */
  const update = { ...entry, op: "update", changes: [{ path: "active", before: true, after: false }] };
  return [{ kind: "restore", uuid, seqs, entry: update }];
}

/** From entries to what must be done to take them back: the net effect, document by document. */

/** @import { CreateEntry, DeleteEntry, OperationEntry, UpdateEntry } from "../../wire.js" */
/** @import { Merged } from "../merge.js" */
import { covers } from "../paths.js";
import { mergeEntries } from "../merge.js";

/**
 * @typedef {object} Recreate  It was deleted.
 * @property {"recreate"} kind
 * @property {string} uuid
 * @property {DeleteEntry} entry
 * @property {number[]} seqs
 * @property {CreateEntry|null} replacedBy  The point put another document of the same uuid in its place.
 */

/**
 * @typedef {{ kind: "restore", uuid: string, entry: UpdateEntry, seqs: number[] }} Restore  It was updated.
 * @typedef {{ kind: "remove", uuid: string, entry: CreateEntry, seqs: number[] }} Remove  It was created.
 * @typedef {{ kind: "nothing", seqs: number[], note: string }} Nothing
 * @typedef {Recreate|Restore|Remove|Nothing} Task
 */

/**
 * @param {OperationEntry[]} entries
 * @returns {Task[]}  Newest first.
 */
export function makePlan(entries) {
  const ordered = [...entries].sort((a, b) => a.seq - b.seq);
  /** @type {Map<string, Merged[]>} */
  const byUuid = new Map();
  /** @type {Task[]} */
  const tasks = [];
  for (const merged of mergeEntries(ordered)) {
    const { uuid } = merged.entry;
    if (uuid === null) tasks.push({ kind: "nothing", seqs: merged.seqs, note: "never confirmed; it may exist" });
    else {
      const life = byUuid.get(uuid);
      if (life) life.push(merged);
      else byUuid.set(uuid, [merged]);
    }
  }
  for (const [uuid, life] of byUuid) tasks.push(...tasksOf(uuid, life));
  return withoutCovered(tasks).sort((a, b) => b.seqs[0] - a.seqs[0]);
}

/**
 * @param {string} uuid
 * @param {Merged[]} life  What happened to it, in order.
 * @returns {Task[]}
 */
function tasksOf(uuid, life) {
  /** @type {Task[]} */
  const tasks = [];
  /** @type {Recreate|null} */
  let recreate = null;
  for (const { entry, seqs } of life) {
    if (recreate) {
      if (entry.op === "create") recreate.replacedBy = entry;
      else if (entry.op === "delete") recreate.replacedBy = null;
      recreate.seqs.push(...seqs);
    } else if (entry.op === "update") tasks.push({ kind: "restore", uuid, entry, seqs });
    else if (entry.op === "create") tasks.push({ kind: "remove", uuid, entry, seqs });
    else {
      recreate = { kind: "recreate", uuid, entry, seqs: [...seqs], replacedBy: null };
      tasks.push(recreate);
    }
  }
  return tasks;
}

/**
 * What lies in a created document goes with it; what happened in a document after it was deleted is over with it.
 * @param {Task[]} tasks
 * @returns {Task[]}
 */
function withoutCovered(tasks) {
  /** @type {Map<string, Remove|Recreate>} */
  const above = new Map();
  for (const task of tasks) if (task.kind === "remove" || task.kind === "recreate") above.set(task.uuid, task);
  return tasks.map((task) => {
    if (task.kind === "nothing") return task;
    for (const parent of ancestors(task.uuid)) {
      const over = above.get(parent);
      if (over && over.entry.seq < task.entry.seq) {
        const note = over.kind === "remove" ? "goes with what it lies in" : "what it lies in comes back as it was";
        return { kind: "nothing", seqs: task.seqs, note };
      }
    }
    return task;
  });
}

/**
 * @param {string} uuid
 * @returns {string[]}
 */
function ancestors(uuid) {
  const out = [];
  const parts = uuid.split(".");
  for (let length = parts.length - 2; length >= 2; length -= 2) out.push(parts.slice(0, length).join("."));
  return out.filter((each) => covers(each, uuid));
}

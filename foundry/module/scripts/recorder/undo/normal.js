/** Entries as the rest of the undo expects them, whoever recorded them. */

/** @import { OperationEntry } from "../../wire.js" */
/** @import { Source } from "../documents.js" */
import { BadParams } from "../../errors.js";
import { childCollections } from "../documents.js";
import { diffChildren } from "../diff-document.js";
import { find, parentOf, parseUuid } from "../lookup.js";

/**
 * A family module's entries have no seq, and an update holds the whole document before it: that goes back by whole
 * top-level keys.
 * @param {any[]} entries
 * @returns {OperationEntry[]}  In the same order.
 * @throws {BadParams}
 */
export function normalise(entries) {
  return entries.map((entry, i) => {
    const { op, uuid } = entry ?? {};
    if (!["update", "create", "delete"].includes(op)) throw new BadParams(`entry ${i}: unknown op ${op}`);
    const place = uuid ? { parentUuid: parentOf(uuid), pack: parseUuid(uuid)?.pack ?? null } : {};
    const whole = { seq: i + 1, name: null, userId: "", ...place, ...entry };
    if (op === "update" && !Array.isArray(whole.changes)) return { ...whole, ...wholeChanges(whole) };
    if (op === "delete" && !whole.data) throw new BadParams(`entry ${i}: the deleted document was not kept`);
    return whole;
  });
}

/**
 * @param {{ documentName: string, before?: Source|null }} entry
 */
function wholeChanges({ documentName, before }) {
  const children = childCollections(documentName);
  const keys = Object.keys(before ?? {}).filter((key) => !key.startsWith("_") && key !== "type" && !children.has(key));
  const changes = keys.map((path) => ({ path, before: before?.[path] }));
  return { changes, confirmed: /** @type {false} */ (false) }; // nobody noted what the write left, so nothing is compared
}

/**
 * Child collections that were kept whole (an inline write nobody confirmed) become entries of the children.
 * @param {OperationEntry[]} entries
 * @returns {Promise<OperationEntry[]>}
 */
export async function withChildren(entries) {
  /** @type {OperationEntry[]} */
  const out = [];
  for (const entry of entries) {
    const children = childCollections(entry.documentName);
    const inline = entry.op === "update" ? entry.changes.filter(({ path }) => children.has(path)) : [];
    if (entry.op !== "update" || inline.length === 0) {
      out.push(entry);
      continue;
    }
    out.push({ ...entry, changes: entry.changes.filter(({ path }) => !children.has(path)) });
    const { uuid, pack, userId, seq } = entry;
    const document = await find(uuid);
    for (const { path, before } of document ? inline : []) {
      const childName = /** @type {string} */ (children.get(path));
      const parent = { uuid: /** @type {string} */ (uuid), pack, userId };
      const between = diffChildren(parent, childName, /** @type {Source[]} */ (before ?? []), document._source[path] ?? []);
      out.push(...between.map((each) => /** @type {OperationEntry} */ ({ ...each, seq })));
    }
  }
  return out;
}

/**
 * What a recording knows of the documents it has seen change. An update nobody announced can still be covered when
 * the document was created in this recording, or when the same paths were written before: their last value is known.
 */

/** @import { Change } from "../wire.js" */
/** @import { Touched } from "./leaves.js" */
import { covers, readPath } from "./paths.js";
import { foldChanges } from "./merge.js";
import { isRecordedKey } from "./documents.js";
import { leaf } from "./leaves.js";

/** By uuid. */
export class Ledger {
  /** @type {Set<string>} */
  #created = new Set();
  /** @type {Set<string>} */
  #deleted = new Set();
  /** @type {Map<string, Change[]>}  With the last `after` of each path. */
  #changes = new Map();

  /**
   * @param {string} uuid
   * @param {{ uuid: string }[]} children
   */
  created(uuid, children) {
    this.#created.add(uuid);
    this.#deleted.delete(uuid);
    for (const child of children) this.#created.add(child.uuid);
  }

  /**
   * @param {string} uuid
   * @param {Change[]} changes
   */
  updated(uuid, changes) {
    if (this.#created.has(uuid)) return;
    this.#changes.set(uuid, foldChanges(this.#changes.get(uuid) ?? [], changes));
  }

  /** @param {string} uuid */
  deleted(uuid) {
    this.#deleted.add(uuid);
    for (const each of [...this.#created]) if (covers(uuid, each)) this.#created.delete(each);
    for (const each of [...this.#changes.keys()]) if (covers(uuid, each)) this.#changes.delete(each);
  }

  /**
   * Was this told already? A server may answer twice.
   * @param {string} op
   * @param {string} uuid
   */
  knows(op, uuid) {
    return op === "create" ? this.#created.has(uuid) : this.#deleted.has(uuid);
  }

  /**
   * What an unannounced update changed, if all of it can be known.
   * @param {string} uuid
   * @param {Record<string, any>} source  As it is now.
   * @param {Map<string, Touched>} touched
   * @returns {Change[]|null}  Empty for a created document, whose undo needs no `before`.
   */
  cover(uuid, source, touched) {
    if (this.#created.has(uuid)) return [];
    const known = this.#changes.get(uuid);
    const found = known && pathsOf(touched).map((path) => known.find((change) => covers(change.path, path)));
    if (!found?.every((change) => change !== undefined)) return null;
    return [...new Set(found)].map(({ path, after }) => leaf(path, after, readPath(source, path)));
  }
}

/**
 * @param {Map<string, Touched>} touched
 * @param {string} [above]
 * @returns {string[]}
 */
function pathsOf(touched, above = "") {
  return [...touched].flatMap(([key, inner]) => {
    if (above === "" && !isRecordedKey(key)) return [];
    return inner === true ? [above + key] : pathsOf(inner, `${above}${key}.`);
  });
}

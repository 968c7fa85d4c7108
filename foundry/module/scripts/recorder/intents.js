/** Changes that were asked for and are not confirmed yet. */

/** @import { Change, EntryHead } from "../wire.js" */
/** @import { Source } from "./documents.js" */
import { parentOf } from "./lookup.js";

/**
 * @typedef {object} Intent
 * @property {"update"|"create"|"delete"} op
 * @property {string|null} uuid
 * @property {string|null} tag  The batch; null for what the server is expected to do besides.
 * @property {Omit<EntryHead, "seq">} head
 * @property {Source} before  The body, or for a token's delta `{actorLink, delta}`; the whole source for a delete.
 * @property {string[]} collections  Child collections written inline, kept whole in `before`.
 * @property {number|null} seq  Null while nothing of it was sent.
 * @property {Change[]} guess
 * @property {boolean} isDelta
 * @property {boolean} isTaken  Another document had the id of the one to be created.
 * @property {boolean} isDropped
 */

/** All of one recording, found by what a post hook knows. */
export class Intents {
  /** @type {Map<string, Set<Intent>>} */
  #byKey = new Map();
  /** @type {Map<string, Set<Intent>>}  By every document that theirs lies in. */
  #within = new Map();
  /** @type {Set<Intent>} */
  #all = new Set();

  get size() {
    return this.#all.size;
  }

  [Symbol.iterator]() {
    return [...this.#all][Symbol.iterator]();
  }

  /** @param {Intent} intent */
  add(intent) {
    this.#all.add(intent);
    put(this.#byKey, `${intent.op} ${intent.uuid}`, intent);
    for (const above of placesOf(intent)) put(this.#within, above, intent);
  }

  /** @param {Intent} intent */
  remove(intent) {
    this.#all.delete(intent);
    take(this.#byKey, `${intent.op} ${intent.uuid}`, intent);
    for (const above of placesOf(intent)) take(this.#within, above, intent);
  }

  /**
   * Of that batch, else the server's expected work, else the oldest of ours: the tag is one for a batch, and another
   * listener may have put its own options in place of ours.
   * @param {string} op
   * @param {string|null} uuid
   * @param {string|null} tag
   * @returns {Intent|undefined}
   */
  find(op, uuid, tag) {
    const same = this.#byKey.get(`${op} ${uuid}`) ?? new Set();
    /** @type {Intent|undefined} */
    let expected;
    for (const each of same) {
      if (tag !== null && each.tag === tag) return each;
      if (each.tag === null) expected ??= each;
    }
    if (expected) return expected;
    return tag === null ? undefined : [...same][0];
  }

  /**
   * @param {string} uuid
   * @returns {Intent|undefined}  The server's expected deletion of that document.
   */
  expectedDelete(uuid) {
    for (const each of this.#byKey.get(`delete ${uuid}`) ?? []) if (each.tag === null) return each;
    return undefined;
  }

  /**
   * @param {string} uuid
   * @returns {Intent[]}  Updates of that document that no hook tells of: the server's.
   */
  expectedUpdates(uuid) {
    return [...(this.#byKey.get(`update ${uuid}`) ?? [])].filter(({ tag }) => tag === null);
  }

  /**
   * @param {string} uuid
   * @returns {Intent[]}  Updates of deltas in that document: nobody is told of one whose actor goes meanwhile.
   */
  deltasIn(uuid) {
    return [...(this.#byKey.get(`update ${uuid}`) ?? []), ...(this.#within.get(uuid) ?? [])].filter(({ isDelta }) => isDelta);
  }

  /**
   * @param {string} uuid
   * @returns {Intent[]}  Deletions of what lies in that document: nobody is told of one that came after the document's own.
   */
  deletesIn(uuid) {
    return [...(this.#within.get(uuid) ?? [])].filter(({ op }) => op === "delete");
  }

  /**
   * A created document has its id only afterwards: the oldest of its batch, kind and place.
   * @param {{ tag: string|null, documentName: string, parentUuid: string|null }} what
   * @returns {Intent|undefined}
   */
  findCreate({ tag, documentName, parentUuid }) {
    for (const each of this.#byKey.get("create null") ?? []) {
      const { head } = each;
      if (each.tag === tag && head.documentName === documentName && head.parentUuid === parentUuid) return each;
    }
    return undefined;
  }
}

/**
 * @param {Intent} intent
 * @returns {string[]}  What its document lies in, nearest first.
 */
function placesOf({ uuid, head }) {
  const out = [];
  for (let at = uuid === null ? null : head.parentUuid; at; at = parentOf(at)) out.push(at);
  return out;
}

/**
 * @param {Map<string, Set<Intent>>} sets
 * @param {string} key
 * @param {Intent} intent
 */
function put(sets, key, intent) {
  const known = sets.get(key);
  if (known) known.add(intent);
  else sets.set(key, new Set([intent]));
}

/**
 * @param {Map<string, Set<Intent>>} sets
 * @param {string} key
 * @param {Intent} intent
 */
function take(sets, key, intent) {
  const known = sets.get(key);
  known?.delete(intent);
  if (known?.size === 0) sets.delete(key);
}

/** Find documents by name and text, in the world and in the indexes of its compendiums. */

/** @import { ProtectedDocuments } from "../protected-documents.js" */
import { excerpt, fold, rankName, wordsOf } from "./words.js";
import { BadParams } from "../errors.js";
import { Memory } from "./memory.js";
import { breathe } from "./breathe.js";

const IN_TEXT = 4; // the rank of what has the words in its text only
const AT_ONCE = 2000; // documents looked at before the page may draw

/** Collections that hold what people look for, and what is inside that they look for, too. */
const WORLD = Object.freeze({
  Actor: ["items"],
  Cards: ["cards"],
  Folder: [],
  Item: [],
  JournalEntry: ["pages"],
  Macro: [],
  Playlist: ["sounds"],
  RollTable: ["results"],
  Scene: ["tokens"],
});

/**
 * @typedef {object} Hit
 * @property {string} uuid
 * @property {string} name
 * @property {string} documentName
 * @property {string} [type]
 * @property {string} [pack]
 * @property {string} [parent]  The name of the document it lies in.
 * @property {"name"|"text"} match
 * @property {string} [excerpt]
 */

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} folded
 * @property {string} documentName
 * @property {string|undefined} type
 * @property {number} rank
 * @property {any} [document]  Of the world.
 * @property {{ pack: any, id: string }} [entry]  Of a compendium's index.
 */

/** What a tab remembers of its documents for the next search. */
export class WorldSearch {
  #memory = new Memory();
  #protected;

  /** @param {{ protectedDocuments: ProtectedDocuments }} parts */
  constructor({ protectedDocuments }) {
    this.#protected = protectedDocuments;
  }

  /**
   * @param {{ query: string, type?: string, where?: "all"|"world"|"compendiums", limit: number, from: number }} wanted
   * @returns {Promise<{ total: number, results: Hit[], unread?: string[] }>}  `unread`: packs whose index failed.
   * @throws {BadParams}
   */
  async find({ query, type, where = "all", limit, from }) {
    const words = wordsOf(query);
    if (words.length === 0) throw new BadParams("query has no words");
    this.#memory.watch();
    const whole = fold(query.trim());
    const kinds = new Kinds(type);
    /** @type {Candidate[]} */
    const found = [];
    /** @type {string[]} */
    const unread = [];
    let seen = 0;
    if (where !== "compendiums") {
      for (const document of worldDocuments()) {
        if (++seen % AT_ONCE === 0) await breathe();
        const hit = this.#matchDocument(document, words, whole, kinds);
        if (hit) found.push(hit);
      }
    }
    if (where !== "world") {
      for (const pack of await openPacks(unread)) {
        for (const entry of pack.index) {
          if (++seen % AT_ONCE === 0) await breathe();
          const hit = this.#matchEntry(pack, entry, words, whole, kinds);
          if (hit) found.push(hit);
        }
      }
    }
    kinds.require();
    found.sort(byRank);
    const results = found.slice(from, from + limit).map((candidate) => this.#shape(candidate, words));
    return { total: found.length, results, ...(unread.length > 0 ? { unread } : {}) };
  }

  /**
   * @param {any} document
   * @param {string[]} words
   * @param {string} whole
   * @param {Kinds} kinds
   * @returns {Candidate|null}
   */
  #matchDocument(document, words, whole, kinds) {
    const { documentName } = document;
    const { name, type } = document._source;
    if (!kinds.include(documentName, type)) return null;
    const known = this.#memory.of(document);
    const rank = rankName(known.name, words, whole) ?? (hasAll(known.both, words) ? IN_TEXT : null);
    if (rank === null || this.#protected.includes(document)) return null;
    return { name: name || documentName, folded: known.name, documentName, type, rank, document };
  }

  /**
   * @param {any} pack
   * @param {any} entry
   * @param {string[]} words
   * @param {string} whole
   * @param {Kinds} kinds
   * @returns {Candidate|null}
   */
  #matchEntry(pack, entry, words, whole, kinds) {
    const { documentName } = pack;
    if (!kinds.include(documentName, entry.type)) return null;
    const folded = this.#memory.ofEntry(entry);
    const rank = rankName(folded, words, whole);
    if (rank === null || this.#protected.includes({ documentName, id: entry._id, _source: entry })) return null;
    return { name: entry.name, folded, documentName, type: entry.type, rank, entry: { pack, id: entry._id } };
  }

  /**
   * @param {Candidate} candidate
   * @param {string[]} words
   * @returns {Hit}
   */
  #shape({ name, documentName, type, rank, document, entry }, words) {
    /** @type {Hit} */
    const hit = { uuid: "", name, documentName, match: rank === IN_TEXT ? "text" : "name" };
    if (typeof type === "string") hit.type = type;
    if (entry) {
      hit.uuid = `Compendium.${entry.pack.collection}.${documentName}.${entry.id}`;
      hit.pack = entry.pack.title ?? entry.pack.collection;
      return hit;
    }
    hit.uuid = document.uuid;
    if (document.parent) hit.parent = document.parent.name;
    if (rank === IN_TEXT) hit.excerpt = excerpt(this.#memory.textOf(document), words);
    return hit;
  }
}

/** The type that is asked for: a kind of document, or a sub-type of the game system. */
class Kinds {
  #wanted;
  #isKind;
  #wasSeen = false;

  /** @param {string|undefined} wanted */
  constructor(wanted) {
    this.#wanted = wanted;
    this.#isKind = wanted !== undefined && documentNames().has(wanted);
  }

  /**
   * @param {string} documentName
   * @param {unknown} type
   */
  include(documentName, type) {
    if (this.#wanted === undefined) return true;
    const isOne = (this.#isKind ? documentName : type) === this.#wanted;
    this.#wasSeen ||= isOne;
    return isOne;
  }

  /** @throws {BadParams} When the type is neither a kind of document nor a sub-type of any that was seen. */
  require() {
    if (this.#wanted === undefined || this.#isKind || this.#wasSeen || subTypes().has(this.#wanted)) return;
    throw new BadParams(`no document is of type ${this.#wanted}; kinds are ${[...documentNames()].sort().join(", ")}`);
  }
}

/** @returns {Set<string>} */
function documentNames() {
  const names = new Set(Object.keys(WORLD));
  for (const name of Object.keys(WORLD)) for (const key of childKeys(name)) names.add(childName(name, key));
  for (const pack of /** @type {any} */ (game.packs)) names.add(pack.documentName);
  return names;
}

/** @returns {Set<string>}  The sub-types that the game system and modules define. */
function subTypes() {
  const types = /** @type {Record<string, string[]>} */ (/** @type {any} */ (game).documentTypes ?? {});
  return new Set(Object.values(types).flat());
}

/**
 * @param {string} name
 * @returns {string[]}
 */
function childKeys(name) {
  return /** @type {any} */ (WORLD)[name];
}

/**
 * @param {string} name
 * @param {string} key
 * @returns {string}
 */
function childName(name, key) {
  const embedded = /** @type {any} */ (CONFIG)[name]?.documentClass?.metadata?.embedded ?? {};
  return Object.keys(embedded).find((each) => embedded[each] === key) ?? key;
}

/** @returns {Generator<any>} */
function* worldDocuments() {
  for (const name of Object.keys(WORLD)) {
    const keys = childKeys(name);
    for (const document of /** @type {any} */ (game.collections).get(name) ?? []) {
      yield document;
      for (const key of keys) yield* document[key] ?? [];
    }
  }
}

/**
 * @param {string[]} unread  Takes the packs whose index cannot be had.
 * @returns {Promise<any[]>}  The packs, each with its index.
 */
async function openPacks(unread) {
  const packs = [.../** @type {any} */ (game.packs)];
  const isOpen = await Promise.all(
    packs.map(async (pack) => {
      try {
        // What getIndex gives differs between 12 and 13; the pack's own index does not.
        if (pack.indexed !== true && !pack.index?.size) await pack.getIndex();
        return true;
      } catch {
        unread.push(pack.title ?? pack.collection);
        return false;
      }
    }),
  );
  return packs.filter((pack, i) => isOpen[i] && pack.index);
}

/**
 * @param {string} text
 * @param {string[]} words
 */
function hasAll(text, words) {
  return words.every((word) => text.includes(word));
}

/**
 * @param {Candidate} a
 * @param {Candidate} b
 */
function byRank(a, b) {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.folded !== b.folded) return a.folded < b.folded ? -1 : 1;
  return Number(Boolean(a.entry)) - Number(Boolean(b.entry));
}

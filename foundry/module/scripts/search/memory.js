/** Names and texts of documents as they are compared, kept until a document changes. */

import { childCollections } from "../recorder/documents.js";
import { fold } from "./words.js";
import { proseOf } from "./prose.js";
import { recordedTypes } from "../recorder/hooks.js";

const ROOM = 40 * 1024 * 1024; // characters of text that are kept

/**
 * `both` is the name and the text, so that words may stand in either.
 * @typedef {{ original: string, name: string, both: string, modified: unknown }} Known
 */

export class Memory {
  /** @type {WeakMap<object, Known>} */
  #documents = new WeakMap();
  /** @type {WeakMap<object, { original: string, name: string }>} */
  #entries = new WeakMap();
  #used = 0;
  #isWatching = false;

  /** Forget a document as soon as it changes. */
  watch() {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const forget = (/** @type {any} */ document) => this.#forget(document);
    for (const name of recordedTypes()) {
      for (const what of ["update", "delete"]) /** @type {any} */ (Hooks).on(`${what}${name}`, forget);
    }
  }

  /** @param {object} document */
  #forget(document) {
    this.#used -= this.#documents.get(document)?.both.length ?? 0;
    this.#documents.delete(document);
  }

  /**
   * @param {any} document
   * @returns {Known}
   */
  of(document) {
    const source = document._source;
    const original = source.name ?? "";
    const modified = source._stats?.modifiedTime;
    const known = this.#documents.get(document);
    // A change that fires no hook still changes the time, or the name.
    if (known && known.original === original && known.modified === modified) return known;
    this.#forget(document);
    const name = fold(original);
    const text = fold(this.textOf(document));
    const fresh = { original, name, both: text === "" ? name : `${name} · ${text}`, modified };
    if (this.#used < ROOM) {
      this.#used += fresh.both.length;
      this.#documents.set(document, fresh);
    }
    return fresh;
  }

  /**
   * @param {any} document
   * @returns {string}  As it is written.
   */
  textOf(document) {
    return proseOf(document._source, childCollections(document.documentName));
  }

  /**
   * @param {any} entry  Of a compendium's index.
   * @returns {string}  Its folded name.
   */
  ofEntry(entry) {
    const original = entry.name ?? "";
    const known = this.#entries.get(entry);
    if (known !== undefined && known.original === original) return known.name;
    const name = fold(original);
    this.#entries.set(entry, { original, name });
    return name;
  }
}

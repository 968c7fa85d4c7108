/** Which documents an agent's write must leave alone: the relay's list, and our own settings. */

/** @import { ProtectedList } from "./wire.js" */
import { MODULE_ID } from "./identity.js";

/**
 * The documents that are never changed for an agent, never in a point, never restored.
 *
 * Any doubt (a document that throws when it is looked at) counts as protected.
 */
export class ProtectedDocuments {
  /** @type {Set<string>} */
  #ids = new Set();
  /** @type {((name: string) => boolean)[]} */
  #names = [];
  /** @type {{ scope: string, key: string }[]} */
  #flags = [];

  /** @param {ProtectedList|undefined} list  From hello's answer; undefined protects nothing but ours. */
  replace(list) {
    this.#ids = new Set(list?.ids ?? []);
    this.#names = (list?.names ?? []).map(namePattern);
    this.#flags = list?.flags ?? [];
  }

  /**
   * @param {any} document
   * @returns {boolean}
   */
  includes(document) {
    try {
      for (let at = document; at; at = at.parent) if (this.#isListed(at)) return true;
      return false;
    } catch {
      return true;
    }
  }

  /** @param {any} document */
  #isListed(document) {
    const source = document._source ?? {};
    const id = document.id ?? source._id;
    if (document.documentName === "Setting") return String(source.key ?? "").startsWith(`${MODULE_ID}.`);
    if (id && this.#ids.has(id)) return true;
    if (!document.documentName?.startsWith("JournalEntry")) return false;
    const name = String(source.name ?? "").toLowerCase();
    if (this.#names.some((matches) => matches(name))) return true;
    return this.#isFlagged(source) || (source.pages ?? []).some((/** @type {any} */ page) => this.#isFlagged(page));
  }

  /** @param {any} source */
  #isFlagged(source) {
    return this.#flags.some(({ scope, key }) => Boolean(source?.flags?.[scope]?.[key]));
  }
}

/**
 * @param {string} pattern
 * @returns {(name: string) => boolean}
 */
function namePattern(pattern) {
  const wanted = pattern.toLowerCase();
  if (!wanted.endsWith("*")) return (name) => name === wanted;
  return (name) => name.startsWith(wanted.slice(0, -1));
}

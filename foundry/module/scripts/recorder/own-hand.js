/** Tell the GM's own hand from a script, as well as it can be told. */

/** @import { FoundryDocument } from "./documents.js" */

const RECENT = 1000; // ms between a click or key and the write it causes

const PLACE = new Set(["_id", "x", "y", "elevation", "rotation", "sort", "width", "height", "shape"]);

const BY_HAND = new Set(["dragging", "keyboard", "config"]);

/** Watches clicks and keys of the page. */
export class OwnHand {
  #last = -Infinity;
  #now;

  /** @param {() => number} [now] */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** @param {EventTarget} page */
  watch(page) {
    const note = (/** @type {Event} */ event) => {
      if (event.isTrusted) this.#last = this.#now();
    };
    for (const type of ["pointerdown", "pointerup", "keydown", "drop", "wheel"]) {
      page.addEventListener(type, note, { capture: true, passive: true });
    }
  }

  /**
   * Is this update probably the GM's own: a token that is dragged, a selection kept in the user?
   * @param {FoundryDocument} document
   * @param {Record<string, unknown>} changes
   * @param {any} options
   */
  didUpdate(document, changes, options) {
    const { documentName } = document;
    if (documentName !== "Token" && documentName !== "User") return false;
    if (documentName === "Token" && !Object.keys(changes).every((key) => key.startsWith("_") || PLACE.has(key))) return false;
    const method = options?.movement?.[document.id]?.method;
    if (method !== undefined) return BY_HAND.has(method);
    return this.#now() - this.#last < RECENT;
  }
}

/**
 * World time goes on by itself: it is kept, and put back only when asked for.
 * @param {FoundryDocument} document
 */
export function isWorldClock({ documentName, _source: source }) {
  return documentName === "Setting" && source.key === "core.time";
}

/** Tell the GM's own hand from a script, as well as it can be told. */

/** @import { FoundryDocument } from "./documents.js" */

const RECENT = 1000; // ms between a click or key and the write it causes

const AT_ONCE = 300; // ms between what is done in a window, as a sheet's field, and its write

const DELETES = new Set(["Delete", "Backspace"]);

const PLACE = new Set(["_id", "x", "y", "elevation", "rotation", "sort", "width", "height", "shape"]);

const BY_HAND = new Set(["dragging", "keyboard", "config"]);

/** Watches clicks and keys of the page. */
export class OwnHand {
  #last = -Infinity;
  #lastAct = -Infinity; // in the interface, our own windows and the canvas left out
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
    const act = (/** @type {any} */ event) => {
      if (event.isTrusted && isAct(event)) this.#lastAct = this.#now();
    };
    for (const type of ["pointerup", "keydown", "change", "drop"]) {
      page.addEventListener(type, act, { capture: true, passive: true });
    }
  }

  /** Did the GM just now do something in a window, a sheet, the sidebar, that a write may come of? */
  get isActing() {
    return this.#now() - this.#lastAct < AT_ONCE;
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
 * A click or key on the canvas plays and writes nothing but places; what is typed to the agent is no change either.
 * @param {Event & { key?: string }} event
 */
function isAct({ type, key = "", target }) {
  const { tagName = "", closest } = /** @type {Partial<Element>} */ (target ?? {});
  if (closest?.call(target, ".aagm")) return false;
  if (type === "drop") return true;
  if (type === "keydown" && ["", "BODY", "CANVAS"].includes(tagName)) return DELETES.has(key);
  return !["", "BODY", "CANVAS"].includes(tagName);
}

/**
 * World time goes on by itself: it is kept, and put back only when asked for.
 * @param {FoundryDocument} document
 */
export function isWorldClock({ documentName, _source: source }) {
  return documentName === "Setting" && source.key === "core.time";
}

/** The transcript of one tab: lines and cards in order; what has not changed is not drawn anew. */

/** @import { Item, LineItem } from "../chat-items.js" */
/** @import { CardParts } from "./card.js" */
import { button, el } from "../dom.js";
import { counted, say } from "../words.js";
import { Card } from "./card.js";
import { lineElement } from "./line.js";

const NEAR = 48; // pixels from the end that count as the end

/**
 * @typedef {object} TranscriptParts
 * @property {CardParts} card
 * @property {() => string} speaker  The member's name.
 * @property {(text: string) => void} sendAgain
 * @property {() => void} showAll  Older cards too.
 */

/** One scrolling log. */
export class Transcript {
  #parts;
  /** @type {Map<string, { item: Item, element: HTMLElement, card?: Card }>} */
  #shown = new Map();
  #lines = el("div", { class: "aagm-lines" });
  #log = el("div", { class: "aagm-log", role: "log", tabindex: 0, "aria-label": say("Window.transcript") }, this.#lines);
  #empty = el("p", { class: "aagm-empty" });
  #toEnd = button(say("Window.toEnd"), () => this.scrollToEnd(), { icon: "down", attributes: { class: "aagm-button aagm-to-end", hidden: true } });
  #isAtEnd = true;
  #isFresh = false; // are there lines of an estimated height?
  #last = { top: 0, height: 0 }; // of the last scrolling
  #speaker = "";

  /** @param {TranscriptParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#log.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    // Lines have their true height once they are seen, and cards unfold: the end stays the end.
    new ResizeObserver(() => this.settle()).observe(this.#lines);
    this.element = el("div", { class: "aagm-transcript" }, this.#log, this.#toEnd);
  }

  /**
   * @param {Item[]} items
   * @param {{ isTold: boolean }} facts
   */
  update(items, { isTold }) {
    const speaker = this.#parts.speaker();
    if (speaker !== this.#speaker) {
      this.#speaker = speaker;
      for (const [key, { card }] of this.#shown) if (!card) this.#drop(key);
    }
    const wanted = new Set(items.map(({ key }) => key));
    for (const key of this.#shown.keys()) if (!wanted.has(key)) this.#drop(key);
    let grew = false;
    items.forEach((item, at) => {
      const { element, isNew } = this.#element(item);
      grew ||= isNew;
      if (this.#lines.children[at] !== element) this.#lines.insertBefore(element, this.#lines.children[at] ?? null);
    });
    this.#showEmpty(items.length === 0, isTold);
    if (this.#isAtEnd) this.scrollToEnd();
    else if (grew) this.#toEnd.hidden = false;
  }

  /** Also when the log was not on the page while it was filled. */
  scrollToEnd() {
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#isAtEnd = true;
    this.#toEnd.hidden = true;
  }

  settle() {
    if (this.#isAtEnd) this.scrollToEnd();
  }

  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.#log;
    if (clientHeight === 0) return; // not shown: it says nothing
    const isUpwards = scrollTop < this.#last.top && scrollHeight >= this.#last.height;
    this.#last = { top: scrollTop, height: scrollHeight };
    // The first step upwards is meant, however small: the end must not pull it back.
    this.#isAtEnd = !isUpwards && scrollTop + clientHeight >= scrollHeight - NEAR;
    if (this.#isAtEnd) this.#toEnd.hidden = true;
  }

  /** @param {string} key */
  #drop(key) {
    this.#shown.get(key)?.element.remove();
    this.#shown.delete(key);
  }

  /**
   * @param {Item} item
   * @returns {{ element: HTMLElement, isNew: boolean }}
   */
  #element(item) {
    const known = this.#shown.get(item.key);
    if (known && isSame(known.item, item)) return { element: known.element, isNew: false };
    if (known?.card && item.kind === "card") {
      known.card.update(item.point);
      return { element: known.element, isNew: false };
    }
    known?.element.remove();
    const made = this.#make(item);
    this.#shown.set(item.key, { item, ...made });
    return { element: made.element, isNew: known === undefined };
  }

  /**
   * @param {Item} item
   * @returns {{ element: HTMLElement, card?: Card }}
   */
  #make(item) {
    if (item.kind === "card") {
      const card = new Card(item.point, this.#parts.card);
      return { element: card.element, card };
    }
    if (item.kind === "older") return { element: el("div", { class: "aagm-older" }, button(counted("Window.older", item.count), () => this.#parts.showAll(), { icon: "undo", isQuiet: true })) };
    const element = lineElement(item, { speaker: this.#speaker, sendAgain: this.#parts.sendAgain });
    element.classList.add("aagm-fresh");
    this.#freshen();
    return { element };
  }

  /** Give the new lines their true height when there is time, before anybody scrolls. */
  #freshen() {
    if (this.#isFresh) return;
    this.#isFresh = true;
    whenIdle(() => {
      this.#isFresh = false;
      for (const line of this.#lines.querySelectorAll(".aagm-fresh")) line.classList.remove("aagm-fresh");
    });
  }

  /**
   * @param {boolean} isEmpty
   * @param {boolean} isTold
   */
  #showEmpty(isEmpty, isTold) {
    if (!isEmpty) return this.#empty.remove();
    this.#empty.textContent = say(isTold ? "Window.empty" : "Window.untold");
    if (!this.#empty.isConnected) this.#lines.append(this.#empty);
  }
}

/** @param {() => void} run */
function whenIdle(run) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: 500 });
  else setTimeout(run, 200); // Safari
}

/**
 * @param {Item} a
 * @param {Item} b
 */
function isSame(a, b) {
  if (a.kind === "card" || b.kind === "card") return false; // a card knows itself what is new
  if (a.kind === "older" || b.kind === "older") return a.kind === b.kind && /** @type {any} */ (a).count === /** @type {any} */ (b).count;
  const members = /** @type {(keyof LineItem)[]} */ (["text", "ts", "role", "promptId", "isCancelled", "isInterrupt", "waits"]);
  return members.every((member) => a[member] === b[member]);
}


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
  #top = 0; // pixels scrolled down when that was last looked at
  #speaker = "";

  /** @param {TranscriptParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#log.addEventListener("scroll", () => this.#look(), { passive: true });
    // Lines have their true height once they are seen, and cards unfold: the end stays the end.
    new ResizeObserver(() => this.settle()).observe(this.#lines);
    this.element = el("div", { class: "aagm-transcript" }, this.#log, this.#toEnd);
  }

  /**
   * @param {Item[]} items
   * @param {{ isTold: boolean }} facts
   */
  update(items, { isTold }) {
    this.#look();
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
    this.#top = this.#log.scrollTop;
    this.#follow(true);
  }

  settle() {
    this.#look();
    if (this.#isAtEnd) this.scrollToEnd();
  }

  /** Where has the reader gone? Asked before anything is scrolled: the browser's own word may come a frame later. */
  #look() {
    const { scrollTop, clientHeight, scrollHeight } = this.#log;
    const below = scrollHeight - clientHeight - scrollTop;
    // The first step upwards is meant, however small. At the very end it was the browser's: there is less to scroll.
    const isUpwards = scrollTop < this.#top && below > 1;
    const isShown = clientHeight > 0; // else it says nothing
    if (isShown && isUpwards) this.#follow(false);
    else if (isShown && scrollTop !== this.#top && below <= NEAR) this.#follow(true);
    this.#top = scrollTop;
  }

  /** @param {boolean} isAtEnd */
  #follow(isAtEnd) {
    this.#isAtEnd = isAtEnd;
    if (isAtEnd) this.#toEnd.hidden = true;
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

  /** Give the new lines their true height when there is time, and at once: nobody can scroll meanwhile. */
  #freshen() {
    if (this.#isFresh) return;
    this.#isFresh = true;
    whenIdle(() => {
      this.#isFresh = false;
      this.#hold(() => {
        for (const line of this.#lines.querySelectorAll(".aagm-fresh")) line.classList.remove("aagm-fresh");
      });
    });
  }

  /**
   * Whatever gets another height: the end stays in sight, or the first line there is.
   * @param {() => void} change
   */
  #hold(change) {
    this.#look();
    const top = this.#log.getBoundingClientRect().top;
    const first = [...this.#lines.children].find((line) => line.getBoundingClientRect().bottom > top);
    const before = first?.getBoundingClientRect().top;
    change();
    if (this.#isAtEnd) return this.scrollToEnd();
    if (first && before !== undefined) this.#log.scrollTop += first.getBoundingClientRect().top - before;
    this.#top = this.#log.scrollTop;
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


/** The chat window: a shell around `ChatView`, the same class for Foundry 12, 13 and 14. */

/** @import { ChatState } from "./chat-state.js" */
/** @import { WindowMemory } from "./memory.js" */
import { ChatView } from "./views/chat-view.js";
import { defineOneWindow } from "./one-window.js";
import { hasPage } from "./dom.js";
import { onScreen } from "./memory.js";
import { say } from "./words.js";

export const CHAT_ID = "aagm-chat-window";
const SIZE = Object.freeze({ width: 480, height: 640 });
const QUIET = 300; // ms after a move until the place is written down

/**
 * @typedef {object} WindowParts
 * @property {any} api
 * @property {ChatState} state
 * @property {WindowMemory} memory
 * @property {() => void} openSettings
 * @property {() => boolean} wasHidden
 */

/**
 * Define the class once Foundry's own is there.
 * @param {WindowParts} parts
 * @returns {any}  A subclass of ApplicationV2, constructed without arguments.
 */
export function defineChatWindow(parts) {
  const { state, memory } = parts;

  return class ChatWindow extends defineOneWindow() {
    static DEFAULT_OPTIONS = {
      id: CHAT_ID,
      classes: ["aagm"],
      tag: "div",
      window: { title: "AAGM.Window.title", icon: "fa-solid fa-robot", resizable: true, contentClasses: ["aagm-content"] },
      position: { ...SIZE },
    };

    /** @type {ChatView|null} */
    #view = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    #timer;
    /** @type {ResizeObserver|null} */
    #sizes = null;

    constructor() {
      super({ position: { ...SIZE, ...(hasPage() && onScreen(memory.place, { width: innerWidth, height: innerHeight })) } });
    }

    get title() {
      return say("Window.title", { member: memory.member || "AAGM" });
    }

    /** Something is to be drawn anew. */
    refresh() {
      this.#view?.schedule();
    }

    /** Let the GM type. */
    focusPrompt() {
      this.#view?.focus();
    }

    /** @returns {boolean}  Can the GM see what is new? */
    get isSeen() {
      return this.rendered && !this.minimized && !document.hidden;
    }

    async _renderHTML() {
      this.#view ??= new ChatView(parts);
      return this.#view.element;
    }

    async _onFirstRender() {
      memory.keepWindow({ isOpen: true });
      this.#view?.settle();
      this.#view?.focus();
      this.#sizes = new ResizeObserver(() => this.#view?.settle());
      this.#sizes.observe(this.element);
      state.tabs.markSeen();
      this.refresh();
    }

    /**
     * @param {Record<string, any>} position
     */
    _onPosition(position) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#keepPlace(position), QUIET);
    }

    /** @param {Record<string, any>} position */
    #keepPlace({ left, top, width, height }) {
      if (!this.rendered || this.minimized) return; // folded up it has the size of its bar
      const numbers = Object.entries({ left, top, width, height }).filter(([, value]) => Number.isFinite(value));
      memory.keepWindow(Object.fromEntries(numbers.map(([side, value]) => [side, Math.round(/** @type {number} */ (value))])));
    }

    _onClose() {
      super._onClose();
      clearTimeout(this.#timer);
      this.#sizes?.disconnect();
      this.#view = null;
      memory.keepWindow({ isOpen: false });
    }
  };
}

/** The inside of the chat window; it follows the state and hands on what the GM does. */

/** @import { ChatState } from "../chat-state.js" */
/** @import { WindowMemory } from "../memory.js" */
import { el, set } from "../dom.js";
import { Composer } from "./composer.js";
import { StatusBar } from "./status-bar.js";
import { TabBar } from "./tab-bar.js";
import { Transcript } from "./transcript.js";
import { acceptDrops } from "./drop-zone.js";
import { notice } from "../../notices.js";
import { say } from "../words.js";
import { showProgress } from "./progress.js";
import { statusLine } from "../status-words.js";

const PREFIX = "aagm-chat"; // of element ids: there is one window

/**
 * @typedef {object} ViewParts
 * @property {any} api
 * @property {ChatState} state
 * @property {WindowMemory} memory
 * @property {() => void} openSettings
 * @property {() => boolean} wasHidden
 */

/** All that stands in the window. */
export class ChatView {
  #parts;
  #status;
  #tabBar;
  #composer;
  #panels = el("div", { class: "aagm-panels" });
  #progress = el("div", { class: "aagm-progress", hidden: true });
  /** @type {Map<string, { panel: HTMLElement, transcript: Transcript }>} */
  #transcripts = new Map();
  /** @type {Set<string>}  Tabs that show every card. */
  #all = new Set();
  #draftOf = "";
  #isDue = false;

  /** @param {ViewParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { api, state, openSettings } = parts;
    this.#status = new StatusBar({
      cures: { settings: openSettings, retry: () => api.restart(), takeOver: () => api.takeOver(), internal: () => this.#command("/int") },
      switchMode: () => this.#command(state.mode === "external" ? "/int" : "/ext"),
    });
    this.#tabBar = new TabBar({
      prefix: PREFIX,
      act: { select: (id) => state.select(id), close: (id) => this.#close(id), add: () => state.addTab() && this.#composer.focus() },
    });
    this.#composer = new Composer({ prefix: PREFIX, send: (text) => this.#send(text), changed: (text) => this.#keepDraft(text) });
    this.element = el("div", { class: "aagm-chat" }, this.#status.element, this.#tabBar.element, this.#panels, this.#progress, this.#composer.element);
    acceptDrops(this.element, (text) => this.#composer.insert(text));
    this.update();
  }

  /** Draw anew, once for whatever happens in this turn. */
  schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.update();
    });
  }

  update() {
    const { state, api, wasHidden } = this.#parts;
    const { connection, listener, mode, isWorking, isFamilyRelay, tabs } = state;
    const isOwner = connection.connected && connection.owner;
    const waiting = api.waiting().length;
    this.#status.update(statusLine({ connection, listener, mode, isWorking, isFamilyRelay, waiting, wasHidden: wasHidden() }), { mode, maySwitch: isOwner });
    const { active, mayAdd, isMultitasking } = tabs;
    this.#tabBar.update({ tabs: tabs.tabs, active, isShown: state.hasTabBar, mayAdd, isMultitasking });
    this.#updatePanels();
    showProgress(this.#progress, state.progress, (id) => this.#titleOf(id));
    const isElsewhere = connection.connected && !connection.owner;
    this.#composer.update({ isBlocked: isElsewhere, why: isElsewhere ? (connection.reason?.fix ?? "") : "" });
    this.#showDraft(active);
  }

  /** The window is on the page, or has another size. */
  settle() {
    this.#composer.fit();
    this.#transcripts.get(this.#parts.state.tabs.active)?.transcript.settle();
  }

  focus() {
    this.#composer.focus();
  }

  #updatePanels() {
    const { state } = this.#parts;
    const { tabs, active } = state.tabs;
    for (const [id, { panel }] of this.#transcripts) {
      if (tabs.some((tab) => tab.id === id)) continue;
      panel.remove();
      this.#transcripts.delete(id);
    }
    for (const { id } of tabs) {
      const { panel, transcript } = this.#panel(id);
      const wasHidden = panel.hidden;
      panel.hidden = id !== active;
      set(panel, state.hasTabBar ? { role: "tabpanel", "aria-labelledby": `${PREFIX}-tab-${id}` } : { role: null, "aria-labelledby": null });
      // A tab that is not open is drawn when it is opened; what came since is then no news to be read out.
      if (id !== active) continue;
      set(panel, { "aria-busy": wasHidden || null });
      transcript.update(state.itemsOf(id, { isAll: this.#all.has(id) }), { isTold: state.connection.connected });
      set(panel, { "aria-busy": null });
    }
  }

  /** @param {string} id */
  #panel(id) {
    const known = this.#transcripts.get(id);
    if (known) return known;
    const { state, api } = this.#parts;
    const transcript = new Transcript({
      card: {
        ask: (request) => api.rollback(request),
        prompt: (text, tabId) => void this.#prompt(text, tabId),
        titleOf: (tabId) => this.#titleOf(tabId),
        redoOf: (pointId) => state.redoOf(pointId),
        isKnown: (pointId) => state.hasPoint(pointId),
        isFamilyRelay: () => state.isFamilyRelay,
      },
      speaker: () => this.#speaker,
      sendAgain: (text) => void this.#prompt(text, id),
      showAll: () => {
        this.#all.add(id);
        this.update();
      },
    });
    const panel = el("div", { class: "aagm-panel", id: `${PREFIX}-panel-${id}`, hidden: true }, transcript.element);
    this.#panels.append(panel);
    const made = { panel, transcript };
    this.#transcripts.set(id, made);
    return made;
  }

  get #speaker() {
    const { state, memory } = this.#parts;
    return state.connection.relay?.memberName ?? (memory.member || say("Window.agent"));
  }

  /** @param {string} id */
  #titleOf(id) {
    return this.#parts.state.tabs.tabs.find((tab) => tab.id === id)?.title || id;
  }

  /** @param {string} id */
  #close(id) {
    const { state } = this.#parts;
    if (id === state.tabs.active) this.#composer.replace(""); // what was half typed goes with it
    state.closeTab(id);
  }

  /** @param {string} text */
  #command(text) {
    this.#prompt(text, this.#parts.state.tabs.active);
  }

  /** @param {string} text */
  #send(text) {
    const isSent = this.#prompt(text, this.#parts.state.tabs.active);
    if (isSent) this.#transcripts.get(this.#parts.state.tabs.active)?.transcript.scrollToEnd();
    return isSent;
  }

  /**
   * @param {string} text
   * @param {string} [tabId]
   */
  #prompt(text, tabId) {
    const isSent = this.#parts.state.send(text, tabId);
    if (!isSent) notice("warn", say("Window.notSent"));
    return isSent;
  }

  // Half-typed text belongs to its tab.

  /** @param {string} text */
  #keepDraft(text) {
    const { memory, state } = this.#parts;
    const { tabs } = state;
    const isThere = (/** @type {string} */ id) => tabs.has(id) || !tabs.isTold;
    const others = Object.entries(memory.session.drafts ?? {}).filter(([id]) => id !== this.#draftOf && isThere(id));
    memory.keepSession({ drafts: Object.fromEntries(text ? [...others, [this.#draftOf, text]] : others) });
  }

  /** @param {string} active */
  #showDraft(active) {
    if (active === this.#draftOf) return;
    const { memory, state } = this.#parts;
    // A tab that went by itself leaves its text to the one that took its place.
    const left = this.#draftOf && !state.tabs.has(this.#draftOf) ? this.#composer.text : "";
    const text = [memory.session.drafts?.[active], left].filter(Boolean).join("\n");
    this.#draftOf = active;
    this.#composer.replace(text);
    if (left) this.#keepDraft(text);
  }
}

/** The tabs of the chat window: the relay's, those it does not know yet, which is open and what was seen. */

/** @import { Line } from "./chat-items.js" */
/** @import { WindowMemory } from "./memory.js" */
import { randomHex } from "../identity.js";

export const MAX_TABS = 5;
const MAIN_TAB = "t-main"; // the one tab while multitasking is off

/**
 * @typedef {{ id: string, title: string, state: string, transcript: Line[] }} TableTab  As `aagm.tabs` has it.
 * @typedef {{ id: string, title: string, state: string, isUnread: boolean, isLocal: boolean }} Tab
 */

/** At least one tab is always there. */
export class TabList {
  #memory;
  #isMultitasking;
  #isSeen = () => false;
  /** @type {TableTab[]} */
  #table = [];
  #isTold = false;
  /** @type {string[]}  Tabs that the relay does not know yet. */
  #local = [];
  #blank; // the tab where there is no other
  #active;
  /** @type {Record<string, string>}  By tab: what of it was seen last. */
  #seen;

  /**
   * @param {object} parts
   * @param {WindowMemory} parts.memory
   * @param {() => boolean} parts.isMultitasking
   */
  constructor({ memory, isMultitasking }) {
    this.#memory = memory;
    this.#isMultitasking = isMultitasking;
    this.#active = memory.session.active ?? "";
    this.#seen = memory.session.seen ?? {};
    this.#blank = this.#newBlank(this.#active);
    if (!this.#active) this.#activate(this.#blank);
  }

  /** @param {() => boolean} isSeen  Is the window open, and not folded up? */
  watchedBy(isSeen) {
    this.#isSeen = isSeen;
    this.markSeen();
  }

  get active() {
    return this.#active;
  }

  /** @returns {Tab[]} */
  get tabs() {
    const known = this.#table.map(({ id, title, state }) => ({ id, title, state, isUnread: this.#isUnread(id), isLocal: false }));
    const all = [...known, ...this.#local.map(localTab)];
    return all.length ? all : [localTab(this.#blank)];
  }

  /** Has the relay told its tabs since the page was loaded? */
  get isTold() {
    return this.#isTold;
  }

  get isMultitasking() {
    return this.#isMultitasking();
  }

  get mayAdd() {
    return this.isMultitasking && this.tabs.length < MAX_TABS;
  }

  /** @param {string} id */
  has(id) {
    return this.tabs.some((tab) => tab.id === id);
  }

  /**
   * @param {string} id
   * @returns {TableTab|undefined}  As the relay told it.
   */
  told(id) {
    return this.#table.find((tab) => tab.id === id);
  }

  /**
   * The tab where something about *id* is shown: that tab, else the first.
   * @param {string|null|undefined} id
   */
  seat(id) {
    const { tabs } = this;
    return tabs.some((tab) => tab.id === id) ? /** @type {string} */ (id) : tabs[0].id;
  }

  /** @param {string} id */
  select(id) {
    if (this.has(id)) this.#activate(id);
  }

  /** @returns {boolean} */
  add() {
    if (!this.mayAdd) return false;
    if (!this.#table.length && !this.#local.length) this.#local.push(this.#blank);
    const id = `t-${randomHex(4)}`;
    this.#local.push(id);
    this.#activate(id);
    return true;
  }

  /** @param {string} id  Something was typed in it. */
  expect(id) {
    if (!this.told(id) && !this.#local.includes(id)) this.#local.push(id);
  }

  /**
   * @param {string} id
   * @returns {boolean}  Is the relay to be told?
   */
  close(id) {
    const at = this.tabs.findIndex((tab) => tab.id === id);
    const isTold = this.told(id) !== undefined;
    this.#table = this.#table.filter((tab) => tab.id !== id);
    this.#local = this.#local.filter((each) => each !== id);
    if (!this.#table.length && !this.#local.length) this.#blank = this.#newBlank("");
    if (this.#active === id) this.#activate(this.tabs[Math.min(at, this.tabs.length - 1)].id);
    return isTold;
  }

  /** @param {TableTab[]} table  The whole, as the relay told it. */
  replace(table) {
    this.#table = table;
    this.#isTold = true;
    this.#local = this.#local.filter((id) => !this.told(id));
    if (!this.has(this.#active)) this.#activate(this.tabs[0].id);
    this.markSeen();
  }

  /** What is open is seen. */
  markSeen() {
    if (!this.#isSeen()) return;
    const mark = this.#markOf(this.#active);
    if (!mark || this.#seen[this.#active] === mark) return;
    const kept = Object.entries(this.#seen).filter(([id]) => this.has(id));
    this.#seen = { ...Object.fromEntries(kept), [this.#active]: mark };
    this.#memory.keepSession({ seen: this.#seen });
  }

  /** @param {string} id */
  #activate(id) {
    this.#active = id;
    this.#memory.keepSession({ active: id });
    this.markSeen();
  }

  /** @param {string} wanted */
  #newBlank(wanted) {
    return this.#isMultitasking() ? wanted || `t-${randomHex(4)}` : MAIN_TAB;
  }

  /** @param {string} id */
  #markOf(id) {
    const last = this.told(id)?.transcript.findLast(({ role }) => role !== "user");
    return last ? `${last.ts}|${last.text.length}` : "";
  }

  /** @param {string} id */
  #isUnread(id) {
    if (id === this.#active && this.#isSeen()) return false;
    const mark = this.#markOf(id);
    return mark !== "" && mark !== (this.#seen[id] ?? "");
  }
}

/**
 * @param {string} id
 * @returns {Tab}
 */
function localTab(id) {
  return { id, title: "", state: "idle", isUnread: false, isLocal: true };
}

/** What the chat window shows, kept from the relay's notifications; it draws nothing. */

/** @import { Echo, Heard, Item, Line, Point } from "./chat-items.js" */
/** @import { Status } from "../api.js" */
/** @import { TabList, TableTab } from "./tab-list.js" */
import { holds, isLong, itemsOf } from "./chat-items.js";

const KEPT = 12; // whole replies, or unrecorded lines, a tab

/** What the relay carries out: no table ever holds it, and its answer tells what it was. */
const COMMAND = /^\s*\/(?:int|ext|rollback(?:\s+\S+)?|redo|points|close|exit|stop|quit)\s*$/i;

/**
 * @typedef {{ state: string, text?: string, count?: number, mode?: string }} ListenerStatus
 * @typedef {{ tabId?: string, label: string, done: number, total: number }} Progress
 */

/** The state of the chat of one world. */
export class ChatState {
  #api;
  #changed;
  /** @type {Map<string, Point>} */
  #points = new Map();
  /** @type {Map<string, { promptId: string, text: string }[]>} */
  #cancelled = new Map();
  /** @type {Echo[]} */
  #echoes = [];
  /** @type {Map<string, Heard[]>} */
  #heard = new Map();
  /** @type {Map<string, string[]>} */
  #whole = new Map();
  /** @type {Map<string, Progress>} */
  #progress = new Map();

  /**
   * @param {object} parts
   * @param {any} parts.api  The module's own.
   * @param {TabList} parts.tabs
   * @param {() => void} parts.changed  Something is to be drawn anew.
   */
  constructor({ api, tabs, changed }) {
    this.#api = api;
    this.#changed = changed;
    this.tabs = tabs;
    /** @type {Status} */
    this.connection = api.status();
    /** @type {ListenerStatus|null} */
    this.listener = null;
    this.mode = "internal";
    this.#waiting(api.waiting());
    const on = (/** @type {(data: any) => void} */ take) => (/** @type {any} */ data) => {
      take(data);
      this.#changed();
    };
    api.onTabs(on(({ tabs: table }) => this.#table(table)));
    api.onStatus(on((status) => this.#status(status)));
    api.onMode(on(({ mode }) => { this.mode = mode; }));
    api.onRollback(on((event) => this.#rollback(event)));
    api.onCancelled(on(({ tabId, prompts }) => this.#cancel(tabId, prompts)));
    api.onReply(on((reply) => this.#reply(reply)));
    api.onWaiting(on((waiting) => this.#waiting(waiting)));
    api.onProgress(on((progress) => this.#progressed(progress)));
    api.onConnection(on((status) => this.#connected(status)));
    api.onSettings(on(() => {}));
  }

  get hasTabBar() {
    return this.tabs.isMultitasking || this.tabs.tabs.length > 1;
  }

  /** Is the open tab's prompt being worked on? */
  get isWorking() {
    return this.tabs.told(this.tabs.active)?.state === "working";
  }

  /** @returns {Progress[]} */
  get progress() {
    return [...this.#progress.values()];
  }

  get isFamilyRelay() {
    return this.connection.relay !== null && (this.connection.relay.protocol ?? 2) < 3;
  }

  /**
   * @param {string} tabId
   * @param {{ isAll?: boolean }} [options]
   * @returns {Item[]}
   */
  itemsOf(tabId, { isAll = false } = {}) {
    const isHere = (/** @type {{ tabId?: string|null }} */ of) => this.tabs.seat(of.tabId) === tabId;
    return itemsOf({
      lines: this.tabs.told(tabId)?.transcript ?? [],
      points: [...this.#points.values()].filter(isHere),
      echoes: this.#echoes.filter((echo) => isHere(echo) && !(echo.isSent && COMMAND.test(echo.text))),
      heard: this.#heard.get(tabId),
      cancelled: this.#cancelled.get(tabId),
      whole: this.#whole.get(tabId),
      isAll,
    });
  }

  /**
   * The newest undo that took a point back and can itself be taken back.
   * @param {string} pointId
   * @returns {Point|undefined}
   */
  redoOf(pointId) {
    const fits = (/** @type {Point} */ each) => each.kind === "redo" && each.direction === "undo" && each.state === "live" && each.undoes?.includes(pointId);
    return [...this.#points.values()].findLast(fits);
  }

  /** @param {string} pointId */
  hasPoint(pointId) {
    return this.#points.has(pointId);
  }

  /** @param {string} id */
  select(id) {
    this.tabs.select(id);
    this.#changed();
  }

  /** @returns {boolean} */
  addTab() {
    const isAdded = this.tabs.add();
    if (isAdded) this.#changed();
    return isAdded;
  }

  /** @param {string} id */
  closeTab(id) {
    if (!this.tabs.has(id)) return;
    this.#echoes = this.#echoes.filter((echo) => echo.tabId !== id);
    if (this.tabs.close(id)) this.#api.closeTab(id);
    this.#changed();
  }

  /**
   * @param {string} text
   * @param {string} [tabId]
   * @returns {boolean}  False: it could neither be sent nor kept, and is still the GM's.
   */
  send(text, tabId = this.tabs.active) {
    if (/^\s*\/close\s*$/i.test(text)) {
      this.closeTab(tabId);
      return true;
    }
    const promptId = this.#api.sendPrompt(text, tabId);
    if (promptId === null) return false;
    this.#expect({ promptId, text, tabId }, true);
    this.#changed();
    return true;
  }

  /** @param {TableTab[]} table */
  #table(table) {
    this.#echoes = this.#echoes.filter((echo) => !echo.isSent);
    this.tabs.replace(table);
    for (const { id, transcript } of table) this.#settle(id, transcript);
    for (const kept of [this.#heard, this.#whole, this.#cancelled]) {
      for (const id of kept.keys()) if (!this.tabs.has(id)) kept.delete(id);
    }
  }

  /**
   * Replies that the table holds are in the table; of the others only what the relay itself said is news.
   * @param {string} id
   * @param {Line[]} transcript
   */
  #settle(id, transcript) {
    const left = (this.#heard.get(id) ?? []).filter((reply) => reply.isSystem && !holds(transcript, reply));
    this.#heard.set(id, left);
    const isKnown = (/** @type {{ promptId: string, text: string }} */ { promptId, text }) =>
      transcript.some((line) => line.role === "user" && (line.promptId === promptId || line.text === text));
    this.#cancelled.set(id, (this.#cancelled.get(id) ?? []).filter((prompt) => !isKnown(prompt)));
  }

  /** @param {ListenerStatus} status */
  #status(status) {
    this.listener = status;
    if (status.mode) this.mode = status.mode;
  }

  /** @param {{ event: string, point?: Point, points?: Point[], unsaved?: boolean }} event */
  #rollback({ event, point, points, unsaved }) {
    if (event === "sync" && points) this.#points = new Map([...points].reverse().map((each) => [each.id, each]));
    else if (point) this.#points.set(point.id, { ...this.#points.get(point.id), ...point, ...(unsaved && { unsaved }) });
  }

  /**
   * @param {string} tabId
   * @param {{ promptId: string, text: string }[]} prompts
   */
  #cancel(tabId, prompts) {
    const before = this.#cancelled.get(tabId) ?? [];
    const news = prompts.filter(({ promptId }) => !before.some((each) => each.promptId === promptId));
    this.#cancelled.set(tabId, [...before, ...news]);
    const tab = this.tabs.told(tabId);
    if (tab) this.#settle(tabId, tab.transcript);
  }

  /** @param {{ text: string, tabId?: string, system?: boolean }} reply */
  #reply({ text, tabId, system = false }) {
    const id = this.tabs.seat(tabId);
    const reply = { text: String(text), ts: new Date().toISOString(), isSystem: system };
    keep(this.#heard, id, reply);
    if (isLong(reply.text)) keep(this.#whole, id, reply.text);
  }

  /** @param {{ promptId: string, text: string, tabId?: string }[]} waiting */
  #waiting(waiting) {
    const ids = new Set(waiting.map(({ promptId }) => promptId));
    for (const echo of this.#echoes) if (!ids.has(echo.promptId)) echo.isSent = true;
    for (const prompt of waiting) if (!prompt.promptId.startsWith("close-")) this.#expect(prompt, false);
  }

  /**
   * Show a prompt that the table does not hold yet.
   * @param {{ promptId: string, text: string, tabId?: string }} prompt
   * @param {boolean} isSent
   */
  #expect(prompt, isSent) {
    if (this.#echoes.some(({ promptId }) => promptId === prompt.promptId)) return;
    this.#echoes.push({ ...prompt, ts: new Date().toISOString(), isSent });
    if (prompt.tabId) this.tabs.expect(prompt.tabId);
  }

  /** @param {Progress} progress */
  #progressed(progress) {
    const key = `${progress.tabId ?? ""}|${progress.label}`;
    if (progress.total > 0 && progress.done >= progress.total) this.#progress.delete(key);
    else this.#progress.set(key, progress);
  }

  /** @param {Status} status */
  #connected(status) {
    this.connection = status;
    if (status.connected) return;
    this.listener = null;
    this.#progress.clear();
  }
}

/**
 * @template T
 * @param {Map<string, T[]>} lists
 * @param {string} key
 * @param {T} item
 */
function keep(lists, key, item) {
  lists.set(key, [...(lists.get(key) ?? []), item].slice(-KEPT));
}

/**
 * What the GM typed, kept until the relay has it on disk: nothing typed is lost to a broken connection or a reload.
 */

import { isPlain } from "./recorder/values.js";
import { readTyped } from "./stored.js";

/**
 * @typedef {{ promptId: string, text: string, tabId?: string }} Prompt
 */

/**
 * @typedef {object} PromptParts
 * @property {(method: string, params: object) => boolean} notify  False when there is no connection.
 * @property {() => boolean} isAcknowledging  Does the relay confirm prompts?
 * @property {(waiting: Prompt[]) => void} changed
 * @property {Pick<Storage, "getItem"|"setItem">|null} storage  Outlives a reload of this tab.
 * @property {string} storageKey
 */

/** The outgoing half of the chat. */
export class PromptBox {
  #parts;
  /** @type {Map<string, Prompt>} */
  #waiting = new Map();

  /** @param {PromptParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { storage, storageKey } = parts;
    for (const prompt of readTyped(storage, storageKey, promptsIn)) this.#waiting.set(prompt.promptId, prompt);
  }

  /** @returns {Prompt[]}  Typed, and not yet known to be on the relay's disk. */
  get waiting() {
    return [...this.#waiting.values()];
  }

  /**
   * @param {string} text
   * @param {string} [tabId]
   * @returns {string|null}  The prompt's id; null when it could neither be sent nor kept.
   */
  send(text, tabId) {
    const chance = Math.floor(Math.random() * 36 ** 6).toString(36).padStart(6, "0");
    return this.#offer({ promptId: `p-${Date.now()}-${chance}`, text, ...(tabId !== undefined && { tabId }) });
  }

  /**
   * @param {string} tabId
   * @returns {boolean}
   */
  closeTab(tabId) {
    return this.#offer({ promptId: `close-${tabId}-${Date.now()}`, text: "/close", tabId }) !== null;
  }

  /** @param {Prompt} prompt */
  #offer(prompt) {
    const { notify, isAcknowledging } = this.#parts;
    if (!isAcknowledging()) return notify("aagm.prompt", prompt) ? prompt.promptId : null;
    this.#waiting.set(prompt.promptId, prompt);
    this.#keep();
    notify("aagm.prompt", prompt);
    return prompt.promptId;
  }

  /** A relay was reached (again): it drops the ids it knows. */
  resend() {
    const { notify, isAcknowledging } = this.#parts;
    const isKept = isAcknowledging();
    for (const prompt of this.waiting) {
      if (notify("aagm.prompt", prompt) && !isKept) this.#waiting.delete(prompt.promptId);
    }
    this.#keep();
  }

  /** @param {{ promptId: string }} ack */
  acknowledged({ promptId }) {
    if (this.#waiting.delete(promptId)) this.#keep();
  }

  #keep() {
    const { storage, storageKey, changed } = this.#parts;
    try {
      storage?.setItem(storageKey, JSON.stringify(this.waiting));
    } catch {
      // full or forbidden: they live as long as the page
    }
    changed(this.waiting);
  }
}

/**
 * @param {unknown} value
 * @returns {Prompt[]}
 */
function promptsIn(value) {
  if (!Array.isArray(value)) return [];
  const isText = (/** @type {unknown} */ each) => typeof each === "string";
  return value.filter((each) => isPlain(each) && isText(each.promptId) && isText(each.text) && (each.tabId === undefined || isText(each.tabId)));
}

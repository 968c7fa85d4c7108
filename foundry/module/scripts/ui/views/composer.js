/** Where the GM types: Enter sends, Shift+Enter makes a line, documents can be dropped in. */

import { button, el, set } from "../dom.js";
import { say } from "../words.js";

const TALLEST = 160; // pixels; more scrolls

/** The text field and its button. */
export class Composer {
  #send;
  #changed;
  #field;
  #button;
  #hint = el("p", { class: "aagm-hint" });

  /**
   * @param {object} parts
   * @param {string} parts.prefix  Of element ids.
   * @param {(text: string) => boolean} parts.send  False: the text stays.
   * @param {(text: string) => void} parts.changed
   */
  constructor({ prefix, send, changed }) {
    this.#send = send;
    this.#changed = changed;
    this.#hint.id = `${prefix}-hint`;
    this.#field = /** @type {HTMLTextAreaElement} */ (
      el("textarea", {
        id: `${prefix}-prompt`,
        rows: 1,
        dir: "auto",
        placeholder: say("Window.placeholder"),
        "aria-label": say("Window.prompt"),
        "aria-describedby": this.#hint.id,
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event),
        oninput: () => this.#typed(),
      })
    );
    this.#button = /** @type {HTMLButtonElement} */ (button(say("Window.send"), () => this.submit(), { icon: "send", isMain: true, attributes: { disabled: true } }));
    this.element = el("div", { class: "aagm-composer" }, el("div", { class: "aagm-compose-row" }, this.#field, this.#button), this.#hint);
    this.#hint.textContent = say("Window.hint");
  }

  get text() {
    return this.#field.value;
  }

  /** @param {string} text  Of another tab, or as it was before a reload. */
  replace(text) {
    if (this.#field.value === text) return;
    this.#field.value = text;
    this.#refresh();
  }

  /** @param {{ isBlocked: boolean, why: string }} facts */
  update({ isBlocked, why }) {
    this.#isBlocked = isBlocked;
    set(this.#button, { title: isBlocked ? why : null });
    this.#refreshButton();
  }

  #isBlocked = false;

  focus() {
    this.#field.focus();
  }

  submit() {
    const text = this.#field.value;
    if (!text.trim() || this.#isBlocked) return;
    if (!this.#send(text)) return;
    this.#field.value = "";
    this.#typed();
    this.#field.focus();
  }

  /**
   * Put a reference where the cursor is, with a space on either side where there is none.
   * @param {string} text
   */
  insert(text) {
    const { value, selectionStart, selectionEnd } = this.#field;
    const before = value.slice(0, selectionStart);
    const after = value.slice(selectionEnd);
    const spaced = `${before && !/\s$/.test(before) ? " " : ""}${text}${/^\s/.test(after) ? "" : " "}`;
    this.#field.setRangeText(spaced, selectionStart, selectionEnd, "end");
    this.#typed();
    this.#field.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.submit();
  }

  #typed() {
    this.#refresh();
    this.#changed(this.#field.value);
  }

  #refresh() {
    const isCommand = this.#field.value.startsWith("/");
    const hint = say(isCommand ? "Window.commands" : "Window.hint");
    if (this.#hint.textContent !== hint) this.#hint.textContent = hint;
    this.#refreshButton();
    this.fit();
  }

  #refreshButton() {
    const isEmpty = !this.#field.value.trim();
    if (this.#button.disabled !== (isEmpty || this.#isBlocked)) this.#button.disabled = isEmpty || this.#isBlocked;
  }

  /** As tall as the text, up to a limit. */
  fit() {
    if (!this.#field.isConnected) return;
    this.#field.style.height = "auto";
    this.#field.style.height = `${Math.min(this.#field.scrollHeight + 2, TALLEST)}px`;
  }
}

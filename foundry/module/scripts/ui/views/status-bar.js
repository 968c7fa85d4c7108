/** The status line: a lamp, what is and why, what to do, and the two things always at hand. */

/** @import { Cure, StatusLine } from "../status-words.js" */
import { button, el, fill, iconButton, set, setText } from "../dom.js";
import { say } from "../words.js";

/** The top of the chat window. */
export class StatusBar {
  #cures;
  #label = el("strong");
  #message = el("span");
  #fix = el("span", { class: "aagm-fix" });
  #cure = el("div", { class: "aagm-cure" });
  #notes = el("ul", { class: "aagm-notes" });
  #mode;
  /** @type {Cure} */
  #shownCure = null;

  /**
   * @param {object} parts
   * @param {Record<NonNullable<Cure>, () => void>} parts.cures
   * @param {() => void} parts.switchMode
   */
  constructor({ cures, switchMode }) {
    this.#cures = cures;
    this.#mode = el("button", { type: "button", class: "aagm-mode", role: "switch", onclick: switchMode });
    const text = el("p", { role: "status", class: "aagm-status-text" }, this.#label, " ", this.#message, " ", this.#fix);
    const tools = el("div", { class: "aagm-tools" }, this.#mode, iconButton("gear", say("Window.settings"), cures.settings));
    this.element = el(
      "header",
      { class: "aagm-status" },
      el("span", { class: "aagm-lamp", "aria-hidden": "true" }),
      el("div", { class: "aagm-status-main" }, text, this.#cure, this.#notes),
      tools,
    );
  }

  /**
   * @param {StatusLine} line
   * @param {{ mode: string, maySwitch: boolean }} drive
   */
  update(line, { mode, maySwitch }) {
    set(this.element, { "data-tone": line.tone });
    setText(this.#label, line.label);
    setText(this.#message, line.message);
    setText(this.#fix, line.fix);
    this.#showCure(line.cure);
    fill(this.#notes, line.notes.map((note) => el("li", {}, note)));
    const isExternal = mode === "external";
    const title = say(isExternal ? "Window.mode.toInternal" : "Window.mode.toExternal");
    set(this.#mode, { "aria-checked": String(isExternal), "aria-label": `${say("Window.mode.label")}: ${title}`, title, disabled: !maySwitch });
    setText(this.#mode, say(isExternal ? "Window.mode.external" : "Window.mode.internal"));
  }

  /** @param {Cure} cure */
  #showCure(cure) {
    if (cure === this.#shownCure) return; // the button in hand stays the same
    this.#shownCure = cure;
    fill(this.#cure, cure && button(say(`Status.cure.${cure}`), () => this.#cures[cure](), { isMain: true }));
  }
}

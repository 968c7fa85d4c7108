/** A rollback card: what a write did, what it changed when asked, and the way back. */

/** @import { Point } from "../chat-items.js" */
/** @import { Details } from "./changes.js" */
import { CODES } from "../../wire.js";
import { button, el, fill, icon, set } from "../dom.js";
import { capturedText, doneText, firstDocuments, notesOf, stateOf } from "../card-words.js";
import { changesElement, opMark } from "./changes.js";
import { counted, say, timeOf } from "../words.js";
import { UndoFlow } from "../undo-flow.js";
import { questionElement } from "./question.js";

/**
 * @typedef {"folded"|"loading"|Details|{ error: string }} Unfolded
 * @typedef {object} CardParts
 * @property {(request: any) => Promise<any>} ask  The relay.
 * @property {(text: string, tabId?: string) => void} prompt
 * @property {(tabId: string) => string} titleOf
 * @property {(pointId: string) => Point|undefined} redoOf
 * @property {(pointId: string) => boolean} isKnown  Has the point a card?
 * @property {() => boolean} isFamilyRelay
 */

/** One card; it lives as long as its point is shown. */
export class Card {
  #parts;
  /** @type {Point} */
  #point;
  /** @type {UndoFlow} */
  #flow;
  #redoFlow = ""; // the redo point that the flow is of, else the card's own
  /** @type {Unfolded} */
  #details = "folded";
  #drawn = "";

  /**
   * @param {Point} point
   * @param {CardParts} parts
   */
  constructor(point, parts) {
    this.#parts = parts;
    this.#point = point;
    this.#flow = this.#newFlow(point.id);
    this.element = el("article", { class: "aagm-card", tabindex: -1, "aria-label": say("Card.label", { summary: point.summary || point.id }) });
    this.update(point);
  }

  /** @param {Point} point */
  update(point) {
    // What an earlier press came to says nothing of a point that has changed since.
    if (point.state !== this.#point.state && !this.#flow.isBusy) this.#flow = this.#newFlow(point.id);
    this.#point = point;
    const redo = this.#parts.redoOf(point.id);
    const facts = JSON.stringify([point, redo?.id, this.#flow.state, this.#details]);
    if (facts === this.#drawn) return;
    this.#drawn = facts;
    this.#draw(redo);
  }

  /** @param {string} pointId */
  #newFlow(pointId) {
    return new UndoFlow({ pointId, ask: this.#parts.ask, changed: () => this.update(this.#point) });
  }

  /** @param {Point|undefined} redo */
  #draw(redo) {
    const point = this.#point;
    const hadFocus = this.element.contains(document.activeElement);
    const focused = hadFocus ? /** @type {HTMLElement} */ (document.activeElement).dataset.part : undefined;
    const isElsewhere = point.kind === "redo" && (point.undoes ?? []).some(this.#parts.isKnown);
    const state = stateOf(point, redo !== undefined || isElsewhere);
    set(this.element, { "data-state": point.state, "data-kind": point.kind, "aria-busy": String(this.#flow.isBusy) });
    fill(
      this.element,
      el("header", {}, icon(point.kind !== "redo" ? "change" : point.direction === "redo" ? "redo" : "undo"), el("h3", { dir: "auto" }, point.summary || point.id), el("time", { datetime: point.ts, title: point.id }, timeOf(point.ts))),
      point.kind === "redo" ? null : this.#documents(),
      notesOf(point).map((note) => el("p", { class: "aagm-note" }, icon("warn"), el("span", {}, note))),
      this.#detailsElement(),
      this.#outcome(),
      this.#flow.state.kind === "asking" ? this.#question(this.#flow.state.preview) : this.#actions(state, redo),
    );
    if (!hadFocus) return; // who works with the keyboard is not thrown out, though every button is another now
    const again = focused && this.element.querySelector(`[data-part="${focused}"]`);
    const next = again || this.element.querySelector(".aagm-question button") || this.element;
    /** @type {HTMLElement} */ (next).focus();
  }

  #documents() {
    const { first, more } = firstDocuments(this.#point);
    const rows = first.map(({ op, name }) => el("li", {}, opMark(op), el("bdi", {}, name)));
    return [
      el("p", { class: "aagm-captured" }, capturedText(this.#point)),
      rows.length > 0 && el("ul", { class: "aagm-docs" }, rows, more > 0 && el("li", { class: "aagm-soft" }, counted("Card.more", more))),
    ];
  }

  #detailsElement() {
    const details = this.#details;
    if (details === "folded") return null;
    if (details === "loading") return el("p", { class: "aagm-soft" }, say("Card.loading"));
    return "error" in details ? el("p", { class: "aagm-note" }, icon("warn"), el("span", {}, details.error)) : changesElement(details);
  }

  #outcome() {
    const state = this.#flow.state;
    const tell = (/** @type {string} */ tone, /** @type {any[]} */ ...children) => el("div", { class: "aagm-outcome", "data-tone": tone, role: "status" }, ...children);
    switch (state.kind) {
      case "kept":
        return tell("idle", el("p", {}, say("Card.kept")));
      case "refused":
        return tell("bad", el("p", {}, [say("Card.refused", { reason: state.reason }), state.fix].filter(Boolean).join(" ")));
      case "failed":
        return tell("bad", el("p", {}, say("Card.failed", { message: state.message })));
      case "done": {
        const { text, failures, notes, isWhole } = doneText(state.done, this.#flow.action);
        return tell(isWhole ? "good" : "bad", el("p", {}, text), failures.length > 0 && el("ul", {}, failures.map((row) => el("li", { dir: "auto" }, row))), notes.map((note) => el("p", {}, note)));
      }
      default:
        return null;
    }
  }

  /** @param {import("../undo-flow.js").Preview} preview */
  #question(preview) {
    return questionElement({
      preview,
      action: this.#flow.action,
      titleOf: this.#parts.titleOf,
      confirm: (how) => void this.#flow.confirm(how),
      cancel: () => this.#flow.cancel(),
    });
  }

  /**
   * @param {ReturnType<typeof stateOf>} state
   * @param {Point|undefined} redo
   */
  #actions({ label, action, button: text }, redo) {
    const { isBusy } = this.#flow;
    const busy = this.#flow.state.kind === "looking" ? say("Card.looking") : this.#flow.action === "redo" ? say("Card.redoing") : say("Card.rollingBack");
    const isUndo = action === "rollback";
    return el(
      "footer",
      { class: "aagm-actions" },
      action && button(isBusy ? busy : text, () => this.#press(action, redo), { icon: isUndo ? "undo" : "redo", isMain: isUndo, attributes: { "aria-disabled": isBusy ? "true" : null, "data-part": "act" } }),
      this.#point.kind !== "redo" && this.#unfold(),
      label && el("span", { class: "aagm-state" }, label),
    );
  }

  #unfold() {
    const isOpen = this.#details !== "folded";
    return button(say(isOpen ? "Card.hideChanges" : "Card.showChanges"), () => void this.#toggle(), {
      icon: "fold",
      isQuiet: true,
      attributes: { "aria-expanded": String(isOpen), "data-part": "details" },
    });
  }

  /**
   * @param {"rollback"|"redo"} action
   * @param {Point|undefined} redo
   */
  #press(action, redo) {
    const { id, tabId, kind } = this.#point;
    if (this.#parts.isFamilyRelay()) return this.#parts.prompt(`/rollback ${id}`, tabId ?? undefined);
    const target = action === "redo" && kind !== "redo" ? (redo?.id ?? "") : "";
    if (target !== this.#redoFlow) {
      this.#redoFlow = target;
      this.#flow = this.#newFlow(target || id);
    }
    void this.#flow.begin(action);
  }

  async #toggle() {
    const { id } = this.#point;
    const show = (/** @type {Unfolded} */ details) => {
      this.#details = details;
      this.update(this.#point);
    };
    if (this.#details !== "folded") return show("folded");
    if (this.#parts.isFamilyRelay()) return show({ error: say("Card.noDetails") }); // it never answers what it does not know
    show("loading");
    const isAwaited = () => this.#details === "loading"; // else it was folded up meanwhile
    const told = await this.#lookUp(id);
    if (isAwaited()) show(told);
  }

  /**
   * @param {string} pointId
   * @returns {Promise<Details|{ error: string }>}
   */
  async #lookUp(pointId) {
    try {
      const answer = await this.#parts.ask({ pointId, action: "details" });
      return answer.refused ? { error: [`${answer.reason}.`, answer.fix].filter(Boolean).join(" ") } : answer;
    } catch (thrown) {
      const { code, message = String(thrown), data } = /** @type {any} */ (thrown);
      if (code === CODES.invalidParams) return { error: say("Card.noDetails") }; // it does not know the action
      return { error: say("Card.failed", { message: [message, data?.fix].filter(Boolean).join(" ") }) };
    }
  }
}

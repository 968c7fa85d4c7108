/** What a card asks before it does more than its own, or writes over what others changed. */

/** @import { Action, How, Preview } from "../undo-flow.js" */
import { button, el } from "../dom.js";
import { counted, say } from "../words.js";
import { questionOf } from "../card-words.js";

const LISTED = 6; // conflicts, or changes, named at once

/**
 * @param {object} parts
 * @param {Preview} parts.preview
 * @param {Action} parts.action
 * @param {(tabId: string) => string} parts.titleOf
 * @param {(how: How) => void} parts.confirm
 * @param {() => void} parts.cancel
 * @returns {HTMLElement}
 */
export function questionElement({ preview, action, titleOf, confirm, cancel }) {
  const { others, conflicts, isUnchecked, returning, own, skipped } = questionOf(preview, titleOf);
  const later = preview.alsoUndoes ?? [];
  const alsoOwn = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
  const how = (/** @type {How} */ more) => () => confirm({ ...more, own: alsoOwn.checked });
  const hasConflict = conflicts.length > 0;
  const go = hasConflict
    ? button(say("Card.question.overwrite"), how({ force: true }), { attributes: { class: "aagm-button aagm-danger" } })
    : button(action === "redo" ? say("Card.redo") : later.length ? counted("Card.question.all", later.length + 1) : say("Card.rollBack"), how({}), { isMain: true });
  return el(
    "div",
    { class: "aagm-question", role: "group", "aria-label": say("Card.question.label") },
    hasConflict && part(say("Card.question.conflict"), conflicts),
    isUnchecked && el("p", {}, say("Card.question.unchecked")),
    others && part(others, later.map(({ summary, id }) => summary || id)),
    returning.length > 0 && action !== "redo" && part(say("Card.question.bringsBack"), returning),
    skipped.length > 0 && part(say("Card.question.skipped"), skipped),
    own.length > 0 && part(say("Card.question.own"), own),
    own.length > 0 && el("label", { class: "aagm-check" }, alsoOwn, el("span", {}, say("Card.question.alsoOwn"))),
    el(
      "div",
      { class: "aagm-actions" },
      go,
      later.length > 0 && action !== "redo" && !hasConflict && button(say("Card.question.only"), how({ only: true })),
      hasConflict && button(say("Card.question.keepTheirs"), how({ keep: true }), { attributes: { title: say("Card.question.keepTheirsHint") } }),
      button(say("Card.question.cancel"), cancel),
    ),
  );
}

/**
 * @param {string} title
 * @param {string[]} rows
 */
function part(title, rows) {
  const listed = rows.slice(0, LISTED).map((row) => el("li", { dir: "auto" }, row));
  const more = rows.length - listed.length;
  return el("div", {}, el("p", {}, title), el("ul", {}, listed, more > 0 && el("li", { class: "aagm-soft" }, counted("Card.more", more))));
}

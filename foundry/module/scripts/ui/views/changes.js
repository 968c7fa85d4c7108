/** What a point changed, document by document: path, before, after. */

import { el, icon, spoken } from "../dom.js";
import { documentLink } from "../markdown/render.js";
import { counted, say } from "../words.js";

/**
 * As the relay answers the action `details`. A value too long to send comes as the beginning of its JSON.
 * @typedef {{ path: string, before?: unknown, after?: unknown, beforeCut?: string, afterCut?: string }} ShownChange
 * @typedef {{ op: string, uuid: string|null, documentName: string, name: string|null, changes?: ShownChange[], moreChanges?: number }} ShownDocument
 * @typedef {{ documents: ShownDocument[], moreDocuments?: number }} Details
 */

/**
 * @param {Details} details
 * @returns {HTMLElement}
 */
export function changesElement({ documents, moreDocuments = 0 }) {
  return el(
    "div",
    { class: "aagm-changes" },
    documents.map(documentElement),
    moreDocuments > 0 && el("p", { class: "aagm-soft" }, counted("Card.moreDocuments", moreDocuments)),
    documents.length === 0 && el("p", { class: "aagm-soft" }, say("Card.noChanges")),
  );
}

/** @param {ShownDocument} document */
function documentElement({ op, uuid, documentName, name, changes = [], moreChanges = 0 }) {
  const label = name || uuid || say("Card.unnamed");
  return el(
    "section",
    { class: "aagm-changed" },
    el("h4", {}, opMark(op), el("span", { class: "aagm-soft" }, documentName), uuid && op !== "delete" ? documentLink(uuid, label) : el("bdi", {}, label)),
    changes.length > 0 && el("dl", {}, changes.map(changeElement)),
    moreChanges > 0 && el("p", { class: "aagm-soft" }, counted("Card.moreChanges", moreChanges)),
  );
}

/**
 * @param {string} op
 * @returns {HTMLElement}
 */
export function opMark(op) {
  const known = ["create", "delete"].includes(op) ? op : "update";
  const text = { create: "+", delete: "\u2212", update: "~" }[known];
  return el("span", { class: "aagm-op", "data-op": known, title: say(`Card.op.${known}`) }, el("span", { "aria-hidden": "true" }, text), spoken(say(`Card.op.${known}`)));
}

/** @param {ShownChange} change */
function changeElement(change) {
  const before = valueText(change, "before");
  const after = valueText(change, "after");
  return el(
    "div",
    { class: "aagm-change" },
    el("dt", { dir: "ltr" }, change.path),
    el(
      "dd",
      {},
      spoken(say("Card.before")),
      el("del", { dir: "auto", class: before === null ? "aagm-nothing" : "" }, before ?? say("Card.nothing")),
      icon("fold"),
      spoken(say("Card.after")),
      el("ins", { dir: "auto", class: after === null ? "aagm-nothing" : "" }, after ?? say("Card.nothing")),
    ),
  );
}

/**
 * @param {ShownChange} change
 * @param {"before"|"after"} side
 * @returns {string|null}  Null: there was nothing.
 */
export function valueText(change, side) {
  const cut = change[/** @type {"beforeCut"|"afterCut"} */ (`${side}Cut`)];
  if (typeof cut === "string") return `${cut}…`;
  const value = change[side];
  if (value === undefined) return null;
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

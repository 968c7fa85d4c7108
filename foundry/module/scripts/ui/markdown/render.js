/** Nodes from the tree of `blocks.js`. Addresses are http or https, since the reader knows no others. */

/** @import { Block } from "./blocks.js" */
/** @import { Inline } from "./inline.js" */
import { el, icon, spoken } from "../dom.js";
import { openDocument } from "../documents.js";
import { parseBlocks } from "./blocks.js";
import { parseInline } from "./inline.js";
import { say } from "../words.js";

/**
 * @param {string} text
 * @returns {Node[]}
 */
export function renderMarkdown(text) {
  return parseBlocks(text).map(renderBlock);
}

/**
 * What a person typed: as it is, documents and addresses clickable.
 * @param {string} text
 * @returns {Node}
 */
export function renderTyped(text) {
  return el("p", { dir: "auto" }, renderInline(parseInline(text, { isPlain: true })));
}

/**
 * @param {Block} block
 * @returns {HTMLElement}
 */
function renderBlock(block) {
  switch (block.kind) {
    case "paragraph":
      return el("p", { dir: "auto" }, renderInline(block.inline));
    case "heading":
      return el("p", { class: "aagm-heading", dir: "auto", role: "heading", "aria-level": Math.min(6, block.level + 2) }, renderInline(block.inline));
    case "code":
      return el("pre", { class: "aagm-code", tabindex: 0, role: "group", "aria-label": say("Window.code") }, el("code", { dir: "ltr" }, block.text));
    case "quote":
      return el("blockquote", {}, block.blocks.map(renderBlock));
    case "list":
      return renderList(block);
    case "table":
      return renderTable(block);
    case "rule":
      return el("hr");
  }
}

/** @param {Extract<Block, { kind: "list" }>} block */
function renderList({ start, items }) {
  const tag = start === null ? "ul" : "ol";
  return el(tag, { start: start === null || start === 1 ? null : start }, items.map((blocks) => el("li", { dir: "auto" }, renderItem(blocks))));
}

/**
 * The first paragraph of an item stands beside its mark.
 * @param {Block[]} blocks
 * @returns {Node[]}
 */
function renderItem([first, ...rest]) {
  if (first?.kind !== "paragraph") return [first, ...rest].filter(Boolean).map(renderBlock);
  return [el("span", {}, renderInline(first.inline)), ...rest.map(renderBlock)];
}

/** @param {Extract<Block, { kind: "table" }>} block */
function renderTable({ head, rows }) {
  const header = el("tr", {}, head.map((cell) => el("th", { scope: "col", dir: "auto" }, renderInline(cell))));
  const body = rows.map((row) => el("tr", {}, row.map((cell) => el("td", { dir: "auto" }, renderInline(cell)))));
  const table = el("table", {}, el("thead", {}, header), el("tbody", {}, body));
  return el("div", { class: "aagm-table", tabindex: 0, role: "group", "aria-label": say("Window.table") }, table);
}

/**
 * @param {Inline[]} nodes
 * @returns {Node[]}
 */
function renderInline(nodes) {
  return nodes.map((node) => {
    switch (node.kind) {
      case "text":
        return document.createTextNode(node.text);
      case "code":
        return el("code", { dir: "auto" }, node.text);
      case "break":
        return el("br");
      case "link":
        return el("a", { href: node.href, target: "_blank", rel: "noopener noreferrer nofollow" }, renderInline(node.children), icon("link"), spoken(say("Window.newTab")));
      case "uuid":
        return documentLink(node.uuid, node.label);
      default:
        return el(node.kind, {}, renderInline(node.children));
    }
  });
}

/**
 * @param {string} uuid
 * @param {string} label
 * @returns {HTMLElement}
 */
export function documentLink(uuid, label) {
  return el(
    "button",
    { type: "button", class: "aagm-document", "data-uuid": uuid, title: uuid, onclick: () => void openDocument(uuid) },
    el("bdi", {}, label),
  );
}

/** A safe subset of Markdown as a tree; `render.js` makes nodes of it. HTML is text like any other. */

/** @import { Inline } from "./inline.js" */
import { parseInline } from "./inline.js";

/**
 * @typedef {{ kind: "paragraph", inline: Inline[] }
 *   | { kind: "heading", level: number, inline: Inline[] }
 *   | { kind: "code", text: string }
 *   | { kind: "quote", blocks: Block[] }
 *   | { kind: "list", start: number|null, items: Block[][] }
 *   | { kind: "table", head: Inline[][], rows: Inline[][][] }
 *   | { kind: "rule" }} Block
 */

const DEEPEST = 4; // lists and quotes inside each other
const LONGEST_LINE = 4000; // a longer line is a paragraph whatever it looks like
const WIDEST = 12; // columns
const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ITEM = /^( *)([-*+]|\d{1,6}[.)])[ \t]+(\S.*)$/;
const UNDER_HEAD = /^ *\|?(?: *:?-+:? *\|)* *:?-+:? *\|? *$/;

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function parseBlocks(text) {
  return read(text.replace(/\r\n?/g, "\n").split("\n"), 0);
}

/**
 * @param {string[]} lines
 * @param {number} depth
 * @returns {Block[]}
 */
function read(lines, depth) {
  /** @type {Block[]} */
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const { block, next } = readOne(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readOne(lines, at, depth) {
  const line = lines[at];
  if (line.length > LONGEST_LINE) return readParagraph(lines, at, depth);
  const fence = FENCE.exec(line);
  if (fence) return readCode(lines, at, fence[1]);
  const heading = HEADING.exec(line);
  if (heading) return { block: { kind: "heading", level: heading[1].length, inline: parseInline(heading[2]) }, next: at + 1 };
  if (RULE.test(line)) return { block: { kind: "rule" }, next: at + 1 };
  if (depth < DEEPEST && QUOTE.test(line)) return readQuote(lines, at, depth);
  if (depth < DEEPEST && ITEM.test(line)) return readList(lines, at, depth);
  if (isTable(lines, at)) return readTable(lines, at);
  return readParagraph(lines, at, depth);
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {string} fence
 * @returns {{ block: Block, next: number }}
 */
function readCode(lines, at, fence) {
  const closes = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closes.test(lines[end])) end += 1;
  return { block: { kind: "code", text: lines.slice(at + 1, end).join("\n") }, next: end + 1 };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readQuote(lines, at, depth) {
  const inner = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const found = QUOTE.exec(lines[end]);
    if (!found) break;
    inner.push(found[1]);
  }
  return { block: { kind: "quote", blocks: read(inner, depth + 1) }, next: end };
}

/**
 * Items are lines with a mark; what is further in belongs to the item above.
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readList(lines, at, depth) {
  const [, margin, mark] = /** @type {RegExpExecArray} */ (ITEM.exec(lines[at]));
  const isOrdered = /\d/.test(mark);
  /** @type {string[][]} */
  const items = [];
  let end = at;
  for (; end < lines.length; end += 1) {
    const line = lines[end];
    const found = line.length > LONGEST_LINE ? null : ITEM.exec(line);
    if (found && found[1].length <= margin.length + 1) {
      if (/\d/.test(found[2]) !== isOrdered || found[1].length < margin.length) break;
      items.push([found[3]]);
    } else if (belongs(lines, end, margin.length)) items.at(-1)?.push(line.slice(Math.min(margin.length + 2, indentOf(line))));
    else break;
  }
  const start = isOrdered ? Number.parseInt(mark, 10) : null;
  return { block: { kind: "list", start, items: items.map((item) => read(item, depth + 1)) }, next: end };
}

/**
 * Does a line go on with the list's last item?
 * @param {string[]} lines
 * @param {number} at
 * @param {number} margin
 */
function belongs(lines, at, margin) {
  if (lines[at].trim()) return indentOf(lines[at]) > margin + 1 || (Boolean(lines[at - 1]?.trim()) && !startsBlock(lines[at]));
  const next = lines[at + 1] ?? "";
  const item = ITEM.exec(next.slice(0, LONGEST_LINE));
  return Boolean(next.trim()) && (indentOf(next) > margin + 1 || item?.[1].length === margin);
}

/** @param {string} line */
function indentOf(line) {
  return line.length - line.trimStart().length;
}

/** @param {string} line */
function startsBlock(line) {
  if (line.length > LONGEST_LINE) return false;
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);
}

/**
 * @param {string[]} lines
 * @param {number} at
 */
function isTable(lines, at) {
  const under = lines[at + 1] ?? "";
  return lines[at].includes("|") && under.includes("-") && under.includes("|") && under.length <= LONGEST_LINE && UNDER_HEAD.test(under);
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {{ block: Block, next: number }}
 */
function readTable(lines, at) {
  const head = cells(lines[at]);
  /** @type {Inline[][][]} */
  const rows = [];
  let end = at + 2;
  for (; end < lines.length && lines[end].includes("|") && lines[end].length <= LONGEST_LINE; end += 1) {
    const row = cells(lines[end]);
    rows.push(head.map((_, column) => row[column] ?? []));
  }
  return { block: { kind: "table", head, rows }, next: end };
}

/**
 * @param {string} line
 * @returns {Inline[][]}
 */
function cells(line) {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split("|").slice(0, WIDEST).map((cell) => parseInline(cell.trim()));
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {number} depth
 * @returns {{ block: Block, next: number }}
 */
function readParagraph(lines, at, depth) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !isTable(lines, end) && (depth >= DEEPEST || !startsBlock(lines[end]))) end += 1;
  const text = lines.slice(at, end).map((line) => line.trim()).join("\n");
  return { block: { kind: "paragraph", inline: parseInline(text) }, next: end };
}

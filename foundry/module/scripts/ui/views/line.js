/** One line of the transcript. */

/** @import { LineItem } from "../chat-items.js" */
import { button, el, icon } from "../dom.js";
import { isLong } from "../chat-items.js";
import { renderMarkdown, renderTyped } from "../markdown/render.js";
import { say, sizeOf, timeOf } from "../words.js";

const FIRST_PART = 6000; // characters of a long reply that are shown at once, as Markdown
const PIECE = 4000; // characters of the rest in one element, which is laid out only when it is seen

/**
 * @param {LineItem} item
 * @param {{ speaker: string, sendAgain: (text: string) => void }} parts
 * @returns {HTMLElement}
 */
export function lineElement(item, { speaker, sendAgain }) {
  const { role, text, ts, isCancelled, isInterrupt, waits } = item;
  const isOurs = role === "user";
  const body = el("div", { class: "aagm-text" }, ...(role === "assistant" ? replyNodes(text) : [renderTyped(text)]));
  const marks = [
    isInterrupt && mark("interrupt", say("Window.line.interrupt"), say("Window.line.interruptHint")),
    isCancelled && mark("warn", say("Window.line.cancelled"), say("Window.line.cancelledHint")),
    waits && mark(null, say(`Window.line.${waits}`), say(`Window.line.${waits}Hint`)),
  ];
  const kind = isOurs ? "user" : role === "assistant" ? "assistant" : "system";
  return el(
    "article",
    { class: "aagm-line", "data-role": kind, "data-cancelled": isCancelled || null, "data-waits": waits || null, "data-list": kind === "system" && text.includes("\n") ? "" : null },
    kind !== "system" && el("header", { class: "aagm-who" }, el("span", {}, isOurs ? say("Window.you") : speaker), ts && el("time", { datetime: ts }, timeOf(ts))),
    body,
    (isInterrupt || isCancelled || waits) && el("footer", { class: "aagm-marks" }, ...marks, isCancelled && button(say("Window.line.sendAgain"), () => sendAgain(text), { icon: "again" })),
  );
}

/**
 * @param {Parameters<typeof icon>[0]|null} name
 * @param {string} text
 * @param {string} title
 */
function mark(name, text, title) {
  return el("span", { class: "aagm-mark", title }, name && icon(name), text);
}

/**
 * @param {string} text
 * @returns {Node[]}
 */
function replyNodes(text) {
  if (!isLong(text)) return renderMarkdown(text);
  const end = endOfFirst(text);
  const rest = el("div", { class: "aagm-rest", dir: "auto" });
  const more = button(say("Window.line.showWhole", { size: sizeOf(text.length) }), () => {
    rest.append(...pieces(text.slice(end)).map((piece) => el("div", { class: "aagm-piece", dir: "auto" }, piece)));
    rest.tabIndex = -1;
    rest.focus();
    more.remove();
  }, { icon: "down" });
  return [...renderMarkdown(text.slice(0, end)), rest, more];
}

/**
 * Where the first part of a long text ends: at a line's end if there is one near, never inside a character.
 * @param {string} text
 */
function endOfFirst(text) {
  const line = text.lastIndexOf("\n", FIRST_PART);
  const end = line > FIRST_PART / 2 ? line + 1 : FIRST_PART;
  return isInsideCharacter(text, end) ? end + 1 : end;
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function pieces(text) {
  const found = [];
  for (let at = 0; at < text.length; ) {
    const line = text.lastIndexOf("\n", at + PIECE);
    let end = line > at ? line + 1 : Math.min(at + PIECE, text.length);
    if (isInsideCharacter(text, end)) end += 1;
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

/**
 * @param {string} text
 * @param {number} at
 */
function isInsideCharacter(text, at) {
  return /[\uD800-\uDBFF]/.test(text[at - 1] ?? "") && /[\uDC00-\uDFFF]/.test(text[at] ?? "");
}

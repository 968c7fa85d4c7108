/** What the GM is told outside the windows: notices for what happens while the chat is closed, and for strangers. */

import { notice } from "../notices.js";
import { say } from "./words.js";

const LONGEST = 140; // characters of a reply in a notice

/**
 * @param {any} api
 * @param {() => boolean} isOpen  Is the chat window open?
 */
export function tellOutside(api, isOpen) {
  const member = () => api.status().relay?.memberName ?? "AAGM";
  const whileClosed = (/** @type {string} */ text) => {
    if (!isOpen()) notice("info", text);
  };
  api.onReply((/** @type {{ text: string }} */ { text }) => whileClosed(say("Told.reply", { member: member(), text: short(String(text)) })));
  api.onRollback((/** @type {{ event: string, point?: any }} */ { event, point }) => {
    if (point?.kind === "redo") return;
    if (event === "point" && point?.state === "live") whileClosed(say("Told.point", { member: member(), summary: short(point.summary), id: point.id }));
    else if (event === "rolled-back") whileClosed(say("Told.rolledBack", { member: member(), summary: short(point.summary), id: point.id }));
  });
  api.onListenerRefused(() => notice("warn", say("Told.listenerRefused", { member: member() })));
  api.onPageRefused((/** @type {{ origin: string }} */ { origin }) => notice("warn", say("Told.pageRefused", { member: member(), origin: short(String(origin)) })));
}

/** @param {string} text */
function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text;
}

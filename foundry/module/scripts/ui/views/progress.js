/** Long work, as the relay tells of it. */

/** @import { Progress } from "../chat-state.js" */
import { el, fill } from "../dom.js";
import { say } from "../words.js";

/**
 * @param {HTMLElement} place
 * @param {Progress[]} progress
 * @param {(tabId: string) => string} titleOf
 */
export function showProgress(place, progress, titleOf) {
  place.hidden = progress.length === 0;
  fill(
    place,
    progress.map(({ label, done, total, tabId }) => {
      const where = tabId ? titleOf(tabId) : "";
      const name = where ? `${label} · ${where}` : label;
      const isKnown = total > 0;
      return el(
        "div",
        { class: "aagm-work" },
        el("span", { dir: "auto" }, name),
        isKnown && el("span", { class: "aagm-soft" }, say("Window.of", { done, total })),
        el("progress", { "aria-label": name, ...(isKnown && { max: total, value: Math.min(done, total) }) }),
      );
    }),
  );
}

/** Documents dropped on the window become references in the text. */

import { dragData } from "../compat.js";
import { notice } from "../../notices.js";
import { referenceTo } from "../documents.js";
import { say } from "../words.js";

/**
 * @param {HTMLElement} zone
 * @param {(text: string) => void} insert
 */
export function acceptDrops(zone, insert) {
  let depth = 0; // of nested elements entered and not left
  const show = () => zone.toggleAttribute("data-drop", depth > 0);
  zone.addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    show();
  });
  zone.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    show();
  });
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    depth = 0;
    show();
    void dropped(dragData(event), insert);
  });
}

/**
 * @param {ReturnType<typeof dragData>} data
 * @param {(text: string) => void} insert
 */
async function dropped(data, insert) {
  const reference = await referenceTo(data);
  if (reference) insert(reference);
  else notice("warn", say("Window.noDocument"));
}

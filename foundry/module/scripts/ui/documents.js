/** Documents that a text names: opening them, and naming one that was dropped. */

import { notice } from "../notices.js";
import { say } from "./words.js";

/**
 * Open a document's sheet; a page opens in its journal. Says so when it is gone.
 * @param {string} reference  A uuid, with an anchor after `#` for a place in a journal page.
 * @returns {Promise<void>}
 */
export async function openDocument(reference) {
  const [uuid, anchor] = reference.split("#", 2);
  const found = await find(uuid);
  const page = found?.documentName === "JournalEntryPage" ? found : null;
  const sheet = (page?.parent ?? found)?.sheet;
  if (!sheet) {
    notice("warn", say("Window.documentGone", { uuid }));
    return;
  }
  await sheet.render(true, page ? { pageId: page.id, ...(anchor && { anchor }) } : {});
}

/**
 * @param {string} uuid
 * @returns {Promise<any>}
 */
async function find(uuid) {
  try {
    return await fromUuid(/** @type {any} */ (uuid));
  } catch {
    return null; // no uuid at all, or of a pack that is not there
  }
}

/**
 * What a drop on the window becomes in the text.
 * @param {{ type?: string, uuid?: string, anchor?: { slug?: string, name?: string } }} data  As Foundry's drag data.
 * @returns {Promise<string>}  Empty when it is no document.
 */
export async function referenceTo(data) {
  const { uuid, anchor } = data;
  if (typeof uuid !== "string" || /[\s\]]/.test(uuid)) return "";
  const target = anchor?.slug ? `${uuid}#${anchor.slug}` : uuid;
  const name = anchor?.name ?? (await find(uuid))?.name;
  return name ? `@UUID[${target}]{${labelOf(name)}}` : `@UUID[${target}]`;
}

/**
 * A name must not end the label it stands in.
 * @param {unknown} name
 */
function labelOf(name) {
  return String(name).replace(/[{}\n\r]+/g, " ").slice(0, 200).trim();
}

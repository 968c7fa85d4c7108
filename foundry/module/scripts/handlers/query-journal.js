/** @import { ProtectedDocuments } from "../protected-documents.js" */
import { documentAt, oneDocument } from "./named.js";

const ALL = "foundry_query_journal without pageId and pageName gives all pages.";
const LEAVE = "Leave it alone, and tell the game master.";

/**
 * One journal entry's pages, or one of them. Reads only; a protected one is refused.
 * @param {{ journalId?: string, name?: string, pageId?: string, pageName?: string }} params
 *   `journalId` is an id, or the uuid of an entry in the world or in a compendium.
 * @param {{ protectedDocuments: ProtectedDocuments }} context
 * @returns {Promise<Record<string, unknown>>}
 */
export async function queryJournal({ journalId, name, pageId, pageName }, { protectedDocuments }) {
  const wanted = { id: journalId, name, what: "journal", documentName: "JournalEntry" };
  const journal = await documentAt(game.journal, wanted);
  if (protectedDocuments.includes(journal)) {
    return { blocked: true, reason: `the journal "${journal.name}" is protected and is not read out`, fix: LEAVE };
  }
  const isOne = pageId !== undefined || pageName !== undefined;
  const pages = isOne ? [oneDocument(journal.pages, { id: pageId, name: pageName, what: "page", fix: ALL })] : journal.pages;
  return {
    journalId: journal.id,
    uuid: journal.uuid,
    name: journal.name,
    pageCount: journal.pages.size,
    pages: pages.map(summarisePage),
  };
}

/** @param {any} page */
function summarisePage(page) {
  const { name, type, text, src } = page._source;
  return { id: page.id, name, type, content: text?.content ?? src ?? null };
}

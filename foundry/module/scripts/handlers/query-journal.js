/** @import { ProtectedDocuments } from "../protected-documents.js" */
import { oneDocument } from "./named.js";

/**
 * One journal entry's pages, or one of them. Reads only; a protected one is refused.
 * @param {{ journalId?: string, name?: string, pageId?: string, pageName?: string }} params
 * @param {{ protectedDocuments: ProtectedDocuments }} context
 * @returns {Record<string, unknown>}
 */
export function queryJournal({ journalId, name, pageId, pageName }, { protectedDocuments }) {
  const journal = oneDocument(game.journal, { id: journalId, name, what: "journal" });
  if (protectedDocuments.includes(journal)) {
    return { blocked: true, reason: `the journal "${journal.name}" is protected and is not read out` };
  }
  const isOne = pageId !== undefined || pageName !== undefined;
  const pages = isOne ? [oneDocument(journal.pages, { id: pageId, name: pageName, what: "page" })] : journal.pages;
  return {
    journalId: journal.id,
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

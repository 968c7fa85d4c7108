/** @import { WorldSearch } from "../search/world-search.js" */
import { BadParams } from "../errors.js";

const LIMIT = 20;
const MOST = 100;

/**
 * Documents whose name or text has all words of the query, the best first. Reads only.
 * @param {{ query: string, type?: string, where?: "all"|"world"|"compendiums", limit?: number, cursor?: string }} params
 *   `cursor`: of the answer before, to go on from there.
 * @param {{ search: WorldSearch }} context
 * @returns {Promise<{ query: string, total: number, results: object[], unread?: string[], cursor?: string }>}
 * @throws {BadParams}
 */
export async function searchDocuments({ query, type, where, limit = LIMIT, cursor }, { search }) {
  if (typeof query !== "string") throw new BadParams("query is missing");
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw new BadParams("cursor is not one of search's");
  const count = Math.max(1, Math.min(MOST, Math.trunc(limit)));
  const found = await search.find({ query, type, where, limit: count, from });
  const next = from + found.results.length;
  const isMore = next < found.total && found.results.length > 0;
  return { query, ...found, ...(isMore ? { cursor: String(next) } : {}) };
}

import { oneDocument } from "./named.js";

/**
 * One macro with its command. Reads only.
 * @param {{ macroId?: string, name?: string }} params
 * @returns {Record<string, unknown>}
 */
export function queryMacro({ macroId, name }) {
  const macro = oneDocument(game.macros, { id: macroId, name, what: "macro" });
  const { name: title, type, scope, author, img, command } = macro._source;
  return {
    macroId: macro.id,
    name: title,
    type,
    scope,
    author: author ?? null,
    authorName: game.users.get(author)?.name ?? null,
    img,
    command,
  };
}

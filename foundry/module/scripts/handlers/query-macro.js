import { documentAt } from "./named.js";

/**
 * One macro with its command. Reads only.
 * @param {{ macroId?: string, name?: string }} params  `macroId` is an id, or a uuid of the world or a compendium.
 * @returns {Promise<Record<string, unknown>>}
 */
export async function queryMacro({ macroId, name }) {
  const macro = await documentAt(game.macros, { id: macroId, name, what: "macro", documentName: "Macro" });
  const { name: title, type, scope, author, img, command } = macro._source;
  return {
    macroId: macro.id,
    uuid: macro.uuid,
    name: title,
    type,
    scope,
    author: author ?? null,
    authorName: game.users.get(author)?.name ?? null,
    img,
    command,
  };
}

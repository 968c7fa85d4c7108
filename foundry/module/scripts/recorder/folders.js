/** What lies in a folder, in the world or in a compendium. */

/** @import { FoundryDocument } from "./documents.js" */
import { worldCollection } from "./lookup.js";

/**
 * What would move up were the folder deleted: its subfolders and its documents, not what lies deeper. Loads nothing.
 * @param {FoundryDocument} folder
 * @returns {{ uuid: string, name: string }[]}
 */
export function contentsOf(folder) {
  const pack = folder.pack ? /** @type {any} */ (game.packs.get(folder.pack)) : null;
  const isIn = (/** @type {any} */ each) => (each._source ?? each).folder === folder.id;
  /** @type {any[]} */
  const documents = pack
    ? [...pack.index].map((entry) => pack.get(entry._id) ?? entry) // the index may not know of a move
    : [...(worldCollection(folder.type) ?? [])];
  const folders = pack ? pack.folders : worldCollection("Folder");
  return [...folders, ...documents].filter(isIn).map(({ uuid, name }) => ({ uuid, name }));
}

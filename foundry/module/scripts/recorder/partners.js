/**
 * Changes the server makes beside the one that was asked for. Nobody gets a pre hook for them, so what they will
 * change is kept when the trigger is seen (FOUNDRY_FACTS 1.10, hazards 9 and 10). A guess that does not come true is
 * dropped when the recording closes.
 */

/** @import { FoundryDocument, Source } from "./documents.js" */
import { worldCollection } from "./lookup.js";

/**
 * @typedef {{ op: "delete", document: FoundryDocument }|{ op: "update", document: FoundryDocument, after: Source }} Partner
 * @typedef {{ pack: any, id: string, as: (document: FoundryDocument) => Partner }} Unloaded  In a pack, not in memory.
 */

/**
 * @param {FoundryDocument} document
 * @param {any} options
 * @returns {(Partner|Unloaded)[]}
 */
export function partnersOfDelete(document, options) {
  switch (document.documentName) {
    case "Folder":
      return folderPartners(document, options ?? {});
    case "Token":
      return combatantsOf(document).map(asDeleted);
    case "Scene":
      return document.pack ? [] : combatants((each) => each.sceneId === document.id).map(asDeleted);
    case "Actor":
      return document.pack ? [] : combatants((each) => each.actorId === document.id && !each.tokenId).map(asDeleted);
    default:
      return [];
  }
}

/**
 * Who leaves the world's combats when a token is deleted.
 * @param {FoundryDocument} token
 * @returns {FoundryDocument[]}
 */
export function combatantsOf(token) {
  return combatants((each) => each.tokenId === token.id && each.sceneId === token.parent?.id);
}

/**
 * @param {FoundryDocument} document
 * @returns {Partner}
 */
function asDeleted(document) {
  return { op: "delete", document };
}

/**
 * Of the scenes, and of a scene's combats, one is active.
 * @param {FoundryDocument} document
 * @param {Source} changes
 * @returns {Partner[]}
 */
export function partnersOfActivation(document, changes) {
  const { documentName } = document;
  if (changes.active !== true || document.pack || (documentName !== "Scene" && documentName !== "Combat")) return [];
  const others = worldCollection(documentName).filter(
    (/** @type {FoundryDocument} */ other) => other.id !== document.id && other._source.active,
  );
  return others.map((/** @type {FoundryDocument} */ other) => ({ op: "update", document: other, after: { active: false } }));
}

/**
 * @param {(source: Source) => boolean} isOne
 * @returns {FoundryDocument[]}
 */
function combatants(isOne) {
  const combats = /** @type {FoundryDocument[]} */ ([...(worldCollection("Combat") ?? [])]);
  return combats.flatMap(({ combatants: all }) => [.../** @type {any} */ (all)].filter(({ _source }) => isOne(_source)));
}

/**
 * The subtree of a folder: what goes with it, and what moves up.
 * @param {FoundryDocument} folder
 * @param {{ deleteSubfolders?: boolean, deleteContents?: boolean }} options
 * @returns {(Partner|Unloaded)[]}
 */
function folderPartners(folder, { deleteSubfolders = false, deleteContents = false }) {
  const pack = folder.pack ? /** @type {any} */ (game.packs.get(folder.pack)) : null;
  /** @type {FoundryDocument[]} */
  const folders = [...(pack ? pack.folders : worldCollection("Folder"))];
  const up = { folder: folder._source.folder ?? null };
  const gone = new Set([folder.id]);
  /** @type {(Partner|Unloaded)[]} */
  const out = [];
  const walk = (/** @type {string} */ above) => {
    for (const child of folders.filter((each) => each._source.folder === above)) {
      if (!deleteSubfolders) out.push({ op: "update", document: child, after: up });
      else {
        gone.add(child.id);
        out.push({ op: "delete", document: child });
        walk(child.id);
      }
    }
  };
  walk(folder.id);
  const as = (/** @type {FoundryDocument} */ document) =>
    /** @type {Partner} */ (deleteContents ? { op: "delete", document } : { op: "update", document, after: up });
  if (!pack) {
    for (const document of worldCollection(folder.type) ?? []) {
      if (gone.has(document._source.folder)) out.push(as(document));
    }
    return out;
  }
  for (const entry of pack.index) {
    const loaded = pack.get(entry._id);
    if (!gone.has((loaded?._source ?? entry).folder)) continue; // the index may not know of a move
    out.push(loaded ? as(loaded) : { pack, id: entry._id, as });
  }
  return out;
}

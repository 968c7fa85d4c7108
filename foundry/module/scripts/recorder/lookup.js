/** Find documents by uuid without Foundry's own lookup, which throws for some kinds and knows no settings. */

/** @import { FoundryDocument } from "./documents.js" */
import { childCollections } from "./documents.js";

/**
 * @typedef {object} Address
 * @property {string|null} pack
 * @property {[string, string][]} steps  Document name and id, from the top down.
 */

/**
 * @param {string} uuid
 * @returns {Address|null}
 */
export function parseUuid(uuid) {
  const parts = uuid.split(".");
  let pack = null;
  if (parts[0] === "Compendium") {
    pack = `${parts[1]}.${parts[2]}`;
    parts.splice(0, 3);
    if (parts.length % 2) parts.unshift(/** @type {any} */ (game.packs.get(pack))?.documentName ?? "");
  }
  if (parts.length < 2 || parts.length % 2) return null;
  /** @type {[string, string][]} */
  const steps = [];
  for (let i = 0; i < parts.length; i += 2) steps.push([parts[i], parts[i + 1]]);
  return { pack, steps };
}

/**
 * @param {string} uuid
 * @returns {string|null}  The uuid of what it lies in; null for a document of its own.
 */
export function parentOf(uuid) {
  const address = parseUuid(uuid);
  if (!address || address.steps.length < 2) return null;
  return uuid.split(".").slice(0, -2).join(".");
}

/**
 * How many documents lie above it.
 * @param {string} uuid
 */
export function depthOf(uuid) {
  return (parseUuid(uuid)?.steps.length ?? 1) - 1;
}

/**
 * What is in memory: world documents, and those of a pack that happen to be loaded.
 * @param {string|null} uuid
 * @returns {FoundryDocument|null}
 */
export function findLoaded(uuid) {
  const address = uuid === null ? null : parseUuid(uuid);
  return address && loadedAt(address);
}

/**
 * @param {Address} address
 * @returns {FoundryDocument|null}
 */
function loadedAt(address) {
  const [[name, id], ...rest] = address.steps;
  const pack = address.pack === null ? null : /** @type {any} */ (game.packs.get(address.pack));
  const collection = address.pack === null ? worldCollection(name) : name === "Folder" ? pack?.folders : pack;
  return descend(collection?.get(id) ?? invalid(collection, id), rest);
}

/**
 * A document that no longer passes its own validation is kept aside by its collection.
 * @param {any} collection
 * @param {string} id
 * @returns {FoundryDocument|null}
 */
function invalid(collection, id) {
  if (!collection?.invalidDocumentIds?.has(id)) return null;
  return collection.getInvalid(id, { strict: false }) ?? null;
}

/**
 * Is there a document where this one is to be stored? In a pack it need not be loaded.
 * @param {FoundryDocument} document  Not stored yet, with an id.
 * @returns {boolean}
 */
export function isThere({ uuid, parent, pack, _source: source }) {
  const index = parent || !pack ? null : /** @type {any} */ (game.packs.get(pack))?.index;
  return findLoaded(uuid) !== null || Boolean(index?.has(source._id));
}

/**
 * As `findLoaded`, and loads from packs.
 * @param {string|null} uuid
 * @returns {Promise<FoundryDocument|null>}
 */
export async function find(uuid) {
  const address = uuid === null ? null : parseUuid(uuid);
  if (!address || address.pack === null) return address && loadedAt(address);
  const pack = /** @type {any} */ (game.packs.get(address.pack));
  if (!pack) return null;
  const [[name, id], ...rest] = address.steps;
  if (name === "Folder") return pack.folders.get(id) ?? null;
  const isThere = pack.index?.has?.(id) ?? true;
  return descend(isThere ? await pack.getDocument(id) : null, rest);
}

/**
 * A document and what lies in it, also after it has left its collection.
 * @param {FoundryDocument} document
 * @param {string} uuid  Its own, or that of a document in it.
 * @returns {FoundryDocument|null}
 */
export function findWithin(document, uuid) {
  const steps = parseUuid(uuid)?.steps ?? [];
  return descend(document, steps.slice(depthOf(document.uuid) + 1));
}

/**
 * @param {string} documentName
 * @returns {any}
 */
export function worldCollection(documentName) {
  if (documentName === "Setting") return /** @type {any} */ (game.settings).storage.get("world");
  return /** @type {any} */ (game.collections).get(documentName);
}

/**
 * @param {FoundryDocument|null} document
 * @param {[string, string][]} steps
 * @returns {FoundryDocument|null}
 */
function descend(document, steps) {
  let at = document;
  for (const [name, id] of steps) {
    if (!at) return null;
    if (at.documentName === "Token" && name === "Actor") at = at.actorLink ? null : at.actor;
    else if (at.documentName === "Token" && name === "ActorDelta") at = at.delta;
    else {
      const children = childCollection(at, name);
      at = children?.get(id) ?? invalid(children, id);
    }
  }
  return at ?? null;
}

/**
 * @param {FoundryDocument} document
 * @param {string} childName
 */
function childCollection(document, childName) {
  for (const [key, name] of childCollections(document.documentName)) if (name === childName) return document[key];
  return null;
}

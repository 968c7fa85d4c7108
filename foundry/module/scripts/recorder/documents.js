/** What the recorder needs to know of a document: its source, its children, who it belongs to, its hash. */

/** @import { EntryHead, HashedChild } from "../wire.js" */
import { cloneJson } from "./values.js";
import { fnv1a64, canonical } from "./hash.js";

/**
 * Foundry's documents differ from version to version and from system to system; here they are looked at only so.
 * @typedef {any} FoundryDocument
 * @typedef {Record<string, any>} Source
 */

/** @type {Map<string, Map<string, string>>} */
const known = new Map();

/**
 * The child collections of a document type: key in the source → type of the children.
 *
 * A token's `delta` is one document, not a collection, and is treated as part of the token.
 * @param {string} documentName
 * @returns {ReadonlyMap<string, string>}
 */
export function childCollections(documentName) {
  const cached = known.get(documentName);
  if (cached) return cached;
  const embedded = /** @type {any} */ (CONFIG)[documentName]?.documentClass?.metadata?.embedded ?? {};
  const found = new Map();
  for (const [childName, key] of Object.entries(embedded)) {
    if (childName !== "ActorDelta") found.set(/** @type {string} */ (key), childName);
  }
  known.set(documentName, found);
  return found;
}

/** Forget what was learnt of the document types: another world, in tests. */
export function forgetTypes() {
  known.clear();
}

/**
 * Is this key of a source part of what is recorded and restored?
 *
 * The underscore keys are Foundry's own (`_movementHistory`, `_regions`); of `_stats` two fields count, elsewhere.
 * @param {string} key
 */
export function isRecordedKey(key) {
  return !key.startsWith("_");
}

/**
 * A copy of a document's source without its children, except the collections that are asked for.
 * @param {string} documentName
 * @param {Source} source
 * @param {Iterable<string>} [collections]
 * @returns {Source}
 */
export function copyBody(documentName, source, collections = []) {
  const children = childCollections(documentName);
  const wanted = new Set(collections);
  /** @type {Source} */
  const copy = {};
  for (const key of Object.keys(source)) {
    if (!children.has(key) || wanted.has(key)) copy[key] = cloneJson(source[key]);
  }
  return copy;
}

/**
 * The token in whose delta this document lives; null for one of the world or a pack.
 * @param {FoundryDocument} document
 * @returns {FoundryDocument|null}
 */
export function deltaToken(document) {
  for (let at = document.parent; at; at = at.parent) if (at.documentName === "Token") return at;
  return null;
}

/**
 * @param {FoundryDocument} token
 * @returns {Source|null}  The stored delta; a linked token has none that counts.
 */
export function deltaOf(token) {
  if (token._source.actorLink) return null;
  return token.delta?._source ?? token._source.delta ?? null;
}

/**
 * The hash of a stored source without children, statistics and Foundry's own keys.
 * @param {string} documentName
 * @param {Source} source
 * @returns {string}
 */
export function hashDocument(documentName, source) {
  const children = childCollections(documentName);
  const isLeftOut = (/** @type {string} */ key) => children.has(key) || (!isRecordedKey(key) && key !== "_id");
  if (documentName !== "Token") return fnv1a64(canonical(source, isLeftOut));
  const { actorLink, delta } = source;
  const counted = actorLink || !delta ? null : inOrder("ActorDelta", { ...delta, _id: undefined });
  return fnv1a64(canonical({ ...source, delta: counted }, isLeftOut));
}

/**
 * The order of a delta's children says nothing.
 * @param {string} documentName
 * @param {Source} source
 * @returns {Source}
 */
function inOrder(documentName, source) {
  const copy = { ...source };
  for (const [key, childName] of childCollections(documentName)) {
    const children = (source[key] ?? []).map((/** @type {Source} */ child) => inOrder(childName, child));
    copy[key] = children.sort((/** @type {Source} */ a, /** @type {Source} */ b) => (a._id < b._id ? -1 : 1));
  }
  return copy;
}

/**
 * Every descendant of a stored document, flat.
 * @param {string} uuid
 * @param {string} documentName
 * @param {Source} source
 * @returns {HashedChild[]}
 */
export function hashChildren(uuid, documentName, source) {
  /** @type {HashedChild[]} */
  const out = [];
  for (const [key, childName] of childCollections(documentName)) {
    for (const child of source[key] ?? []) {
      const childUuid = `${uuid}.${childName}.${child._id}`;
      out.push({ uuid: childUuid, hash: hashDocument(childName, child) });
      out.push(...hashChildren(childUuid, childName, child));
    }
  }
  return out;
}

/**
 * A document as a create tells of it.
 * @param {string} uuid
 * @param {string} documentName
 * @param {Source} source
 */
export function hashWhole(uuid, documentName, source) {
  return { hash: hashDocument(documentName, source), children: hashChildren(uuid, documentName, source) };
}

/**
 * What every entry says of its document.
 * @param {FoundryDocument} document
 * @returns {Omit<EntryHead, "seq">}
 */
export function describe(document) {
  return {
    uuid: document.uuid ?? null,
    documentName: document.documentName,
    name: nameOf(document.documentName, document._source),
    parentUuid: document.parent?.uuid ?? null,
    pack: document.pack ?? null,
    userId: game.user.id,
  };
}

/**
 * @param {string} documentName
 * @param {Source} source
 * @returns {string|null}
 */
export function nameOf(documentName, source) {
  if (documentName === "Setting") return source.key ?? null;
  return source.name || null;
}

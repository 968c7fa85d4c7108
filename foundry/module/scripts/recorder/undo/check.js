/** `rollback.check`: where the world is not what it is expected to be. */

/** @import { Expected, Found, HashedChild } from "../../wire.js" */
/** @import { FoundryDocument } from "../documents.js" */
import { BadParams } from "../../errors.js";
import { combatantsOf } from "../partners.js";
import { contentsOf } from "../folders.js";
import { currentValue, recordedValue } from "./current.js";
import { hashChildren, hashDocument, nameOf } from "../documents.js";
import { cloneJson, equalJson } from "../values.js";
import { find, parseUuid } from "../lookup.js";

/**
 * Reads only.
 * @param {{ expected: Expected[] }} params
 * @returns {Promise<{ found: Found[] }>}
 */
export async function checkWorld({ expected }) {
  if (!Array.isArray(expected)) throw new BadParams("expected must be a list");
  /** @type {Map<string, FoundryDocument|null>} */
  const documents = new Map();
  /** @type {Found[]} */
  const found = [];
  // Whose place is accounted for: made, deleted or filed by what is to be taken back.
  const filed = new Set(expected.filter(({ path }) => path === undefined || path === "folder").map(({ uuid }) => uuid));
  for (const [index, row] of expected.entries()) {
    if (!documents.has(row.uuid)) documents.set(row.uuid, await find(row.uuid));
    const difference = compare(documents.get(row.uuid) ?? null, row, filed);
    if (difference) found.push({ index, uuid: row.uuid, ...difference });
  }
  return { found };
}

/**
 * @param {FoundryDocument|null} document
 * @param {Expected} row
 * @param {Set<string>} filed
 * @returns {Omit<Found, "index"|"uuid">|null}
 */
function compare(document, row, filed) {
  if (!document) {
    if (!row.exists) return null;
    const documentName = parseUuid(row.uuid)?.steps.at(-1)?.[0] ?? "";
    return { exists: false, name: null, documentName };
  }
  const { documentName, _source: source } = document;
  const head = { exists: true, name: nameOf(documentName, source), documentName };
  if (row.path !== undefined) return comparePath(document, row, head);
  if (row.hash !== undefined) return compareWhole(document, row, head, filed);
  return row.exists ? null : { ...head, hash: hashDocument(documentName, source) };
}

/**
 * @param {FoundryDocument} document
 * @param {Expected} row
 * @param {{ exists: boolean, name: string|null, documentName: string }} head
 */
function comparePath(document, row, head) {
  const path = /** @type {string} */ (row.path);
  const value = currentValue(document, path);
  const wanted = row.absent ? undefined : recordedValue(document.documentName, path, row.value);
  if (equalJson(value, wanted)) return null;
  return value === undefined ? { ...head, path, absent: /** @type {true} */ (true) } : { ...head, path, value: cloneJson(value) };
}

/**
 * @param {FoundryDocument} document
 * @param {Expected} row
 * @param {{ exists: boolean, name: string|null, documentName: string }} head
 * @param {Set<string>} filed
 */
function compareWhole(document, row, head, filed) {
  const hash = hashDocument(document.documentName, document._source);
  const children = row.children && hashChildren(document.uuid, document.documentName, document._source);
  const isSame = hash === row.hash && !isUsed(document, filed);
  if (isSame && (!children || sameChildren(children, row.children ?? []))) return null;
  const differ = children && !sameChildren(children, row.children ?? []);
  return differ ? { ...head, hash, children } : { ...head, hash };
}

/**
 * Did somebody file something in this folder, or take this token into a combat? No hash tells.
 * @param {FoundryDocument} document
 * @param {Set<string>} filed
 */
function isUsed(document, filed) {
  const isNew = (/** @type {{ uuid: string }} */ { uuid }) => !filed.has(uuid);
  if (document.documentName === "Folder") return contentsOf(document).some(isNew);
  return document.documentName === "Token" && combatantsOf(document).some(isNew);
}

/**
 * @param {HashedChild[]} a
 * @param {HashedChild[]} b
 */
export function sameChildren(a, b) {
  if (a.length !== b.length) return false;
  const hashes = new Map(a.map(({ uuid, hash }) => [uuid, hash]));
  return b.every(({ uuid, hash }) => hashes.get(uuid) === hash);
}

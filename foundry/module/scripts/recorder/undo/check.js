/** `rollback.check`: where the world is not what it is expected to be. */

/** @import { Expected, Found, HashedChild } from "../../wire.js" */
/** @import { FoundryDocument } from "../documents.js" */
import { BadParams } from "../../errors.js";
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
  for (const [index, row] of expected.entries()) {
    if (!documents.has(row.uuid)) documents.set(row.uuid, await find(row.uuid));
    const difference = compare(documents.get(row.uuid) ?? null, row);
    if (difference) found.push({ index, uuid: row.uuid, ...difference });
  }
  return { found };
}

/**
 * @param {FoundryDocument|null} document
 * @param {Expected} row
 * @returns {Omit<Found, "index"|"uuid">|null}
 */
function compare(document, row) {
  if (!document) {
    if (!row.exists) return null;
    const documentName = parseUuid(row.uuid)?.steps.at(-1)?.[0] ?? "";
    return { exists: false, name: null, documentName };
  }
  const { documentName, _source: source } = document;
  const head = { exists: true, name: nameOf(documentName, source), documentName };
  if (row.path !== undefined) return comparePath(document, row, head);
  if (row.hash !== undefined) return compareWhole(document, row, head);
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
 */
function compareWhole(document, row, head) {
  const hash = hashDocument(document.documentName, document._source);
  const children = row.children && hashChildren(document.uuid, document.documentName, document._source);
  const isSame = hash === row.hash;
  if (isSame && (!children || sameChildren(children, row.children ?? []))) return null;
  const differ = children && !sameChildren(children, row.children ?? []);
  return differ ? { ...head, hash, children } : { ...head, hash };
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

/** Write many documents in few requests, and know of each what became of it. */

/** @import { FoundryDocument } from "../documents.js" */
import { find } from "../lookup.js";

const LARGEST = 1000; // documents in one request

/**
 * Where documents of one kind lie together.
 * @typedef {{ documentName: string, parentUuid: string|null, pack: string|null }} Place
 */

/**
 * Cut a list into runs whose items go together, in order.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @returns {T[][]}
 */
export function runsOf(items, keyOf) {
  /** @type {T[][]} */
  const runs = [];
  let last = "";
  for (const item of items) {
    const key = keyOf(item);
    const run = runs.at(-1);
    if (run && key === last && run.length < LARGEST) run.push(item);
    else runs.push([item]);
    last = key;
  }
  return runs;
}

/**
 * @template T, K
 * @param {Iterable<T>} items
 * @param {(item: T) => K} keyOf
 * @returns {Map<K, T[]>}
 */
export function grouped(items, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** @param {Place} place */
export function placeKey({ documentName, parentUuid, pack }) {
  return `${documentName} ${parentUuid} ${pack}`;
}

/**
 * @param {Place} place
 * @returns {Promise<{ Class: any, context: { parent: FoundryDocument|null, pack: string|null } }>}
 * @throws {Error}  When documents cannot be written there, with the reason.
 */
export async function openPlace({ documentName, parentUuid, pack }) {
  if (pack !== null) {
    const found = /** @type {any} */ (game.packs.get(pack));
    if (!found) throw new Error(`the compendium ${pack} is gone`);
    if (found.locked) throw new Error(`the compendium ${pack} is locked`);
  }
  const parent = parentUuid === null ? null : await find(parentUuid);
  if (parentUuid !== null && !parent) throw new Error("what it lies in is gone");
  return { Class: getDocumentClass(/** @type {any} */ (documentName)), context: { parent, pack } };
}

/**
 * Write a run in one request; should that be refused, one by one, so that one bad document spoils no other.
 * @template T
 * @param {T[]} run
 * @param {(items: T[]) => Promise<unknown>} write
 * @param {(item: T, error: unknown) => void} failed
 */
export async function writeRun(run, write, failed) {
  try {
    await write(run);
    return;
  } catch (error) {
    if (run.length === 1) return failed(run[0], error);
  }
  for (const item of run) {
    try {
      await write([item]);
    } catch (error) {
      failed(item, error);
    }
  }
}

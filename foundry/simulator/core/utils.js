/** The `foundry.utils` namespace of one generation. */
import { Collection } from "./collection.js";
import { makeDiffObject, makeMergeObject } from "./merge.js";
import * as objects from "./objects.js";

/** Compare two version strings: is the first newer? */
export function isNewerVersion(v1, v0) {
  const first = String(v1).split(".");
  const second = String(v0).split(".");
  for (let i = 0; i < Math.max(first.length, second.length); i += 1) {
    if (first[i] === undefined) return false;
    if (second[i] === undefined) return true;
    const a = Number(first[i]);
    const b = Number(second[i]);
    if (Number.isNaN(a) || Number.isNaN(b)) {
      if (first[i] !== second[i]) return first[i] > second[i];
    } else if (a !== b) return a > b;
  }
  return false;
}

/** Tell whether a class is, or extends, another. */
export function isSubclass(Class, Parent) {
  return Class === Parent || Class?.prototype instanceof Parent;
}

/**
 * Make the utilities of one client.
 * @param {{generation: number, randomID: (length?: number) => string, clock: object}} parts
 */
export function createUtils({ generation, randomID, clock }) {
  const utils = {
    Collection,
    isNewerVersion,
    isSubclass,
    randomID,
    mergeObject: makeMergeObject(generation),
    diffObject: makeDiffObject(generation),
    deepClone: objects.deepClone,
    duplicate: objects.duplicate,
    flattenObject: objects.flattenObject,
    expandObject: objects.expandObject,
    filterObject: objects.filterObject,
    getProperty: objects.getProperty,
    setProperty: objects.setProperty,
    hasProperty: objects.hasProperty,
    isEmpty: objects.isEmpty,
    getType: objects.getType,
    deleteProperty: objects.deleteProperty,
    objectsEqual: objects.objectsEqual,

    /** Call once, *delay* ms after the last request. */
    debounce(callback, delay) {
      let timer;
      return function debounced(...args) {
        clock.clearTimeout(timer);
        timer = clock.setTimeout(() => callback.apply(this, args), delay);
      };
    },
  };
  return utils;
}

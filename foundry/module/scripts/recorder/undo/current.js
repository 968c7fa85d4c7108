/** What a recorded path holds now. */

/** @import { FoundryDocument } from "../documents.js" */
import { childCollections, deltaOf } from "../documents.js";
import { readPath, withoutStats } from "../paths.js";

/**
 * The value at a leaf path of a document, in the form a recording keeps it.
 * @param {FoundryDocument} document
 * @param {string} path
 * @returns {unknown}  Undefined when there is nothing.
 */
export function currentValue(document, path) {
  const [top] = path.split(".");
  if (document.documentName === "Token" && top === "delta") {
    return withoutStats(readPath({ delta: deltaOf(document) }, path));
  }
  const value = readPath(document._source, path);
  if (top === "_stats") return value ?? undefined;
  return childCollections(document.documentName).has(path) ? withoutStats(value) : value;
}

/**
 * The recorded value in the form `currentValue` gives.
 * @param {string} documentName
 * @param {string} path
 * @param {unknown} value
 */
export function recordedValue(documentName, path, value) {
  if (path.startsWith("_stats.")) return value ?? undefined;
  return childCollections(documentName).has(path) ? withoutStats(value) : value;
}

/** How one document's changes are put back: which keys leaf by leaf, which whole, and with what options. */

/** @import { Change } from "../../wire.js" */
/** @import { FoundryDocument, Source } from "../documents.js" */
import { cloneJson, isPlain } from "../values.js";
import { UNDO_MARK } from "../marks.js";
import { grouped } from "./batch.js";
import { currentValue } from "./current.js";
import { deltaOf } from "../documents.js";
import { nest, writePath } from "../paths.js";

/**
 * `leaf` writes paths and leaves the rest alone; `whole` replaces top-level keys, read just before; `delta` replaces
 * an unlinked token's delta; `setting` goes through the settings.
 * @typedef {"leaf"|"whole"|"delta"|"setting"} Mode
 * @typedef {{ mode: Mode, changes: Change[] }} Write
 */

/** In the order they are written: a token must have lost its link before its delta is. */
export const MODES = Object.freeze(/** @type {Mode[]} */ (["setting", "whole", "leaf", "delta"]));

/** What puts a key out of existence in this version, inside a leaf write; null when nothing can be relied on. */
function deletion() {
  const generation = game.release?.generation ?? 12;
  if (generation < 13) return null; // 12 loses deletion keys inside data models (FOUNDRY_FACTS 1.6)
  if (generation === 13) return "key";
  return /** @type {any} */ (globalThis)._del === undefined ? null : "operator";
}

/**
 * @param {FoundryDocument} document
 * @param {Change[]} changes  Only those that are not as they were.
 * @param {{ coarse: boolean }} how  The second try: the other way.
 * @returns {Write[]}
 */
export function planWrites(document, changes, { coarse }) {
  if (document.documentName === "Setting") return [{ mode: coarse ? "leaf" : "setting", changes }];
  /** @type {Record<Mode, Change[]>} */
  const byMode = { leaf: [], whole: [], delta: [], setting: [] };
  const hasType = changes.some(({ path }) => path === "type");
  for (const [top, group] of grouped(changes, ({ path }) => path.split(".")[0])) {
    if (document.documentName === "Token" && top === "delta") byMode[coarse ? "leaf" : "delta"].push(...group);
    else if (hasType && (top === "type" || top === "system")) byMode.whole.push(...group);
    else if (top !== "_stats" && (coarse || group.some((change) => needsWhole(document, change)))) byMode.whole.push(...group);
    else byMode.leaf.push(...group);
  }
  if (hasType && !byMode.whole.some(({ path }) => path.startsWith("system"))) byMode.whole.push({ path: "system" });
  /** @type {Write[]} */
  const writes = [];
  for (const mode of MODES) {
    if (byMode[mode].length) writes.push({ mode, changes: byMode[mode] });
  }
  return writes;
}

/**
 * Merging cannot take a key away from an object; only a deletion or a replacement can.
 * @param {FoundryDocument} document
 * @param {Change} change
 */
function needsWhole(document, { path, before }) {
  if (before === undefined) return deletion() === null || !path.includes(".");
  return isPlain(before) && isPlain(currentValue(document, path));
}

/**
 * The update's data, made from what the document holds at this moment.
 * @param {FoundryDocument} document
 * @param {Write} write
 * @returns {Source}
 */
export function buildUpdate(document, { mode, changes }) {
  if (mode === "leaf") return leafUpdate(changes);
  if (mode === "delta") {
    const holder = { delta: cloneJson(deltaOf(document) ?? {}) };
    for (const { path, before } of changes) writePath(holder, path, before);
    return holder;
  }
  /** @type {Source} */
  const update = {};
  for (const { path } of changes) {
    const top = path.split(".")[0];
    if (top in document._source) update[top] ??= cloneJson(document._source[top]);
  }
  for (const { path, before } of changes) {
    if (path !== "system" || before !== undefined) writePath(update, path, before);
  }
  return update;
}

/** @param {Change[]} changes */
function leafUpdate(changes) {
  /** @type {[string, unknown][]} */
  const leaves = [];
  for (const { path, before } of changes) {
    if (before !== undefined) leaves.push([path, before]);
    else if (path.startsWith("_stats.")) leaves.push([path, null]);
    else if (deletion() === "key") leaves.push([path.replace(/[^.]*$/, "-=$&"), null]);
    else leaves.push([path, /** @type {any} */ (globalThis)._del]);
  }
  return nestOperators(leaves);
}

/** @param {[string, unknown][]} leaves */
function nestOperators(leaves) {
  const operators = leaves.filter(([, value]) => isOperator(value));
  const update = nest(leaves.filter(([, value]) => !isOperator(value)));
  for (const [path, value] of operators) {
    const parts = path.split(".");
    const last = /** @type {string} */ (parts.pop());
    let at = update;
    for (const part of parts) at = at[part] ??= {};
    at[last] = value; // as it is: a copy would be no operator any more
  }
  return update;
}

/** @param {unknown} value */
function isOperator(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !isPlain(value);
}

/**
 * @param {string} documentName
 * @param {Mode} mode
 * @returns {Record<string, unknown>}
 */
export function writeOptions(documentName, mode) {
  const options = { ...UNDO_MARK, diff: false, recursive: mode === "leaf" };
  return documentName === "Token" ? { ...options, isUndo: true, animate: false } : options;
}

/**
 * In 14 a changed type wants its `system` as an operator.
 * @param {Source} update
 * @returns {Source}
 */
export function forced(update) {
  const replace = /** @type {any} */ (globalThis)._replace;
  if (!("type" in update) || !isPlain(update.system) || typeof replace !== "function") return update;
  return { ...update, system: replace(update.system) };
}

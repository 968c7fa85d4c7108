/**
 * `mergeObject` and `diffObject`, by generation: 12 and 13 delete by key, 14 by operator.
 *
 * Source: FOUNDRY_FACTS 1.6; FIELD_LESSONS 46 (a deletion key outside a deleting merge is stored literally).
 */
import { deepClone, expandObject, getType, isEmpty, isPlain, objectsEqual } from "./objects.js";
import { ForcedDeletion, ForcedReplacement, isOperator } from "./operators.js";

const DEFAULTS = {
  insertKeys: true,
  insertValues: true,
  overwrite: true,
  recursive: true,
  inplace: true,
  enforceTypes: false,
  performDeletions: false,
  applyOperators: false,
};

const hasDottedKey = (object) => Object.keys(object).some((key) => key.includes("."));

/**
 * Make the merge of one generation.
 * @param {number} generation 12, 13 or 14.
 */
export function makeMergeObject(generation) {
  return function mergeObject(original, other = {}, options = {}) {
    if (!(original instanceof Object) || !(other instanceof Object)) {
      throw new Error("One of original or other are not Objects!");
    }
    const settings = { ...DEFAULTS, ...options, generation };
    if (generation >= 14 && settings.performDeletions) settings.applyOperators = true;
    let target = settings.inplace ? original : deepClone(original);
    if (hasDottedKey(target)) {
      const expanded = expandObject(target);
      if (settings.inplace) {
        for (const key of Object.keys(target)) delete target[key];
        Object.assign(target, expanded);
      } else target = expanded;
    }
    mergeInto(target, hasDottedKey(other) ? expandObject(other) : other, settings, 1);
    return target;
  };
}

function mergeInto(target, other, settings, depth) {
  for (const key of Object.keys(other)) {
    const value = other[key];
    if (applyKeyOperation(target, key, value, settings)) continue;
    if (Object.hasOwn(target, key)) mergeExisting(target, key, value, settings, depth);
    else insertNew(target, key, value, settings, depth);
  }
}

/** Apply `-=key`, `==key` or an operator; tell whether that was all. */
function applyKeyOperation(target, key, value, settings) {
  if (settings.applyOperators && isOperator(value)) {
    if (value instanceof ForcedDeletion) delete target[key];
    else if (value instanceof ForcedReplacement) target[key] = deepClone(value.value);
    return true;
  }
  if (!settings.performDeletions) return false;
  if (key.startsWith("-=")) {
    delete target[key.slice(2)];
    return true;
  }
  if (key.startsWith("==") && settings.generation >= 13) {
    target[key.slice(2)] = deepClone(value);
    return true;
  }
  return false;
}

function insertNew(target, key, value, settings, depth) {
  const allowed = depth === 1 ? settings.insertKeys : settings.insertValues;
  if (!allowed) return;
  if (!isPlain(value)) {
    target[key] = value;
    return;
  }
  target[key] = {};
  mergeInto(target[key], value, { ...settings, insertKeys: true, insertValues: true }, depth + 1);
}

function mergeExisting(target, key, value, settings, depth) {
  const current = target[key];
  if (isPlain(current) && isPlain(value) && settings.recursive) {
    mergeInto(current, value, settings, depth + 1);
    return;
  }
  if (!settings.overwrite) return;
  if (settings.enforceTypes && current !== undefined && getType(current) !== getType(value)) {
    throw new Error("Mismatched data types encountered during object merge.");
  }
  target[key] = value;
}

/**
 * Make the difference of one generation: the keys of *other* whose values differ from *original*.
 * Keys missing from *other* are not reported.
 */
export function makeDiffObject(generation) {
  return function diffObject(original, other, options = {}) {
    const { inner = false, deletionKeys = false, bidirectional = false } = options;
    const difference = {};
    for (const key of Object.keys(other)) {
      const value = other[key];
      if (isOperator(value)) {
        if (operatorChanges(original, key, value)) difference[key] = value;
        continue;
      }
      if (deletionKeys && isKeyOperation(key, generation)) {
        const bare = key.slice(2);
        const same = key.startsWith("==") ? objectsEqual(original[bare], value) : !Object.hasOwn(original, bare);
        if (!same) difference[key] = value;
        continue;
      }
      if (inner && !Object.hasOwn(original, key)) continue;
      const [differs, part] = compare(original[key], value, options, diffObject);
      if (differs) difference[key] = part;
    }
    if (bidirectional && generation >= 14) {
      for (const key of Object.keys(original)) {
        if (!Object.hasOwn(other, key)) difference[key] = new ForcedDeletion();
      }
    }
    return difference;
  };
}

/** Tell whether a key is a deletion or replacement key of this generation. */
export function isKeyOperation(key, generation) {
  return key.startsWith("-=") || (generation >= 13 && key.startsWith("=="));
}

function operatorChanges(original, key, operator) {
  if (operator instanceof ForcedDeletion) return Object.hasOwn(original, key);
  return !objectsEqual(original[key], operator.value);
}

function compare(before, after, options, diffObject) {
  const kind = getType(before);
  if (kind !== getType(after)) return [true, after];
  if (kind === "Array") return [!objectsEqual(before, after), after];
  if (kind === "Object") {
    if (isEmpty(before) !== isEmpty(after)) return [true, after];
    const difference = diffObject(before, after, options);
    return [!isEmpty(difference), difference];
  }
  if (kind === "number" && Number.isNaN(before) && Number.isNaN(after)) return [false, after];
  return [before !== after, after];
}

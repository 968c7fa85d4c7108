/**
 * Plain-object arithmetic of `foundry.utils`: what documents are merged, compared and copied with.
 *
 * Source: FOUNDRY_FACTS 1.6.
 */

/**
 * Name the kind of a value as Foundry does.
 * @param {unknown} value
 * @returns {string} `undefined`, `null`, `number`, `string`, `boolean`, `Array`, `Object`, `Set`, `Map`, `Date`, `function`, …
 */
export function getType(value) {
  if (value === null) return "null";
  if (typeof value === "function") return isClass(value) ? "class" : "function";
  if (typeof value !== "object") return typeof value;
  if (Array.isArray(value)) return "Array";
  for (const Kind of [Set, Map, Promise, Error, Date, RegExp]) {
    if (value instanceof Kind) return Kind.name;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || prototype.constructor === Object || prototype.constructor?.name === "Object") {
    return "Object";
  }
  return value.constructor?.name ?? "Unknown";
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Tell whether a value is a bare `{}` object. */
export function isPlain(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return prototype.constructor?.name === "Object";
}

/** Tell whether a value holds nothing: null, undefined, `{}`, `[]`, an empty Set or Map. */
export function isEmpty(value) {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Set || value instanceof Map) return value.size === 0;
  if (isPlain(value)) return Object.keys(value).length === 0;
  return false;
}

/**
 * Copy objects, arrays and dates; everything else (Set, Map, instances, functions) is passed through.
 * @param {unknown} original
 * @param {{strict?: boolean}} [options] strict: throw where something cannot be copied.
 */
export function deepClone(original, { strict = false } = {}) {
  return copyOf(original, strict, 0);
}

function copyOf(original, strict, depth) {
  if (depth > 100) throw new Error("Maximum depth exceeded. Be sure your object does not contain cyclical data.");
  if (typeof original !== "object" || original === null) return original;
  if (Array.isArray(original)) {
    const copy = new Array(original.length);
    for (let i = 0; i < original.length; i += 1) copy[i] = copyOf(original[i], strict, depth + 1);
    return copy;
  }
  if (original instanceof Date) return new Date(original);
  if (!isPlain(original)) {
    if (strict) throw new Error("deepClone cannot clone advanced objects");
    return original;
  }
  const copy = {};
  for (const key of Object.keys(original)) copy[key] = copyOf(original[key], strict, depth + 1);
  return copy;
}

/** Copy by a JSON round trip. */
export function duplicate(original) {
  return JSON.parse(JSON.stringify(original));
}

/** Compare by value; arrays and plain objects deeply, order of keys aside. */
export function objectsEqual(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && objectsEqual(a[key], b[key]));
}

/** Read a dotted path; a literal key of that name wins. */
export function getProperty(object, key) {
  if (!key || !object) return undefined;
  if (key in object) return object[key];
  let target = object;
  for (const part of key.split(".")) {
    if (typeof target !== "object" && typeof target !== "function") return undefined;
    if (target === null || !(part in target)) return undefined;
    target = target[part];
  }
  return target;
}

/** Tell whether a dotted path exists. */
export function hasProperty(object, key) {
  if (!key || !object) return false;
  if (key in object) return true;
  let target = object;
  for (const part of key.split(".")) {
    if (typeof target !== "object" || target === null || !(part in target)) return false;
    target = target[part];
  }
  return true;
}

/**
 * Write a dotted path, making objects on the way.
 * @returns {boolean} Whether the value changed.
 */
export function setProperty(object, key, value) {
  if (!key) return false;
  let target = object;
  let last = key;
  if (key.includes(".")) {
    const parts = key.split(".");
    last = parts.pop();
    for (const part of parts) {
      if (typeof target[part] !== "object" || target[part] === null) target[part] = {};
      target = target[part];
    }
  }
  if (last in target && target[last] === value) return false;
  target[last] = value;
  return true;
}

/**
 * Remove a dotted path.
 * @returns {boolean} Whether something was removed.
 */
export function deleteProperty(object, key) {
  if (!key || !object) return false;
  const parts = key.split(".");
  const last = parts.pop();
  const target = parts.length ? getProperty(object, parts.join(".")) : object;
  if (typeof target !== "object" || target === null || !(last in target)) return false;
  return delete target[last];
}

/** Turn nested objects into dotted leaves; arrays and empty objects are leaves. */
export function flattenObject(object, depth = 0) {
  if (depth > 100) throw new Error("Maximum depth exceeded");
  const flat = {};
  for (const [key, value] of Object.entries(object)) {
    if (isPlain(value) && !isEmpty(value)) {
      for (const [inner, leaf] of Object.entries(flattenObject(value, depth + 1))) flat[`${key}.${inner}`] = leaf;
    } else flat[key] = value;
  }
  return flat;
}

/** Turn dotted keys into nested objects, at every depth. */
export function expandObject(object) {
  return expand(object, 0);
}

function expand(value, depth) {
  if (depth > 32) throw new Error("Maximum object expansion depth exceeded");
  if (Array.isArray(value)) return value.map((element) => expand(element, depth + 1));
  if (!isPlain(value)) return value;
  const expanded = {};
  for (const [key, inner] of Object.entries(value)) setProperty(expanded, key, expand(inner, depth + 1));
  return expanded;
}

/**
 * Keep the members of an object whose keys are in another, recursively.
 * @param {{templateValues?: boolean}} [options] Take the values of the template instead.
 */
export function filterObject(source, template, { templateValues = false } = {}) {
  const kept = {};
  for (const [key, value] of Object.entries(source)) {
    if (!Object.hasOwn(template, key)) continue;
    if (isPlain(value) && isPlain(template[key])) kept[key] = filterObject(value, template[key], { templateValues });
    else kept[key] = templateValues ? template[key] : value;
  }
  return kept;
}

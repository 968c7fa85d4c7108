/** Random data for any document type, read from the simulator's tables. */

import { KEYS } from "./chance.mjs";

/** Fields left alone: they name other documents, or change what a document is. */
const FIXED = new Set([
  "_id", "type", "folder", "ownership", "author", "user", "key", "value", "actorId", "actorLink", "delta", "tokenId", "sceneId",
  "active", "scene", "round", "turn", "password", "passwordSalt", "role", "permissions", "playing", "pausedTime", "character", "range",
  "documentCollection", "documentId", "documentUuid", "prototypeToken", "shapes", "speaker", "rolls", "whisper", "results", "c",
  "changes", "statuses", "duration",
]);

/** The fields of a type that random updates may write. */
export function plainFields(table) {
  return Object.entries(table.fields).filter(
    ([key, { kind }]) => !FIXED.has(key) && !key.startsWith("_") && kind !== "children" && kind !== "delta" && kind !== "ref" && key !== "system" && key !== "flags",
  );
}

/** A value for a field of that kind. */
export function fieldValue(chance, key, field) {
  switch (field.kind) {
    case "string":
      return key === "name" ? chance.text() : chance.is(0.1) && key !== "command" ? "" : chance.text();
    case "number":
      return chance.between(-20, 500);
    case "boolean":
      return chance.is(0.5);
    case "array":
      return Array.from({ length: chance.below(3) }, () => chance.value(1));
    case "object":
      return chance.object(1);
    default:
      return chance.is(0.3) ? null : chance.text();
  }
}

/** What a new document needs. */
export function newData(chance, table, schema) {
  const data = { flags: chance.is(0.3) ? { world: chance.object() } : {} };
  if ("name" in table.fields) data.name = chance.text();
  if (table.hasType) {
    const types = schema.typesOf(table.name);
    if (types) data.type = chance.pick(types);
    else if (table.name === "TableResult") delete data.type;
  }
  if (table.name === "Wall") data.c = [0, 0, chance.below(900), chance.below(900)];
  if (table.name === "TableResult") data.range = [1, 1];
  if (table.hasSystem && chance.is(0.4)) data.system = chance.object();
  for (const [key, field] of plainFields(table)) if (chance.is(0.15) && !(key in data)) data[key] = fieldValue(chance, key, field);
  for (const [key, childName] of table.childFields) {
    if (!chance.is(0.25)) continue;
    data[key] = Array.from({ length: chance.between(1, 3) }, () => newData(chance, schema.tables[childName], schema));
  }
  return data;
}

/** An update's data: fields, system, flags; nested, dotted, deleting, emptied. */
export function changesFor(chance, document, generation) {
  const { table } = document.constructor;
  const changes = {};
  for (const [key, field] of chance.some(plainFields(table), 3)) changes[key] = fieldValue(chance, key, field);
  if (table.hasSystem && chance.is(0.5)) Object.assign(changes, branch(chance, "system", document._source.system, generation));
  if ("flags" in table.fields && chance.is(0.5)) {
    const flags = document._source.flags.world;
    if (flags && chance.is(0.3)) Object.assign(changes, branch(chance, "flags.world", flags, generation));
    else changes.flags = { world: chance.object() };
  }
  return changes;
}

/** Write, add or take away a key below a path; what the system itself put there keeps its shape. */
function branch(chance, path, value, generation) {
  const keys = Object.keys(value ?? {});
  const key = keys.length && chance.is(0.6) ? chance.pick(keys) : chance.key();
  if (!KEYS.includes(key)) {
    if (isObject(value[key])) return branch(chance, `${path}.${key}`, value[key], generation);
    return { [`${path}.${key}`]: typeof value[key] === "number" ? chance.between(0, 30) : value[key] };
  }
  if (keys.includes(key) && chance.is(0.3)) {
    if (generation >= 14) return { [`${path}.${key}`]: globalThis._del };
    return { [`${path}.-=${key}`]: null };
  }
  if (isObject(value?.[key]) && chance.is(0.5)) return branch(chance, `${path}.${key}`, value[key], generation);
  if (chance.is(0.5)) return { [`${path}.${key}`]: chance.value() };
  return nest(path.split("."), { [key]: chance.value() });
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function nest(parts, value) {
  return parts.reduceRight((inner, part) => ({ [part]: inner }), value);
}

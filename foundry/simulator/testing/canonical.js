/** The equality that undo is judged by. */
import { objectsEqual } from "../core/objects.js";
import { joinUuid } from "../data/uuid.js";

/** Members of `_stats` that every write changes. */
const VOLATILE = ["createdTime", "modifiedTime", "lastModifiedBy", "coreVersion", "systemId", "systemVersion"];

/**
 * All documents the server holds, by uuid and in a fixed order, without what every write changes.
 *
 * Foundry's own underscore members (a token's movement history, its regions) are left out: nobody may restore them.
 * Children stand in their own entries, so that a difference names the document it is in.
 * @param {import("../world.js").World} world
 * @param {{ignore?: string[]}} [options] Document types left out.
 * @returns {Record<string, object>}
 */
export function canonical(world, { ignore = [] } = {}) {
  const { store, schema } = world.server;
  const known = knownOf(world);
  const entries = {};
  const add = (table, source, pack) => {
    if (!ignore.includes(table.name)) Object.assign(entries, known.entries(schema, table, source, pack, ignore));
  };
  for (const [name, documents] of store.collections) for (const source of documents.values()) add(schema.tables[name], source, null);
  for (const [id, pack] of store.packs) {
    for (const source of pack.folders.values()) add(schema.tables.Folder, source, id);
    for (const source of pack.documents.values()) add(schema.tables[pack.metadata.type], source, id);
  }
  return sorted(entries, 1);
}

/** The entries of a primary document as they were last asked for: most are the same again. */
class Known {
  #byUuid = new Map();

  entries(schema, table, source, pack, ignore) {
    const uuid = joinUuid(null, table.name, source._id, pack);
    const text = `${ignore.join()}${JSON.stringify(source)}`;
    const last = this.#byUuid.get(uuid);
    if (last?.text === text) return last.entries;
    const entries = {};
    addEntries(entries, { schema, ignore }, table, source, uuid);
    this.#byUuid.set(uuid, { text, entries });
    return entries;
  }
}

const worlds = new WeakMap();

function knownOf(world) {
  if (!worlds.has(world)) worlds.set(world, new Known());
  return worlds.get(world);
}

function addEntries(entries, { schema, ignore }, table, source, uuid) {
  const own = {};
  for (const [key, value] of Object.entries(source)) {
    const field = table.fields[key];
    if (key.startsWith("_") && !["_id", "_stats"].includes(key)) continue;
    if (field?.kind === "children") {
      const childTable = schema.tables[field.documentName];
      if (ignore.includes(childTable.name)) continue;
      for (const child of value) addEntries(entries, { schema, ignore }, childTable, child, joinUuid(uuid, childTable.name, child._id));
    } else if (field?.kind === "delta" && value) own[key] = source.actorLink ? null : canonicalDelta(value); // a linked token's has no effect
    else if (key === "_stats") own[key] = withoutVolatile(value);
    else own[key] = value;
  }
  entries[uuid] = sorted(own);
}

function withoutVolatile(stats) {
  return Object.fromEntries(Object.entries(stats ?? {}).filter(([key]) => !VOLATILE.includes(key)));
}

/** The order of a delta's entries says nothing, nor does what every write changes in them. */
function canonicalDelta(delta) {
  const copy = { ...delta };
  for (const key of ["items", "effects"]) copy[key] = canonicalList(delta[key] ?? []);
  return copy;
}

function canonicalList(children) {
  const copies = children.map((child) => {
    const copy = { ...child };
    const stats = Object.entries(withoutVolatile(child._stats)).filter(([, value]) => value !== null);
    delete copy._stats;
    if (stats.length) copy._stats = Object.fromEntries(stats);
    if (child.effects) copy.effects = canonicalList(child.effects);
    return copy;
  });
  return copies.sort((a, b) => (a._id < b._id ? -1 : 1));
}

function sorted(value, depth = Infinity) {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((element) => sorted(element));
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key], depth - 1)]));
}

/**
 * What differs between two worlds, or between two results of `canonical()`.
 * @returns {Array<{uuid: string, kind: "added"|"removed"|"changed", paths: Array<{path: string, a: unknown, b: unknown}>}>}
 */
export function diffWorlds(a, b) {
  const first = a?.server ? canonical(a) : a;
  const second = b?.server ? canonical(b) : b;
  const differences = [];
  for (const uuid of new Set([...Object.keys(first), ...Object.keys(second)])) {
    if (!(uuid in first)) differences.push({ uuid, kind: "added", paths: [] });
    else if (!(uuid in second)) differences.push({ uuid, kind: "removed", paths: [] });
    else if (!objectsEqual(first[uuid], second[uuid])) {
      differences.push({ uuid, kind: "changed", paths: pathsThatDiffer(first[uuid], second[uuid]) });
    }
  }
  return differences;
}

function pathsThatDiffer(a, b, prefix = "") {
  const paths = [];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (objectsEqual(a[key], b[key])) continue;
    const path = prefix + key;
    const nested = [a[key], b[key]].every((value) => typeof value === "object" && value !== null && !Array.isArray(value));
    if (nested) paths.push(...pathsThatDiffer(a[key], b[key], `${path}.`));
    else paths.push({ path, a: a[key], b: b[key] });
  }
  return paths;
}

/**
 * What a client believes, compared with what the server holds: local writes to `_source` and missed broadcasts show here.
 * @returns {string[]} One line for each document that differs.
 */
export function divergence(client) {
  const lines = [];
  for (const [name, documents] of client.world.server.store.collections) {
    const local = client.game.collections.get(name);
    for (const source of documents.values()) {
      const mine = local.get(source._id);
      if (!mine) lines.push(`${name}.${source._id} is unknown here`);
      else if (!objectsEqual(byId(mine.toObject()), byId(source))) lines.push(`${name}.${source._id} differs`);
    }
    for (const id of local.keys()) if (!documents.has(id)) lines.push(`${name}.${id} is gone on the server`);
  }
  return lines;
}

/** Arrays of documents as objects by id: their order is no difference. */
function byId(value) {
  if (Array.isArray(value)) {
    if (value.length && value.every((element) => typeof element?._id === "string")) {
      return Object.fromEntries(value.map((element) => [element._id, byId(element)]));
    }
    return value.map(byId);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, byId(inner)]));
}

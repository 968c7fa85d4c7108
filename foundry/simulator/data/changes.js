/**
 * How changes are cleaned, compared with a source and merged into it. Used alike by clients and server.
 *
 * Source: FOUNDRY_FACTS 1.4-1.6.
 */
import { deepClone, isPlain, objectsEqual } from "../core/objects.js";
import { ForcedDeletion, ForcedReplacement, isOperator } from "../core/operators.js";
import { isKeyOperation } from "../core/merge.js";
import { cast, complete } from "./fields.js";
import { addTo, indexOf, removeFrom } from "./lists.js";

/** The rules of one world: tables, generation, modelled system types. */
export class Schema {
  /**
   * @param {object} parts
   * @param {number} parts.generation
   * @param {Record<string, import("./tables.js").DocumentTable>} parts.tables
   * @param {{mergeObject: Function, diffObject: Function}} parts.utils
   * @param {Record<string, string[]>} [parts.types] Types the system adds, by document name.
   * @param {Record<string, Record<string, object>>} [parts.models] `{Actor: {npc: defaults}}`: types with a closed schema.
   * @param {Record<string, Record<string, object>>} [parts.templates] The same, for open types.
   */
  constructor({ generation, tables, utils, types = {}, models = {}, templates = {} }) {
    Object.assign(this, { generation, tables, utils, types, models, templates });
  }

  /** The types a document may have; null where any is right. */
  typesOf(documentName) {
    return this.types[documentName] ?? this.tables[documentName].types;
  }

  /** Complete a whole source: unknown keys dropped, types cast, defaults filled in, children too. */
  cleanSource(table, data, newId = null) {
    const source = { _id: data._id ?? null };
    for (const [key, field] of Object.entries(table.fields)) {
      const given = data[key];
      if (field.kind === "children") {
        source[key] = (given ?? []).map((child) => this.cleanChild(table, field, child, newId));
      } else if (field.kind === "delta") source[key] = this.cleanDelta(data, newId);
      else if (given === undefined) source[key] = deepClone(field.initial);
      else if (field.kind === "object" && isPlain(given)) source[key] = complete(field.initial, deepClone(given));
      else source[key] = deepClone(cast(field, given));
    }
    if (table.hasSystem && table.name !== "ActorDelta") source.system = this.completeSystem(table.name, source);
    return source;
  }

  cleanChild(table, field, child, newId) {
    if (child._tombstone) return { _id: child._id, _tombstone: true };
    const source = this.cleanSource(this.tables[field.documentName], child, newId);
    source._id ??= newId ? newId() : null;
    return source;
  }

  cleanDelta(token, newId) {
    if (token.actorLink || !token.actorId) return token.delta ? deepClone(token.delta) : null;
    const source = this.cleanSource(this.tables.ActorDelta, token.delta ?? {}, newId);
    source._id ??= newId ? newId() : null;
    return source;
  }

  completeSystem(documentName, source) {
    const model = this.models[documentName]?.[source.type];
    if (model) return complete(model, onlyModelled(model, source.system ?? {}));
    const template = this.templates[documentName]?.[source.type];
    return template ? complete(template, source.system ?? {}) : source.system;
  }

  /**
   * Clean the changes of an update: unknown top-level keys go, known ones are cast.
   * Profile 12 loses deletion keys inside a modelled system.
   */
  cleanChanges(table, changes, type, { recursive = true } = {}) {
    const clean = {};
    for (const [key, value] of Object.entries(changes)) {
      const name = isKeyOperation(key, this.generation) ? key.slice(2) : key;
      if (key === "_id") clean._id = value;
      else if (name in table.fields) clean[key] = isPlain(value) ? value : cast(table.fields[name], value);
      else if (key === "_tombstone") clean[key] = value;
    }
    const model = table.hasSystem ? this.models[table.name]?.[clean.type ?? type] : undefined;
    if (model && isPlain(clean.system)) {
      const held = Object.keys(clean.system).length > 0;
      clean.system = onlyModelled(model, clean.system, this.generation);
      if (held && !Object.keys(clean.system).length) delete clean.system;
    }
    if (model) this.#completeReplaced(clean, model, recursive);
    return clean;
  }

  /** Modelled data that is put whole in place of what was there holds what the model knows, and all of it. */
  #completeReplaced(clean, model, recursive) {
    const whole = (value) => (isPlain(value) ? complete(model, onlyModelled(model, value)) : value);
    if (clean.system instanceof ForcedReplacement) clean.system = new ForcedReplacement(whole(clean.system.value));
    if (!recursive && "system" in clean) clean.system = whole(clean.system);
    if ("==system" in clean) clean["==system"] = whole(clean["==system"]);
  }

  /** The part of the changes that differs from the source. */
  diff(table, source, changes, { recursive = true } = {}) {
    const difference = {};
    for (const [key, value] of Object.entries(changes)) {
      if (key === "_id") continue;
      const field = table.fields[key];
      if (field?.kind === "children" && Array.isArray(value)) {
        const list = this.#diffChildren(this.tables[field.documentName], source[key] ?? [], value, recursive);
        if (list) difference[key] = list;
      } else if (field?.kind === "delta" && isPlain(value) && isPlain(source[key]) && recursive) {
        const inner = this.diff(this.tables.ActorDelta, source[key], value, { recursive });
        if (Object.keys(inner).length) difference[key] = inner;
      } else if (!recursive && key !== "_stats") {
        if (!objectsEqual(source[key], value)) difference[key] = value;
      } else {
        const before = key in source ? { [key]: source[key] } : deletionTarget(source, key, this.generation);
        Object.assign(difference, this.utils.diffObject(before, { [key]: value }, { deletionKeys: true }));
      }
    }
    return difference;
  }

  #diffChildren(table, list, changes, recursive) {
    const known = indexOf(list);
    const out = [];
    for (const change of changes) {
      const source = known.get(change._id);
      if (!source) out.push(change);
      else if (!recursive) out.push(change);
      else {
        const difference = this.diff(table, source, change, { recursive });
        if (Object.keys(difference).length) out.push({ _id: change._id, ...difference });
      }
    }
    if (!recursive) {
      const same = changes.length === list.length && changes.every((change) => objectsEqual(known.get(change._id), change));
      return same ? null : changes;
    }
    return out.length ? out : null;
  }

  /**
   * Merge changes into a source, in place.
   * @param {object} [options]
   * @param {boolean} [options.recursive] false: every top-level key present is replaced whole.
   * @param {(table: object, child: object) => object} [options.newChild] Makes the source of an inline child that is new.
   */
  apply(table, source, changes, { recursive = true, newChild } = {}) {
    for (const [key, value] of Object.entries(changes)) {
      if (key === "_id") continue;
      const field = table.fields[key];
      if (field?.kind === "children" && Array.isArray(value)) {
        this.#applyChildren(field, source, key, value, { recursive, newChild });
      } else if (field?.kind === "delta") this.#applyDelta(source, value, { recursive, newChild });
      else if (key === "_stats") source._stats = { ...source._stats, ...value };
      else if (isOperator(value)) this.#applyOperator(table, source, key, value);
      else if (!field && isKeyOperation(key, this.generation)) {
        const bare = key.slice(2);
        source[bare] = deepClone(key.startsWith("==") ? value : (table.fields[bare]?.initial ?? null));
      } else if (recursive && isPlain(value) && isPlain(source[key])) {
        this.utils.mergeObject(source[key], deepClone(value), { performDeletions: true });
      } else source[key] = isPlain(value) && (recursive || this.generation >= 14) ? this.#withoutOperations(value) : deepClone(value);
    }
    if (changes._tombstone) source._tombstone = true;
  }

  #applyOperator(table, source, key, value) {
    if (value instanceof ForcedDeletion) source[key] = deepClone(table.fields[key]?.initial ?? null);
    else if (value instanceof ForcedReplacement) source[key] = deepClone(value.value);
  }

  #withoutOperations(value) {
    return this.utils.mergeObject({}, deepClone(value), { performDeletions: true });
  }

  #applyDelta(source, value, options) {
    if (isPlain(value) && isPlain(source.delta) && options.recursive) {
      this.apply(this.tables.ActorDelta, source.delta, value, options);
    } else source.delta = value instanceof ForcedReplacement ? deepClone(value.value) : deepClone(value);
  }

  #applyChildren(field, source, key, changes, { recursive, newChild }) {
    const table = this.tables[field.documentName];
    const list = (source[key] ??= []);
    const known = indexOf(list);
    if (!recursive) {
      const keep = new Set(changes.map((change) => change._id));
      removeFrom(list, Array.from(known.keys()).filter((id) => !keep.has(id)));
    }
    for (const change of changes) {
      const existing = indexOf(list).get(change._id);
      if (existing) this.apply(table, existing, change, { recursive, newChild });
      else addTo(list, newChild ? newChild(table, change) : deepClone(change));
    }
  }
}

function deletionTarget(source, key, generation) {
  if (!isKeyOperation(key, generation)) return {};
  const bare = key.slice(2);
  return bare in source ? { [bare]: source[bare] } : {};
}

/** Keep what the model knows. Profile 12 loses deletion keys on the way, and what held nothing else. */
function onlyModelled(model, value, generation = 13) {
  const kept = {};
  for (const [key, inner] of Object.entries(value)) {
    const operation = isKeyOperation(key, generation);
    const name = operation ? key.slice(2) : key;
    if ((operation && generation === 12) || (!operation && !(name in model))) continue;
    const known = model[name];
    const closed = isPlain(known) && Object.keys(known).length > 0;
    if (!isPlain(inner) || operation) kept[key] = inner;
    else {
      const part = closed ? onlyModelled(known, inner, generation) : openPart(inner, generation);
      if (Object.keys(part).length || !Object.keys(inner).length) kept[key] = part;
    }
  }
  return kept;
}

function openPart(value, generation) {
  if (generation !== 12 || !isPlain(value)) return value;
  const kept = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith("-=")) continue;
    const part = openPart(inner, generation);
    if (!isPlain(inner) || Object.keys(part).length || !Object.keys(inner).length) kept[key] = part;
  }
  return kept;
}

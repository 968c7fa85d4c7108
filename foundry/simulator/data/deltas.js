/**
 * The arithmetic of unlinked tokens: base actor plus delta gives the synthetic actor.
 *
 * Source: FOUNDRY_FACTS 1.7.
 */
import { deepClone, isPlain } from "../core/objects.js";
import { addTo, indexOf, removeFrom } from "./lists.js";

const OVERRIDES = ["name", "type", "img", "ownership"];

/** The source of the synthetic actor. */
export function mergeDelta(schema, base, delta) {
  const merged = deepClone(base);
  if (!delta) return merged;
  for (const key of OVERRIDES) {
    if (delta[key] !== null && delta[key] !== undefined) merged[key] = deepClone(delta[key]);
  }
  for (const key of ["system", "flags"]) {
    if (isPlain(delta[key])) schema.utils.mergeObject(merged[key], deepClone(delta[key]));
  }
  for (const [key] of schema.tables.ActorDelta.childFields) merged[key] = mergeList(merged[key], delta[key] ?? []);
  return merged;
}

function mergeList(inherited, overrides) {
  const known = indexOf(overrides);
  const base = new Set(inherited.map((child) => child._id));
  const kept = inherited.map((child) => known.get(child._id) ?? child).filter((child) => !child._tombstone);
  const own = overrides.filter((child) => !base.has(child._id) && !child._tombstone);
  return [...kept, ...own].map((child) => deepClone(child));
}

/**
 * Make sure that an inherited child is held by the delta, so that it can be written to.
 * @returns {object|undefined} The delta's own entry; undefined when neither delta nor base has it.
 */
export function ownEntry(base, delta, key, id) {
  const entry = indexOf(delta[key]).get(id);
  if (entry) return entry._tombstone ? undefined : entry;
  const inherited = base?.[key].find((child) => child._id === id);
  if (!inherited) return undefined;
  const copy = deepClone(inherited);
  addTo(delta[key], copy);
  return copy;
}

/** Put a child into the delta; a tombstone of the same id gives way. */
export function addEntry(delta, key, child) {
  removeFrom(delta[key], [child._id]);
  addTo(delta[key], child);
}

/** Take a child out: an own one vanishes, an inherited one leaves a tombstone. */
export function removeEntry(base, delta, key, id) {
  removeFrom(delta[key], [id]);
  if (base?.[key].some((child) => child._id === id)) addTo(delta[key], { _id: id, _tombstone: true });
}

/** Plan damage for a list of targets, and deal it: one after the other, each read again just before. */

/** @import { Blow, Reading, State } from "./pools.js" */
/** @import { NotResolved, Target } from "./targets.js" */
import { Unreadable, hurt, isLethal, updateBetween, valueOf } from "./pools.js";
import { adapterOf } from "./adapters.js";

/**
 * One target's row. `before`, `after` and `max` are of the main pool, `temp` is what there was of the temporary one.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} uuid
 * @property {number} before
 * @property {number} temp
 * @property {number} after
 * @property {number} tempAfter
 * @property {boolean} lethal
 * @property {State} state
 * @property {{ before: number, after: number }} [wounds]
 * @property {{ before: number, after: number }} [stamina]
 * @property {string} [note]
 */

/** Pools that a row shows beside the main one and the temporary one. */
const FURTHER = /** @type {const} */ (["wounds", "stamina"]);

/**
 * What the damage would do. Reads only.
 * @param {Target[]} targets
 * @param {number} amount
 * @returns {Row[]|NotResolved}
 */
export function planDamage(targets, amount) {
  /** @type {Map<any, Reading>} */
  const readings = new Map();
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const missing = [];
  for (const { actor, ...target } of targets) {
    try {
      const before = readings.get(actor) ?? adapterOf(actor).read(actor);
      const { reading, blow } = hurt(before, amount);
      readings.set(actor, reading);
      rows.push(rowOf({ actor, ...target }, before, reading, blow));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      missing.push(`${target.name} (${target.uuid}): ${error.message}`);
    }
  }
  if (missing.length === 0) return rows;
  const error = `nothing was written, for hit points cannot be read: ${[...new Set(missing)].join("; ")}`;
  return { error, candidates: [], fix: "Put a number there, or name others." };
}

/**
 * Deal the damage. A target that cannot be written stops no other.
 * @param {Target[]} targets
 * @param {number} amount
 * @returns {Promise<{ applied: Row[], failed: { name: string, uuid: string, error: string }[] }>}
 */
export async function dealDamage(targets, amount) {
  /** @type {Row[]} */
  const applied = [];
  const failed = [];
  for (const target of targets) {
    try {
      applied.push(await strike(target, amount));
    } catch (error) {
      failed.push({ name: target.name, uuid: target.uuid, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return { applied, failed };
}

/**
 * @param {Target} target
 * @param {number} amount
 * @returns {Promise<Row>}  Of what the actor has now, whatever was planned.
 */
async function strike(target, amount) {
  const actor = target.token ? target.token.actor : target.actor;
  if (!actor) throw new Error("the token's base actor is gone");
  const { read } = adapterOf(actor);
  const before = read(actor);
  const { reading, blow } = hurt(before, amount);
  const update = updateBetween(before, reading);
  if (Object.keys(update).length === 0) return rowOf(target, before, before, blow, "nothing left to lose");
  await actor.update(update);
  const after = read(actor);
  if (Object.keys(updateBetween(before, after)).length === 0) throw new Error("refused: another module or the system let nothing be written");
  const isAsPlanned = Object.keys(updateBetween(reading, after)).length === 0;
  return rowOf(target, before, after, blow, isAsPlanned ? undefined : "another module or the system changed what was written");
}

/**
 * @param {Target} target
 * @param {Reading} before
 * @param {Reading} after
 * @param {Blow} blow
 * @param {string} [note]
 * @returns {Row}
 */
function rowOf({ actor, name, uuid, note: known }, before, after, blow, note) {
  const { judge } = adapterOf(actor);
  const state = judge(after, blow);
  const wasGone = isLethal(judge(before, { amount: 0, excess: 0 }));
  const notes = [known, wasGone ? `was ${state} already` : undefined, note].filter(Boolean);
  return {
    name,
    uuid,
    before: valueOf(before, before.main),
    temp: valueOf(before, "temp"),
    after: valueOf(after, after.main),
    tempAfter: valueOf(after, "temp"),
    ...furtherPools(before, after),
    lethal: isLethal(state),
    state,
    ...(notes.length ? { note: notes.join("; ") } : {}),
  };
}

/**
 * @param {Reading} before
 * @param {Reading} after
 */
function furtherPools(before, after) {
  const shown = FURTHER.filter((name) => before.pools.some((pool) => pool.name === name));
  return Object.fromEntries(shown.map((name) => [name, { before: valueOf(before, name), after: valueOf(after, name) }]));
}

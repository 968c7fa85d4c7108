/** @import { NotResolved } from "../damage/targets.js" */
/** @import { Row } from "../damage/strike.js" */
import { BadParams, HandlerThrew } from "../errors.js";
import { dealDamage, planDamage } from "../damage/strike.js";
import { findTargets } from "../damage/targets.js";

const HOW_TO_HEAL =
  "amount must be a whole number above 0, for damage only hurts; to heal, take the damage back with foundry_rollback, or write " +
  'the higher value with foundry_eval and intent write, as in actor.update({"system.attributes.hp.value": 12})';

/**
 * Hurt actors: temporary hit points first, then by the system's own rule. Without `commit` only the plan is given.
 * A target that is unknown, ambiguous or unreadable refuses the whole call before anything is written.
 * @param {{ targets: string[], amount: number, commit?: boolean }} params
 * @returns {Promise<NotResolved|Planned|Committed>}
 *
 * @typedef {{ committed: false, lethal: boolean, amount: number, preview: Row[] }} Planned
 * @typedef {Row & { hp: number }} AppliedDamage
 * @typedef {{ name: string, uuid: string, error: string }} FailedDamage
 * @typedef {{ committed: true, lethal: boolean, amount: number, applied: AppliedDamage[], failed?: FailedDamage[] }} Committed
 */
export async function damage({ targets, amount, commit = false }) {
  if (!Array.isArray(targets) || targets.length === 0 || targets.some((target) => typeof target !== "string")) {
    throw new BadParams("targets must be a list of names, ids or uuids");
  }
  if (!Number.isInteger(amount) || amount <= 0) throw new BadParams(HOW_TO_HEAL);
  const found = await findTargets(targets);
  if ("error" in found) return found;
  const planned = planDamage(found, amount);
  if ("error" in planned) return planned;
  if (!commit) return { committed: false, lethal: planned.some(({ lethal }) => lethal), amount, preview: planned };
  const { applied, failed } = await dealDamage(found, amount);
  if (applied.length === 0) {
    throw new HandlerThrew(`nothing was written: ${failed.map(({ name, error }) => `${name}: ${error}`).join("; ")}`);
  }
  return {
    committed: true,
    lethal: applied.some(({ lethal }) => lethal),
    amount,
    applied: applied.map((row) => ({ hp: row.after, ...row })),
    ...(failed.length ? { failed } : {}),
  };
}

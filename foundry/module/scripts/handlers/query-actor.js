import { BadParams, NotFound } from "../errors.js";
import { serialize } from "../serializer.js";

/**
 * One actor's stored source, whole or by dotted fields. Reads only.
 * @param {{ actorId: string, fields?: string[] }} params  An id, or a uuid (a token's or a compendium's actor).
 * @returns {Promise<{ actorId: string, data: Record<string, unknown> }>}
 * @throws {NotFound}
 */
export async function queryActor({ actorId, fields }) {
  if (typeof actorId !== "string" || actorId === "") throw new BadParams("actorId is missing");
  const actor = await findActor(actorId);
  if (!actor) throw new NotFound(`actor ${actorId}`);
  const source = actor.toObject();
  if (fields === undefined) return { actorId, data: source };
  /** @type {Record<string, unknown>} */
  const data = {};
  for (const field of fields) data[field] = serialize(read(source, field)).value;
  return { actorId, data };
}

/**
 * @param {string} named
 * @returns {Promise<any>}
 */
async function findActor(named) {
  if (!named.includes(".")) return game.actors.get(named);
  const found = /** @type {any} */ (await fromUuid(/** @type {any} */ (named)));
  return found?.documentName === "Token" ? found.actor : found?.documentName === "Actor" ? found : null;
}

/**
 * @param {Record<string, any>} source
 * @param {string} field
 */
function read(source, field) {
  return foundry.utils.getProperty(source, field) ?? null;
}

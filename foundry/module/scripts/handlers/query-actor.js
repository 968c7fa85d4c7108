import { BadParams, NotFound } from "../errors.js";
import { find } from "../recorder/lookup.js";
import { serialize } from "../serializer.js";

/**
 * One actor's stored source, whole or by dotted fields. Reads only.
 *
 * A field that is not stored is taken from what the game system works out (`derived`); one that is neither is named.
 * @param {{ actorId: string, fields?: string[] }} params
 *   An id, or a uuid: of an actor, of a compendium's, or of a token, whose own actor it then is.
 * @returns {Promise<ActorAnswer>}
 * @throws {NotFound|BadParams}
 *
 * @typedef {object} ActorAnswer
 * @property {string} actorId  As it was asked.
 * @property {string} uuid  Leads to the same actor again.
 * @property {string} name
 * @property {string} [token]  The uuid of the unlinked token whose own actor this is.
 * @property {string} [pack]
 * @property {Record<string, unknown>} data
 * @property {string[]} [derived]  The fields that are not stored.
 * @property {string[]} [unknownFields]
 */
export async function queryActor({ actorId, fields }) {
  if (typeof actorId !== "string" || actorId === "") throw new BadParams("actorId is missing");
  const actor = await findActor(actorId);
  /** @type {ActorAnswer} */
  const answer = { actorId, uuid: actor.uuid, name: actor.name, data: {} };
  if (actor.isToken) answer.token = actor.token?.uuid;
  if (actor.pack) answer.pack = actor.pack;
  const source = actor.toObject();
  return { ...answer, ...(fields === undefined ? { data: source } : pick(actor, source, fields)) };
}

/**
 * @param {string} named
 * @returns {Promise<any>}
 */
async function findActor(named) {
  const found = named.includes(".") ? await find(named) : game.actors.get(named);
  const actor = found?.documentName === "Token" ? found.actor : found;
  if (!actor) throw new NotFound(`actor ${named}`);
  if (actor.documentName !== "Actor") throw new BadParams(`${named} is no actor, it is a ${actor.documentName}`);
  return actor;
}

/**
 * @param {any} value
 * @param {string} path
 * @returns {unknown}
 */
function ownAt(value, path) {
  for (const key of path.split(".")) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/**
 * @param {any} actor
 * @param {string} path
 * @returns {unknown}
 */
function derivedAt(actor, path) {
  if (path.split(".").includes("__proto__")) return undefined;
  return foundry.utils.getProperty(actor, path);
}

/**
 * @param {any} actor
 * @param {Record<string, any>} source
 * @param {string[]} fields
 */
function pick(actor, source, fields) {
  /** @type {Record<string, unknown>} */
  const data = {};
  /** @type {string[]} */
  const derived = [];
  /** @type {string[]} */
  const unknownFields = [];
  for (const field of fields) {
    const stored = ownAt(source, field);
    const isStored = stored !== undefined;
    const value = isStored ? stored : derivedAt(actor, field);
    if (value === undefined || typeof value === "function") {
      unknownFields.push(field);
      continue;
    }
    if (!isStored) derived.push(field);
    Object.defineProperty(data, field, { value: serialize(value).value, enumerable: true });
  }
  return { data, ...(derived.length > 0 ? { derived } : {}), ...(unknownFields.length > 0 ? { unknownFields } : {}) };
}

import { NotFound } from "../errors.js";
import { documentAt } from "./named.js";

/**
 * Summarise one scene, the active one when no id is given. Reads only.
 * @param {{ sceneId?: string }} params  An id, or a uuid of the world or a compendium.
 * @returns {Promise<Record<string, unknown>>}
 * @throws {NotFound}
 */
export async function queryScene({ sceneId }) {
  const wanted = { id: sceneId, what: "scene", documentName: "Scene" };
  const scene = /** @type {any} */ (sceneId === undefined ? game.scenes.active : await documentAt(game.scenes, wanted));
  if (!scene) throw new NotFound("an active scene", "Give sceneId: the uuid of a scene, as foundry_search finds it.");
  const source = scene._source;
  return {
    sceneId: scene.id,
    uuid: scene.uuid,
    name: source.name,
    active: source.active,
    width: source.width,
    height: source.height,
    grid: source.grid ?? null,
    background: source.background?.src ?? null,
    tokenCount: scene.tokens.size,
    tokens: scene.tokens.map(summariseToken),
    wallCount: scene.walls.size,
    lightingDarkness: source.environment?.darknessLevel ?? source.darkness ?? null,
  };
}

/** @param {any} token */
function summariseToken(token) {
  const { name, x, y, actorId, actorLink, hidden, disposition } = token._source;
  return { id: token.id, name, x, y, actorId, linked: Boolean(actorLink), hidden, disposition };
}

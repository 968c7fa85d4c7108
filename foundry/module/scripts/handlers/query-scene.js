import { NotFound } from "../errors.js";

/**
 * Summarise one scene, the active one when no id is given. Reads only.
 * @param {{ sceneId?: string }} params
 * @returns {Record<string, unknown>}
 * @throws {NotFound}
 */
export function queryScene({ sceneId }) {
  const scene = /** @type {any} */ (sceneId === undefined ? game.scenes.active : game.scenes.get(sceneId));
  if (!scene) throw new NotFound(sceneId === undefined ? "an active scene" : `scene ${sceneId}`);
  const source = scene._source;
  return {
    sceneId: scene.id,
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
  const { name, x, y, actorId, hidden, disposition } = token._source;
  return { id: token.id, name, x, y, actorId, hidden, disposition };
}

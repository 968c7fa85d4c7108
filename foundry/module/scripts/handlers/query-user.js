import { oneDocument } from "./named.js";

const ALL = "foundry_query_user without userId lists all users.";

/**
 * One user, or all of them. Reads only.
 * @param {{ userId?: string }} params
 * @returns {{ user: object }|{ users: object[] }}
 */
export function queryUser({ userId }) {
  if (userId === undefined) return { users: game.users.map(summarise) };
  return { user: summarise(oneDocument(game.users, { id: userId, what: "user", fix: ALL })) };
}

/** @param {any} user */
function summarise(user) {
  return {
    id: user.id,
    name: user.name,
    role: user._source.role,
    isGM: user.isGM,
    active: user.active,
    characterId: user.character?.id ?? null,
    characterName: user.character?.name ?? null,
    color: user._source.color ?? null,
  };
}

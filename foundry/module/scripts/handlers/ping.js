import { isPageHidden } from "../page.js";

/** @returns {Record<string, unknown>}  That the world and this session are alive. */
export function ping() {
  return {
    pong: true,
    serverTime: Date.now(),
    foundryServerTime: game.time.serverTime,
    worldTime: game.time.worldTime,
    worldId: game.world.id,
    userId: game.user.id,
    hidden: isPageHidden(),
  };
}

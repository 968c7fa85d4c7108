/** The first frame of every connection. */

/** @import { HelloParams, RecordingState } from "./wire.js" */
import { FEATURES, PROTOCOL } from "./wire.js";
import { readOwn, worldSettings } from "./settings.js";
import { MODULE_ID } from "./identity.js";

/**
 * @param {{ tabInstance: string, recordings: RecordingState[], takeOver: boolean, hidden: boolean }} parts
 * @returns {HelloParams}
 */
export function makeHello({ tabInstance, recordings, takeOver, hidden }) {
  const token = readOwn("token");
  const pairingCode = readOwn("pairingCode").replace(/\s/g, "");
  return {
    userId: game.user.id,
    userName: game.user.name,
    isGM: game.user.isGM,
    worldId: game.world.id,
    foundryVersion: game.version,
    moduleVersion: game.modules.get(MODULE_ID)?.version ?? "",
    settings: worldSettings(),
    protocol: PROTOCOL,
    features: [...FEATURES],
    tabInstance,
    worldTitle: game.world.title,
    systemId: game.system.id,
    systemVersion: game.system.version ?? "",
    hidden,
    ...(token && { token }),
    ...(pairingCode && { pairingCode }),
    recordings,
    ...(takeOver && { takeOver }),
  };
}

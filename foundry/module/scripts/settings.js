/**
 * The module's settings. One browser origin can serve several worlds, so what belongs to the browser has the world's
 * id in its name; the family's five belong to the world.
 */

/** @import { WorldSettings } from "./wire.js" */
import { MODULE_ID } from "./identity.js";

const DEFAULT_URL = "ws://127.0.0.1:7898";

/** The family's five, hidden from the ordinary list: the settings window edits them. */
const WORLD = Object.freeze({
  mode: { type: String, default: "assistant", choices: ["assistant", "cogm", "custom"] },
  multitasking: { type: Boolean, default: false },
  mirrorEnabled: { type: Boolean, default: false },
  mirrorPath: { type: String, default: "" },
  mirrorContextualSort: { type: Boolean, default: false },
});

/**
 * @typedef {object} SettingListeners
 * @property {() => void} worldChanged
 * @property {() => void} linkChanged  Switched on or off, another address, a code was typed.
 */

/** Register everything. Only a GM's client does so; a player's shows nothing of us. */
export function registerSettings(/** @type {SettingListeners} */ { worldChanged, linkChanged }) {
  for (const [key, { type, default: initial }] of Object.entries(WORLD)) {
    register(key, { scope: "world", config: false, type, default: initial, onChange: worldChanged });
  }
  registerOwn("enabled", { label: "Enabled", config: true, type: Boolean, default: false, onChange: linkChanged });
  registerOwn("relayUrl", { label: "RelayUrl", config: true, type: String, default: DEFAULT_URL, onChange: linkChanged });
  registerOwn("pairingCode", {
    label: "PairingCode",
    config: true,
    type: String,
    default: "",
    onChange: (/** @type {string} */ code) => code.trim() && linkChanged(),
  });
  registerOwn("token", { config: false, type: String, default: "" });
}

/**
 * A setting of this browser for this world.
 * @param {"enabled"|"relayUrl"|"pairingCode"|"token"} name
 * @returns {string}
 */
export function ownKey(name) {
  return `${name}-${game.world.id}`;
}

/**
 * @param {"enabled"|"relayUrl"|"pairingCode"|"token"} name
 * @param {Record<string, any>} options
 */
function registerOwn(name, { label, ...options }) {
  const texts = label && { name: `AAGM.Settings.${label}.name`, hint: `AAGM.Settings.${label}.hint` };
  register(ownKey(name), { scope: "client", ...texts, ...options });
}

/**
 * @param {string} key
 * @param {Record<string, any>} options
 */
function register(key, options) {
  /** @type {any} */ (game.settings).register(MODULE_ID, key, options);
}

/**
 * @param {"enabled"|"relayUrl"|"pairingCode"|"token"} name
 * @returns {any}
 */
export function readOwn(name) {
  return /** @type {any} */ (game.settings).get(MODULE_ID, ownKey(name));
}

/**
 * @param {"enabled"|"relayUrl"|"pairingCode"|"token"} name
 * @param {unknown} value
 * @returns {Promise<unknown>}
 */
export function writeOwn(name, value) {
  return /** @type {any} */ (game.settings).set(MODULE_ID, ownKey(name), value);
}

/** @returns {WorldSettings} */
export function worldSettings() {
  const settings = /** @type {any} */ (game.settings);
  return /** @type {WorldSettings} */ (
    Object.fromEntries(Object.keys(WORLD).map((key) => [key, settings.get(MODULE_ID, key)]))
  );
}

/**
 * The module's settings. One browser origin can serve several worlds, so what belongs to the browser has the world's
 * id in its name; the family's five belong to the world.
 */

/** @import { WorldSettings } from "./wire.js" */
import { MODULE_ID } from "./identity.js";
import { notice } from "./notices.js";

const DEFAULT_URL = "ws://127.0.0.1:7898";

/** The family's five, hidden from the ordinary list: the settings window edits them. */
const WORLD = Object.freeze({
  mode: { type: String, default: "assistant", choices: ["assistant", "cogm", "custom"] },
  multitasking: { type: Boolean, default: false },
  mirrorEnabled: { type: Boolean, default: false },
  mirrorPath: { type: String, default: "" },
  mirrorContextualSort: { type: Boolean, default: false },
});

/** What belongs to this browser and this world, with what it is at first. */
const OWN = Object.freeze({ enabled: false, relayUrl: DEFAULT_URL, pairingCode: "", token: "", window: Object.freeze({}) });

/** @typedef {keyof typeof OWN} OwnName */

/** @type {Map<string, unknown>}  By key, what the browser would not store: it counts until the page is left. */
const unstored = new Map();
/** @type {Map<string, (value: any) => void>}  By key, who is told of a change. */
const told = new Map();

/**
 * @typedef {object} SettingListeners
 * @property {() => void} worldChanged
 * @property {() => void} linkChanged  Switched on or off, another address, a code was typed.
 */

/** Register everything. Only a GM's client does so; a player's shows nothing of us. */
export function registerSettings(/** @type {SettingListeners} */ { worldChanged, linkChanged }) {
  unstored.clear();
  for (const [key, { type, default: initial }] of Object.entries(WORLD)) {
    register(key, { scope: "world", config: false, type, default: initial, onChange: worldChanged });
  }
  registerOwn("enabled", { label: "Enabled", config: true, type: Boolean, onChange: linkChanged });
  registerOwn("relayUrl", { label: "RelayUrl", config: true, type: String, onChange: linkChanged });
  registerOwn("pairingCode", {
    label: "PairingCode",
    config: true,
    type: String,
    onChange: () => readOwn("pairingCode").trim() && linkChanged(),
  });
  registerOwn("token", { config: false, type: String });
}

/**
 * @param {OwnName} name
 * @returns {string}
 */
export function ownKey(name) {
  return `${name}-${game.world.id}`;
}

/**
 * @param {OwnName} name
 * @param {Record<string, any>} options
 */
export function registerOwn(name, { label, onChange = () => {}, ...options }) {
  const key = ownKey(name);
  told.set(key, onChange);
  const changed = (/** @type {unknown} */ value) => {
    unstored.delete(key); // stored now, perhaps by Foundry's own list of settings
    onChange(value);
  };
  const texts = label && { name: `AAGM.Settings.${label}.name`, hint: `AAGM.Settings.${label}.hint` };
  register(key, { scope: "client", default: OWN[name], ...texts, ...options, onChange: changed });
}

/**
 * @param {string} key
 * @param {Record<string, any>} options
 */
function register(key, options) {
  clientSettings().register(MODULE_ID, key, options);
}

/**
 * @param {OwnName} name
 * @returns {any}
 */
export function readOwn(name) {
  const key = ownKey(name);
  return unstored.has(key) ? unstored.get(key) : read(key, OWN[name]);
}

/**
 * Store a value; where the browser has no room or no leave for it, it is kept until the page is left, and the GM is
 * told once.
 * @param {OwnName} name
 * @param {unknown} value
 * @returns {Promise<void>}
 */
export async function writeOwn(name, value) {
  const key = ownKey(name);
  const isFirst = unstored.size === 0;
  unstored.delete(key);
  try {
    await clientSettings().set(MODULE_ID, key, value);
  } catch (thrown) {
    unstored.set(key, value);
    console.error(`AAGM | the browser did not store ${key}`, thrown);
    if (isFirst) notice("warn", game.i18n.localize("AAGM.Toast.unstored"), { permanent: true });
    told.get(key)?.(value);
  }
}

/** @returns {any} */
function clientSettings() {
  return game.settings;
}

/** @returns {WorldSettings} */
export function worldSettings() {
  return /** @type {WorldSettings} */ (
    Object.fromEntries(Object.entries(WORLD).map(([key, { default: initial }]) => [key, read(key, initial)]))
  );
}

/**
 * A store may hold another kind of value than was registered: `null` passes Foundry's own conversion.
 * @param {string} key
 * @param {unknown} initial
 */
function read(key, initial) {
  const value = clientSettings().get(MODULE_ID, key);
  return typeof value === typeof initial && value !== null ? value : initial;
}

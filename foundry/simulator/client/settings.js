/** `game.settings`: registered keys, world values as Setting documents, client values in browser storage. */
import { deepClone } from "../core/objects.js";
import { hasPermission } from "../data/permissions.js";
import { SOURCE } from "../documents/symbols.js";

/** The settings of one client. */
export class ClientSettings {
  #client;

  constructor(client) {
    this.#client = client;
    this.settings = new Map();
    this.menus = new Map();
    this.storage = new Map([["client", client.storage]]);
  }

  register(namespace, key, data) {
    if (!namespace || !key) throw new Error("You must specify both namespace and key portions of the setting");
    const scopes = this.#client.generation >= 13 ? ["client", "user", "world"] : ["client", "world"];
    const scope = scopes.includes(data.scope) ? data.scope : "client";
    const setting = { config: false, ...data, scope, namespace, key, id: `${namespace}.${key}` };
    if (setting.default === undefined) setting.default = data.type?.initial ?? fallback(data.type);
    this.settings.set(setting.id, setting);
    if (data.onChange) setting.onChange = data.onChange;
  }

  registerMenu(namespace, key, data) {
    if (!namespace || !key) throw new Error("You must specify both namespace and key portions of the menu");
    if (typeof data.type !== "function") throw new Error("You must provide a menu type that is an Application subclass");
    this.menus.set(`${namespace}.${key}`, { ...data, namespace, key: `${namespace}.${key}` });
  }

  #setting(namespace, key) {
    const setting = this.settings.get(`${namespace}.${key}`);
    if (!setting) throw new Error(`"${namespace}.${key}" is not a registered game setting`);
    return setting;
  }

  /** The stored document or text of a world or user setting. */
  #document(setting) {
    const user = setting.scope === "user" ? this.#client.userId : null;
    return this.#client.game.collections.get("Setting").getSetting(setting.id, user);
  }

  get(namespace, key, { document = false } = {}) {
    const setting = this.#setting(namespace, key);
    if (setting.scope !== "client" && document) return this.#document(setting);
    const text = setting.scope === "client" ? this.#client.storage.getItem(setting.id) : this.#document(setting)?.value;
    if (text === null || text === undefined) return deepClone(setting.default);
    return this.#revive(setting, text);
  }

  #revive(setting, text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      value = text;
    }
    try {
      return clean(setting, value);
    } catch {
      return deepClone(setting.default);
    }
  }

  async set(namespace, key, value, options = {}) {
    const setting = this.#setting(namespace, key);
    const cleaned = clean(setting, value === undefined ? deepClone(setting.default) : value);
    const text = JSON.stringify(cleaned);
    if (setting.scope === "client") this.#setClient(setting, text, options);
    else await this.#setStored(setting, text, options);
    return cleaned;
  }

  #setClient(setting, text, options) {
    if (this.#client.storage.getItem(setting.id) === text) return;
    this.#client.storage.setItem(setting.id, text);
    const value = JSON.parse(text);
    this.#client.guarded("onChange", () => setting.onChange?.(value, options, this.#client.userId));
    this.#client.Hooks.callAll("clientSettingChanged", setting.id, value, options);
  }

  async #setStored(setting, text, options) {
    const { game, userId } = this.#client;
    if (!game.ready) throw new Error("You may not assert the value of a world setting before the game is ready.");
    if (setting.scope === "world" && !hasPermission(game.user[SOURCE], "SETTINGS_MODIFY")) {
      throw new Error(`${game.user.name} does not have permission to update the setting ${setting.id}`);
    }
    const existing = this.#document(setting);
    if (existing) {
      await existing.update({ value: text }, options);
      return;
    }
    const data = { key: setting.id, value: text };
    if (setting.scope === "user") data.user = userId;
    await this.#client.classOf("Setting").create(data, options);
  }

  /** A Setting document was written, here or elsewhere. */
  _changed(id, text, options, userId, owner = null) {
    const setting = this.settings.get(id);
    if (!setting?.onChange || (owner && owner !== this.#client.userId)) return;
    const value = this.#revive(setting, text);
    this.#client.guarded("onChange", () => setting.onChange(value, options, userId));
  }
}

/** Define the collection of Setting documents. */
export function defineWorldSettings(WorldCollection) {
  return class WorldSettings extends WorldCollection {
    getSetting(key, user = null) {
      return this.find((setting) => setting.key === key && (setting[SOURCE].user ?? null) === user);
    }

    getItem(key) {
      return this.getSetting(key)?.value ?? null;
    }
  };
}

function fallback(type) {
  if (type === String) return "";
  if (type === Number) return 0;
  if (type === Boolean) return false;
  if (type === Array) return [];
  if (type === Object) return {};
  return undefined;
}

/** Give a value the type the setting was registered with. */
function clean(setting, value) {
  const { type } = setting;
  const cast = castTo(type, value);
  if (setting.choices && !(cast in setting.choices) && !(Array.isArray(setting.choices) && setting.choices.includes(cast))) {
    throw new Error(`${setting.id}: ${cast} is not a valid choice`);
  }
  if (setting.range && typeof cast === "number") return inRange(cast, setting.range);
  return cast;
}

function castTo(type, value) {
  if (type === undefined || value === null) return value;
  if (typeof type === "object" && typeof type.clean === "function") {
    const cleaned = type.clean(value);
    const failure = type.validate?.(cleaned);
    if (failure) throw failure instanceof Error ? failure : new Error(String(failure.message ?? failure));
    return cleaned;
  }
  if ([String, Number, Boolean].includes(type)) return type(value);
  if (type === Array) return Array.isArray(value) ? value : Array.from(value);
  if (type === Object) return value;
  if (typeof type === "function") return new type(value);
  return value;
}

function inRange(value, { min = -Infinity, max = Infinity, step }) {
  const stepped = step ? Math.round(value / step) * step : value;
  return Math.min(max, Math.max(min, stepped));
}

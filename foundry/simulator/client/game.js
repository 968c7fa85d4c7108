/** `game` of one client. Source: WORLD_SIMULATOR L10. */
import { Collection } from "../core/collection.js";
import { guard } from "../core/guard.js";
import { SOURCE } from "../documents/symbols.js";
import { ClientSettings, defineWorldSettings } from "./settings.js";
import { KeyBindings, Localization } from "./small-parts.js";

/** Names a script may look for and not find. */
const ABSENT = ["itempiles", "aagm", "modulesReady", "dice3d", "socketlib", "view", "canvas"];

/** Types of the system as a manifest lists them: `{Actor: {npc: {}}}`. */
const typeRecords = (types = {}) => Object.fromEntries(Object.entries(types).map(([name, list]) => [name, Object.fromEntries(list.map((type) => [type, {}]))]));

/** Build `game`; its collections come when documents are loaded. */
export function buildGame(client) {
  const { world } = client;
  const { system } = world;
  const game = {
    user: null,
    userId: client.userId,
    ready: false,
    paused: false,
    loading: true,
    collections: new Collection(),
    packs: new Collection(),
    settings: null,
    keybindings: new KeyBindings(client),
    i18n: new Localization(client.lang),
    modules: new Collection(),
    version: world.version,
    release: { generation: world.generation, build: Number(world.version.split(".")[1] ?? 0), version: world.version },
    system: {
      id: system.id, title: system.title, version: system.version, primaryTokenAttribute: system.primaryTokenAttribute ?? null, secondaryTokenAttribute: null,
      documentTypes: typeRecords(system.types), flags: {},
    },
    world: { id: world.id, title: world.title, system: system.id, flags: {} },
    data: { world: { id: world.id, title: world.title }, system: { id: system.id } },
    sessionId: client.sessionId,
    time: {
      get worldTime() {
        return game.settings.get("core", "time");
      },
      get serverTime() {
        return client.clock.now();
      },
      advance: (delta) => game.settings.set("core", "time", game.settings.get("core", "time") + delta),
    },
    socket: client.socket,
    issues: { packageCompatibilityIssues: {} },
    get actors() {
      return game.collections.get("Actor");
    },
    get combat() {
      return game.combats?.find((combat) => combat.active && (!combat.scene || combat.scene === client.canvas.scene)) ?? null;
    },
    get documentTypes() {
      return Object.fromEntries(client.CONST.ALL_DOCUMENT_TYPES.map((name) => [name, client.schema.typesOf(name) ?? ["base"]]));
    },
    get activeTool() {
      return "select";
    },
    togglePause(pause = !game.paused, broadcast = false) {
      game.paused = pause;
      if (broadcast) client.socket.emit("pause", pause);
      client.Hooks.callAll("pauseGame", pause);
      return pause;
    },
  };
  for (const [documentName, table] of Object.entries(client.schema.tables)) {
    if (!table.primary || documentName === "Actor" || ["Adventure", "Setting", "FogExploration"].includes(documentName)) continue;
    Object.defineProperty(game, table.collection, { get: () => game.collections.get(documentName), enumerable: true });
  }
  for (const { id, title, version, api = undefined } of world.modules) game.modules.set(id, { id, title, version, active: true, api, flags: {} });
  return guard(game, "game", { absent: ABSENT, warn: client.warnDeprecated });
}

/** Define the collections with members of their own. */
export function defineSpecialCollections(client) {
  const { WorldCollection } = client.collectionClasses;
  return {
    Setting: defineWorldSettings(WorldCollection),
    User: class Users extends WorldCollection {
      get current() {
        return client.game.user;
      }

      get activeGM() {
        const candidates = this.filter((user) => user.isGM && user.active);
        return candidates.sort((a, b) => b.role - a.role || (a.id > b.id ? 1 : -1))[0] ?? null;
      }

      get players() {
        return this.filter((user) => !user.isGM && user[SOURCE].role > 0);
      }
    },
    Scene: class Scenes extends WorldCollection {
      get active() {
        return this.find((scene) => scene.active);
      }

      get current() {
        return client.canvas.scene;
      }

      get viewed() {
        return client.canvas.scene;
      }
    },
    Combat: class CombatEncounters extends WorldCollection {
      get active() {
        return this.find((combat) => combat.active);
      }

      get viewed() {
        return client.game.combat;
      }

      get combats() {
        return this.contents;
      }
    },
    Actor: class Actors extends WorldCollection {
      get tokens() {
        return {};
      }
    },
  };
}

/** The settings Foundry itself registers, as far as they are touched. */
export function registerCoreSettings(client) {
  const { settings } = client.game;
  settings.register("core", "time", { scope: "world", type: Number, default: 0, onChange: (time) => client.Hooks.callAll("updateWorldTime", time, 0, {}, client.userId) });
  settings.register("core", "language", { scope: "client", type: String, default: "en" });
  settings.register("core", "rollMode", { scope: "client", type: String, default: "publicroll" });
  settings.register("core", "compendiumConfiguration", { scope: "world", type: Object, default: {} });
  settings.register("core", "moduleConfiguration", { scope: "world", type: Object, default: {} });
  settings.register("core", "permissions", { scope: "world", type: Object, default: {} });
  if (client.generation >= 13) {
    settings.register("core", "uiConfig", { scope: "client", type: Object, default: { colorScheme: { applications: "dark", interface: "dark" } } });
  }
}

export { ClientSettings };

/** One browser tab: its classes, its `game`, its place on the network. */
import { soon } from "../core/clock.js";
import { createHooks } from "../core/hooks.js";
import { createRandom, createRandomId } from "../core/random.js";
import { createUtils } from "../core/utils.js";
import { Schema } from "../data/changes.js";
import { defineDocuments } from "../documents/registry.js";
import { SOURCE } from "../documents/symbols.js";
import { Applier } from "./apply.js";
import { ClientBackend } from "./backend.js";
import { defineCollections } from "./collections.js";
import { buildConfig } from "./config.js";
import { buildConstants } from "./constants.js";
import { ClientSettings, buildGame, defineSpecialCollections, registerCoreSettings } from "./game.js";
import { buildGlobals } from "./globals.js";
import { definePacks } from "./packs.js";
import { PageTimers } from "./page-timers.js";
import { Notifications, defineRoll } from "./small-parts.js";
import { GameSocket } from "./socket.js";
import { defineUuids } from "./uuids.js";
import { buildCanvas, buildUi } from "../ui/index.js";

/** A client of the world. */
export class Client {
  #applier = new Applier(this);
  #saved = null;
  #watchers = new Map();

  /**
   * @param {import("../world.js").World} world
   * @param {{name: string, userId: string, storage: object, lang?: string}} about
   */
  constructor(world, { name, userId, storage, lang = "en" }) {
    Object.assign(this, { world, name, userId, storage, lang });
    this.generation = world.generation;
    this.clock = world.clock;
    this.facts = world.facts;
    this.random = createRandom(`${world.seed}/${name}/${world.tabs}`);
    this.randomID = createRandomId(this.random);
    this.sessionId = this.randomID(24);
    this.pageTimers = new PageTimers(this.clock);
    this.errors = [];
    this.deprecations = [];
    this.languages = [];
    /** What was saved as a file: `{name, type, data}`. */
    this.files = [];
    this.documentsReady = false;
    this.warnDeprecated = (path, text) => this.deprecations.push({ path, text });
    this.Hooks = createHooks((location, error, data) => this.report(error, { location, ...data }));
    this.utils = createUtils({ generation: this.generation, randomID: this.randomID, clock: this.clock });
    this.schema = new Schema({ ...world.rules, generation: this.generation, utils: this.utils });
    this.operators = world.operators;
    this.backend = new ClientBackend(this);
    this.#define();
    this.connection = world.network.connect({
      name,
      userId,
      receive: (events) => this.receive(events),
      socketMessage: (channel, text, sender) => this.socket.deliver(channel, text, sender),
    });
    for (const part of [world.system, ...world.modules]) part.setup?.(this);
  }

  #define() {
    this.CONST = buildConstants(this.schema);
    this.Roll = defineRoll(this);
    this.socket = new GameSocket(this);
    this.collectionClasses = defineCollections(this);
    this.EmbeddedCollection = this.collectionClasses.EmbeddedCollection;
    this.documents = defineDocuments(this);
    this.CONFIG = buildConfig(this);
    this.game = buildGame(this);
    this.packClasses = definePacks(this);
    Object.assign(this, defineUuids(this));
    this.canvas = buildCanvas(this);
    this.ui = buildUi(this, new Notifications(this));
    this.game.settings = new ClientSettings(this);
    registerCoreSettings(this);
    this.globals = buildGlobals(this);
    this.deprecatedGlobals = new Set(this.generation >= 13 ? ["Application", "FormApplication", "Dialog", "TextEditor", "FormDataExtended"] : []);
  }

  /** The class in force for a document type: a system may have put its own. */
  classOf(documentName) {
    return this.CONFIG[documentName]?.documentClass ?? this.documents.classes[documentName];
  }

  get flagScopes() {
    return new Set(["core", "world", this.world.system.id, ...this.game.modules.keys()]);
  }

  /** Start up as a page does: init, languages, setup, documents, ready. */
  start() {
    const { game, Hooks } = this;
    const data = this.world.server.snapshot();
    this.#loadCollection("Setting", data);
    Hooks.callAll("init");
    for (const translations of this.languages) game.i18n.load(translations);
    Hooks.callAll("i18nInit");
    Hooks.callAll("setup");
    for (const name of ["User", "Folder", ...this.world.server.store.collections.keys()]) this.#loadCollection(name, data);
    for (const pack of data.packs) game.packs.set(pack.metadata.id, new this.packClasses.CompendiumCollection(pack));
    game.user = game.users.get(this.userId);
    this.documentsReady = true;
    this.#prepareAll();
    this.viewScene(game.scenes.active ?? null);
    game.loading = false;
    game.ready = true;
    Hooks.callAll("ready");
    return this;
  }

  #loadCollection(documentName, data) {
    if (this.game.collections.has(documentName)) return;
    const Special = (this.specials ??= defineSpecialCollections(this))[documentName];
    const collection = new (Special ?? this.collectionClasses.WorldCollection)(documentName);
    this.game.collections.set(documentName, collection);
    if (documentName === "Setting") this.game.settings.storage.set("world", collection);
    collection._load(data.collections[documentName] ?? []);
  }

  #prepareAll() {
    for (const collection of this.game.collections) for (const document of collection) prepareDeep(document);
  }

  /** Send a request and wait until this client has applied the answer. */
  request(request) {
    return this.world.network.request(this.connection, request);
  }

  /** Apply what the server broadcast. */
  async receive(events) {
    return Promise.all(events.map((event) => this.#applier.apply(event)));
  }

  /** Call a document hook: traced, and slowed down where a fault says so. */
  callHook(how, hook, fields, args) {
    this.trace(hook, fields);
    const { faults } = this.world;
    const slow = faults.isQuiet ? undefined : faults.strike("slowHook", { hook, client: this.name, ...fields });
    if (slow) this.clock.elapse(slow.ms);
    return this.Hooks[how](hook, ...args);
  }

  /** The page goes to the background: its timers run once a minute, messages come at once. */
  hide(hidden = true) {
    this.pageTimers.hidden = hidden;
  }

  /** The browser freezes the page: no timer runs and no message comes until `thaw()`. */
  freeze() {
    this.pageTimers.frozen = true;
    this.connection.frozen = [];
  }

  thaw() {
    this.pageTimers.frozen = false;
    this.world.network.thaw(this.connection);
  }

  trace(phase, fields) {
    this.world.log.add(this.name, phase, fields);
  }

  /** Keep an error that nobody is there to catch. */
  report(error, data = {}) {
    this.errors.push({ error, ...data });
    this.trace("error", { reason: error?.message ?? String(error), hook: data.hook });
    if (this.world.verbose) console.error(error);
  }

  /** Run foreign code; what it throws is reported. */
  guarded(where, run) {
    try {
      return run();
    } catch (error) {
      this.Hooks.onError(where, error, {});
      return undefined;
    }
  }

  /** Deletion and replacement keys become operators in generation 14. */
  modernise(changes) {
    return this.generation >= 14 ? this.world.modernise(changes, this.warnDeprecated) : changes;
  }

  /** Is this the first tab of its user? Work for "the active GM" is done by that one. */
  get leadsUser() {
    return this.world.network.connections.find((connection) => connection.userId === this.userId) === this.connection;
  }

  watchToken(token) {
    const id = token[SOURCE].actorId;
    if (!id) return;
    const known = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, known.add(token));
  }

  /** The base actor changed: synthetic actors made from it follow. */
  rebuildSynthetics(actorId) {
    for (const token of this.#watchers.get(actorId) ?? []) {
      if (token.actorId === actorId && token.parent?.tokens.get(token.id) === token) token._rebuildActor();
      else this.#watchers.get(actorId).delete(token);
    }
  }

  /** Run in the next turn. */
  later(run) {
    soon(() => this.guarded("later", run));
  }

  viewScene(scene) {
    this.canvas._view(scene);
  }

  refresh(document) {
    for (const app of Object.values(document.apps)) app.render?.(false);
  }

  makeSheet(document) {
    return { document, rendered: false, render: async () => {}, close: async () => {}, bringToFront() {}, maximize: async () => {}, minimize: async () => {} };
  }

  /** Press a key; tells whether an action took it. */
  pressKey(key, modifiers = []) {
    return this.game.keybindings.press(key, modifiers);
  }

  /**
   * Put exactly this client's globals on an object, normally `globalThis`.
   * @param {object} [target]
   * @param {{timers?: boolean}} [options] timers: also the page's timers, which follow the world's clock.
   */
  install(target = globalThis, { timers = false } = {}) {
    if (this.#saved) throw new Error(`client ${this.name} is installed already`);
    const saved = new Map();
    for (const [name, value] of Object.entries({ ...this.globals, ...(timers ? this.pageTimers.functions : {}) })) {
      saved.set(name, Object.getOwnPropertyDescriptor(target, name));
      Object.defineProperty(target, name, this.#globalProperty(target, name, value));
    }
    this.#saved = { target, saved };
    return this;
  }

  /** Globals that this generation deprecates work, and warn. */
  #globalProperty(target, name, value) {
    const shown = { configurable: true, enumerable: true };
    if (!this.deprecatedGlobals.has(name)) return { ...shown, value, writable: true };
    return {
      ...shown,
      get: () => {
        this.warnDeprecated(name, "this global is deprecated in this generation");
        return value;
      },
      set: (other) => {
        Object.defineProperty(target, name, { ...shown, value: other, writable: true });
      },
    };
  }

  /** Take the globals away, and put back what was there. */
  uninstall() {
    if (!this.#saved) return;
    const { target, saved } = this.#saved;
    for (const [name, descriptor] of saved) {
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else delete target[name];
    }
    this.#saved = null;
  }

  disconnect() {
    this.world.network.disconnect(this.connection);
  }

  reconnect() {
    this.world.network.reconnect(this.connection);
  }
}

function prepareDeep(document) {
  for (const [key] of document.constructor.table.childFields) for (const child of document[key]) prepareDeep(child);
  document.prepareData();
}

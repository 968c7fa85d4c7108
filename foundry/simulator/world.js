/** A whole world: one server, its clients, one clock. */
import { RealClock, VirtualClock } from "./core/clock.js";
import { ForcedDeletion, ForcedReplacement, isOperator } from "./core/operators.js";
import { isPlain } from "./core/objects.js";
import { createRandom, createRandomId } from "./core/random.js";
import { TraceLog } from "./core/trace.js";
import { createUtils } from "./core/utils.js";
import { Client } from "./client/client.js";
import { BrowserStorage } from "./client/small-parts.js";
import { Schema } from "./data/changes.js";
import { buildTables } from "./data/tables.js";
import { MODULES } from "./modules/index.js";
import { FACTS, readVersion } from "./profiles.js";
import { Faults } from "./server/faults.js";
import { Network } from "./server/network.js";
import { Server } from "./server/server.js";
import { seedDocuments } from "./server/seeding.js";
import { SYSTEMS } from "./systems/index.js";

const USERS = [{ name: "Gamemaster", role: 4 }];

/**
 * The world, as `createWorld()` gives it.
 *
 * `server`, `clients`, `clock`, `log`, `faults`, `network`, `facts`, and what is below.
 */
export class World {
  #storages = new Map();

  constructor(options) {
    const {
      version = 12, system = "sim-generic", users = USERS, seed = 1, latency = 0, faults = [], docs = {}, packs = [], modules = [], facts = {}, clock = "virtual",
      strict = false, verbose = false, id = "the-sunken-inn", title = "The Sunken Inn", start = true, snapshot = null, payloadLimit,
    } = options;
    Object.assign(this, readVersion(version), { seed, id, title, strict, verbose });
    this.system = typeof system === "string" ? known(SYSTEMS, system, "system") : system;
    this.modules = modules.map((module) => (typeof module === "string" ? known(MODULES, module, "module")() : module));
    this.facts = { ...FACTS, ...facts };
    this.clock = typeof clock === "object" ? clock : clock === "real" ? new RealClock() : new VirtualClock();
    this.log = new TraceLog(this.clock);
    this.faults = new Faults(faults);
    this.operators = { ForcedDeletion, ForcedReplacement };
    this.tabs = 0;
    this.#serve({ docs, packs, users, snapshot, latency, payloadLimit });
    this.clients = [];
    for (const user of this.server.store.primary("User").values()) {
      if (user._offline) delete user._offline;
      else this.connect(user.name, { start: false });
    }
    if (start) for (const client of this.clients) client.start();
  }

  #serve({ docs, packs, users, snapshot, latency, payloadLimit }) {
    const random = createRandom(`${this.seed}/server`);
    const randomID = createRandomId(random);
    const utils = createUtils({ generation: this.generation, randomID, clock: this.clock });
    const { types = {}, models = {}, templates = {} } = this.system;
    this.rules = { tables: buildTables(this.generation), types, models, templates };
    const schema = new Schema({ ...this.rules, generation: this.generation, utils });
    const parts = { schema, randomID, clock: this.clock, facts: this.facts, faults: this.faults, log: this.log, version: this.version, system: this.system, payloadLimit };
    this.server = new Server(parts);
    this.network = new Network({ server: this.server, clock: this.clock, faults: this.faults, random: createRandom(`${this.seed}/network`), latency });
    if (snapshot) this.server.restore(snapshot);
    else seedDocuments(this.server, { docs: { User: users, ...docs }, packs });
  }

  /**
   * Open a tab for a user.
   * @param {string} userName
   * @param {{start?: boolean, name?: string}} [options]
   */
  connect(userName, { start = true, name } = {}) {
    const user = Array.from(this.server.store.primary("User").values()).find((known) => known.name === userName);
    if (!user) throw new Error(`no user is called ${userName}`);
    this.tabs += 1;
    const taken = this.clients.some((client) => client.name === userName);
    const tab = name ?? (taken ? `${userName} (tab ${this.tabs})` : userName);
    const client = new Client(this, { name: tab, userId: user._id, storage: this.#storage(userName) });
    this.clients.push(client);
    if (start) client.start();
    return client;
  }

  #storage(userName) {
    if (!this.#storages.has(userName)) {
      this.#storages.set(userName, new BrowserStorage((key) => Boolean(this.faults.strike("quotaExceeded", { key, client: userName }))));
    }
    return this.#storages.get(userName);
  }

  /** The client of a user, or the first of a game master. */
  client(name) {
    return this.clients.find((client) => client.name === name);
  }

  /** A simulated module, with what tests turn on it. */
  module(id) {
    return this.modules.find((module) => module.id === id);
  }

  get gm() {
    return this.clients.find((client) => this.server.store.primary("User").get(client.userId).role >= 3);
  }

  /** Throw a tab away as a crash does: the server keeps its state, requests in flight go nowhere. */
  crash(client) {
    client.uninstall();
    client.disconnect();
    this.clients = this.clients.filter((known) => known !== client);
  }

  /** Throw a tab away and open it anew; browser storage stays. */
  reload(client, { start = true } = {}) {
    this.crash(client);
    const user = this.server.store.primary("User").get(client.userId);
    return this.connect(user.name, { start, name: client.name });
  }

  /** The whole state of the server. */
  snapshot() {
    return this.server.snapshot();
  }

  /** Put the server back; clients are reloaded, for they do not know. */
  restore(snapshot) {
    this.server.restore(snapshot);
    this.clients = this.clients.map((client) => client).flatMap((client) => [this.reload(client)]);
    return this.clients;
  }

  /** Make operators of the deletion and replacement keys of older generations. */
  modernise(changes, warn) {
    const modern = {};
    for (const [key, value] of Object.entries(changes)) {
      if (key.startsWith("-=") || key.startsWith("==")) {
        warn(key, "deletion and replacement keys are deprecated in favour of operators");
        modern[key.slice(2)] = key.startsWith("-=") ? new ForcedDeletion() : new ForcedReplacement(value);
      } else modern[key] = isPlain(value) && !isOperator(value) ? this.modernise(value, warn) : value;
    }
    return modern;
  }

  dispose() {
    for (const client of this.clients) {
      client.uninstall();
      client.disconnect();
    }
    this.clock.stop?.();
  }
}

function known(table, name, what) {
  if (!(name in table)) throw new Error(`no simulated ${what} is called ${name}: ${Object.keys(table).join(", ")}`);
  return table[name];
}

/**
 * Make a world.
 *
 * @param {object} [options]
 * @param {number|string} [options.version] `12`, `13`, `14`, or a full version.
 * @param {string|object} [options.system] A name, or a system of your own.
 * @param {Array<{name: string, role?: number, _id?: string, _offline?: boolean}>} [options.users] One client is opened for each.
 * @param {number|string} [options.seed]
 * @param {number|[number, number]|Record<string, number>} [options.latency] Milliseconds one way.
 * @param {object[]} [options.faults] Rules, as `faults.add()` takes them.
 * @param {Record<string, object[]>} [options.docs] By document or collection name.
 * @param {object[]} [options.packs] `{id, label, type, locked?, documents, folders?}`.
 * @param {Array<string|object>} [options.modules] Simulated modules.
 * @param {object} [options.facts] Other answers to open questions: see `profiles.js`.
 * @param {"virtual"|"real"|object} [options.clock]
 * @param {boolean} [options.strict] A write to `_source` throws.
 * @param {boolean} [options.start] false: clients wait for `client.start()`.
 * @param {object} [options.snapshot] Begin with what `snapshot()` gave.
 * @returns {World}
 */
export function createWorld(options = {}) {
  return new World(options);
}

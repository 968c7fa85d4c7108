/**
 * `CONFIG.DatabaseBackend` of one client: the requesting side of every operation, in the order of FOUNDRY_FACTS 1.1.
 */
import { isPlain } from "../core/objects.js";
import { isOperator } from "../core/operators.js";
import { OPEN_STATS } from "../server/stats.js";
import { SOURCE } from "../documents/symbols.js";
import { toPlain } from "../documents/base.js";

const NOT_OPTIONS = ["data", "updates", "ids", "parent", "documents"];
const NOT_SENT = [...NOT_OPTIONS, "action", "documentName"];

const DEFAULTS = {
  create: { render: true, renderSheet: false, keepId: false, noHook: false, broadcast: true },
  update: { diff: true, recursive: true, render: true, noHook: false, broadcast: true },
  delete: { deleteAll: false, render: true, noHook: false, broadcast: true },
};

/** Configures operations, runs their pre phase and sends them. */
export class ClientBackend {
  #client;
  #batches = 0;

  constructor(client) {
    this.#client = client;
  }

  get(Class, { id, pack = null, parent = null }) {
    if (parent) return parent.getEmbeddedDocument(Class.documentName, id) ?? null;
    const collection = pack ? this.#client.game.packs.get(pack) : this.#client.game.collections.get(Class.documentName);
    return (pack ? collection?.getDocument(id) : collection?.get(id)) ?? null;
  }

  async create(Class, operation) {
    return this.#perform("create", Class, operation);
  }

  async update(Class, operation) {
    return this.#perform("update", Class, operation);
  }

  async delete(Class, operation) {
    return this.#perform("delete", Class, operation);
  }

  async #perform(action, Class, operation) {
    const batch = this.#configure(action, Class, operation);
    const request = await this.#prepare(batch);
    if (!request) return [];
    const [documents] = await this.#client.request(request);
    return documents;
  }

  /**
   * Perform operations on unrelated documents as one request: all or nothing.
   * @param {object[]} operations Each with `action` and `documentName`.
   */
  async modifyBatch(operations) {
    const requests = [];
    for (const operation of operations) {
      const Class = this.#client.classOf(operation.documentName);
      const request = await this.#prepare(this.#configure(operation.action, Class, operation), { atomic: true });
      if (request === false) return operations.map(() => []);
      requests.push(request);
    }
    const sent = requests.filter(Boolean);
    if (!sent.length) return operations.map(() => []);
    const answers = await this.#client.request({ action: "batch", operations: sent });
    return requests.map((request) => (request ? answers.shift() : []));
  }

  #configure(action, Class, operation) {
    const { parent = null } = operation;
    const configured = { ...DEFAULTS[action], ...operation, action, documentName: Class.documentName };
    configured.pack = parent?.pack ?? operation.pack ?? null;
    configured.modifiedTime = this.#client.clock.now();
    if (action === "create") configured.keepEmbeddedIds ??= this.#client.facts.keepEmbeddedIds;
    this.#batches += 1;
    this.#client.trace("configure", { documentName: Class.documentName, batch: this.#batches, userId: this.#client.userId });
    const left = this.#client.generation < 14 ? NOT_SENT : NOT_OPTIONS;
    const options = without(configured, left);
    return { action, Class, operation: configured, options, parent, id: this.#batches };
  }

  /** The pre phase; the request to send, null when nothing is left, false when an atomic batch was cancelled. */
  async #prepare(batch, { atomic = false } = {}) {
    const { action, Class, operation, options, parent } = batch;
    const user = this.#client.game.user;
    const prepared = await this[`_${action}Entries`](batch, user);
    if (atomic && prepared.length < batch.asked) return false;
    if (!prepared.length) return null;
    const documents = prepared.map(([document]) => document);
    const merged = Object.assign(operation, options);
    this.#trace("preOperation", batch);
    const allowed = await Class[`_pre${capital(action)}Operation`](documents, merged, user);
    if (allowed === false) return atomic ? false : null;
    if (operation.dryRun && this.#client.generation >= 14) return null;
    Object.assign(options, without(merged, NOT_SENT));
    const request = { action, documentName: Class.documentName, parentUuid: parent?.uuid ?? null, pack: operation.pack, options };
    request[{ create: "data", update: "updates", delete: "ids" }[action]] = prepared.map(([, entry]) => entry);
    if (Class.documentName === "Actor" && parent) asDelta(request, parent);
    this.#trace("request", batch);
    return request;
  }

  async _createEntries(batch, user) {
    const { Class, operation, options, parent } = batch;
    const entries = [];
    const sources = Array.isArray(operation.data) ? operation.data : [operation.data];
    batch.asked = sources.length;
    for (const given of sources) {
      const data = this.#client.utils.expandObject(toPlain(given));
      const document = new Class(data, { parent, pack: operation.pack });
      this.#require(Class, document);
      if (!operation.keepId) document.updateSource({ _id: null });
      document._id = document[SOURCE]._id = operation.keepId ? (data._id ?? null) : null;
      if (!(await this.#allowed(batch, document, [data, options, user]))) continue;
      const source = document.toObject();
      if (!operation.keepId) source._id = null;
      entries.push([document, source]);
    }
    return entries;
  }

  #require(Class, document) {
    for (const key of Class.table.required) {
      const value = document[SOURCE][key];
      if (value === null || value === undefined || value === "") {
        throw new Error(`${Class.documentName} validation errors:\n  ${key}: may not be undefined`);
      }
    }
  }

  async _updateEntries(batch, user) {
    const { Class, operation, options } = batch;
    const { schema } = this.#client;
    const entries = [];
    const updates = Array.isArray(operation.updates) ? operation.updates : [operation.updates];
    batch.asked = updates.length;
    for (const given of updates) {
      const expanded = this.#client.utils.expandObject(toPlain(given));
      const document = await this.#find(batch, expanded._id);
      const source = document[SOURCE];
      const changes = this.#openStats(schema.cleanChanges(Class.table, this.#client.modernise(expanded), source.type));
      if (!(await this.#allowed(batch, document, [changes, options, user]))) continue;
      const recursive = operation.recursive !== false;
      const final = this.#openStats(schema.cleanChanges(Class.table, changes, source.type, { recursive }));
      this.#checkType(source, final);
      const difference = operation.diff === false ? { ...final } : schema.diff(Class.table, source, final, { recursive });
      delete difference._id;
      if (Object.keys(difference).length === 0) {
        this.#trace("empty", batch, document);
        continue;
      }
      entries.push([document, { ...difference, _id: document.id }]);
    }
    return entries;
  }

  /** Managed members of `_stats` are not the caller's to write. */
  #openStats(changes) {
    if (!isPlain(changes._stats)) return changes;
    const kept = Object.fromEntries(Object.entries(changes._stats).filter(([key]) => OPEN_STATS.includes(key)));
    if (Object.keys(kept).length) changes._stats = kept;
    else delete changes._stats;
    return changes;
  }

  #checkType(source, changes) {
    if (this.#client.generation < 14 || changes.type === undefined || changes.type === source.type || !("system" in source)) return;
    if (!isOperator(changes.system)) {
      throw new Error("The type of a Document can be changed only if the system field is force-replaced (==) or updated with {recursive: false}");
    }
  }

  async _deleteEntries(batch, user) {
    const { operation, options } = batch;
    const entries = [];
    const ids = operation.deleteAll ? Array.from(this.#collection(batch).keys()) : operation.ids;
    batch.asked = ids.length;
    for (const id of ids) {
      const document = await this.#find(batch, id);
      if (await this.#allowed(batch, document, [options, user])) entries.push([document, id]);
    }
    return entries;
  }

  /** The awaited method, then the hook: a false from either drops the document. */
  async #allowed(batch, document, args) {
    const { action, Class, operation, options } = batch;
    const phase = `pre${capital(action)}`;
    this.#trace(phase, batch, document);
    const allowed = await document[`_${phase}`](...args);
    Object.assign(operation, options);
    if (allowed === false) return false;
    if (operation.noHook) return true;
    const names = [Class.documentName];
    if (this.#client.facts.emitDeltaHooks && Class.documentName === "Actor" && document.parent) names.push("ActorDelta");
    for (const name of names) {
      const hook = `${phase}${name}`;
      const subject = name === "ActorDelta" && Class.documentName === "Actor" ? document.parent.delta : document;
      const fields = { documentName: name, uuid: subject.uuid, batch: batch.id, userId: this.#client.userId };
      const vetoed = this.#client.callHook("call", hook, fields, [subject, ...args.slice(0, -1), this.#client.userId]) === false;
      Object.assign(operation, options);
      if (vetoed) return false;
    }
    return true;
  }

  #collection({ Class, operation, parent }) {
    if (parent) return parent.getEmbeddedCollection(Class.documentName);
    return operation.pack ? this.#client.game.packs.get(operation.pack) : this.#client.game.collections.get(Class.documentName);
  }

  async #find(batch, id) {
    const { Class, operation, parent } = batch;
    if (Class.documentName === "Actor" && parent) return parent.actor;
    if (Class.documentName === "ActorDelta") return parent.delta;
    if (operation.pack && !parent) {
      const pack = this.#client.game.packs.get(operation.pack);
      const found = Class.documentName === "Folder" ? pack.folders.get(id) : await pack.getDocument(id);
      if (!found) throw new Error(`${Class.documentName} id [${id}] does not exist in the ${operation.pack} collection.`);
      return found;
    }
    return this.#collection(batch).get(id, { strict: true });
  }

  #trace(phase, batch, document = null) {
    this.#client.trace(phase, { documentName: batch.Class.documentName, uuid: document?.uuid ?? null, batch: batch.id, userId: this.#client.userId });
  }
}

/** An update of a synthetic actor goes over the wire as one of its token's delta. */
function asDelta(request, token) {
  request.documentName = "ActorDelta";
  request.options.syntheticActorUpdate = true;
  const id = token[SOURCE].delta?._id;
  request.updates = request.updates?.map((changes) => ({ ...changes, _id: id }));
}

function without(operation, keys) {
  const kept = {};
  for (const key of Object.keys(operation)) if (!keys.includes(key)) kept[key] = operation[key];
  return kept;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

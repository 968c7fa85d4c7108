/**
 * The base class of all documents of one client: source, prepared data, permissions, flags.
 * Operations (create, update, delete) are in `operations.js`.
 *
 * Source: FOUNDRY_FACTS 1.1-1.6, WORLD_SIMULATOR L2 and L3.
 */
import { readOnly } from "../core/guard.js";
import { deepClone, isPlain } from "../core/objects.js";
import { OWNERSHIP, levelOf, mayModify, owningChain } from "../data/permissions.js";
import { joinUuid } from "../data/uuid.js";
import { SOURCE, TRUSTED } from "./symbols.js";

/**
 * Define the class for one client.
 * @param {import("../client/client.js").Client} client
 */
export function defineDocument(client) {
  const { schema } = client;

  return class Document {
    #parent;
    #pack;
    #apps = null;

    /** @type {import("../data/tables.js").DocumentTable} */
    static table = null;

    static get documentName() {
      return this.table.name;
    }

    static get collectionName() {
      return this.table.collection;
    }

    static get metadata() {
      const { name, collection, types, primary, pack } = this.table;
      const embedded = { ...this.table.embedded, ...(name === "Token" ? { ActorDelta: "delta" } : {}) };
      return { name, collection, embedded, coreTypes: types ?? [], label: `DOCUMENT.${name}`, primary, compendium: pack };
    }

    static get hierarchy() {
      return Object.fromEntries(this.table.childFields);
    }

    static get hasTypeData() {
      return this.table.hasSystem;
    }

    static get TYPES() {
      return schema.typesOf(this.documentName) ?? [];
    }

    static get implementation() {
      return client.classOf(this.documentName);
    }

    static get database() {
      return client.CONFIG.DatabaseBackend;
    }

    static canUserCreate(user) {
      return mayModify(user._source, "create", { documentName: this.documentName, chain: [{}] });
    }

    constructor(data = {}, context = {}) {
      const { parent = null, pack = null } = context;
      this.#parent = parent;
      this.#pack = parent?.pack ?? pack;
      const table = this.constructor.table;
      this[SOURCE] = context[TRUSTED] ? data : schema.cleanSource(table, client.utils.expandObject(toPlain(data)), () => client.randomID());
      this._initialize();
      if (client.documentsReady) this.prepareData();
    }

    get parent() {
      return this.#parent;
    }

    get pack() {
      return this.#pack;
    }

    /** The windows that show this document, by their ids. */
    get apps() {
      this.#apps ??= {};
      return this.#apps;
    }

    /** The stored truth; read-only where the world is strict. */
    get _source() {
      return client.world.strict ? readOnly(this[SOURCE]) : this[SOURCE];
    }

    /** Copy the source to the top level. Children keep their identity. */
    _initialize(keys = null) {
      const source = this[SOURCE];
      this._id = source._id;
      for (const key of keys ?? this.constructor.table.keys) this._initializeField(key, source);
    }

    _initializeField(key, source) {
      const field = this.constructor.table.fields[key];
      if (!field || field.kind === "ref" || field.kind === "delta") return;
      if (field.kind === "children") {
        this[key] ??= new client.EmbeddedCollection(this, field.documentName, key);
        this[key].sync();
      } else {
        const value = source[key];
        this[key] = typeof value === "object" ? deepClone(value) : value;
      }
    }

    /** Make the prepared data again from the source. */
    reset() {
      this._initialize();
      this.prepareData();
    }

    prepareData() {
      this.prepareBaseData();
      this.prepareEmbeddedDocuments();
      this.prepareDerivedData();
    }

    prepareBaseData() {}

    prepareEmbeddedDocuments() {}

    prepareDerivedData() {}

    get documentName() {
      return this.constructor.documentName;
    }

    get id() {
      return this._id;
    }

    get uuid() {
      if (this._id === null && client.generation >= 14) return null;
      return joinUuid(this.parent?.uuid ?? null, this.documentName, this._id, this.pack);
    }

    get isEmbedded() {
      return this.parent !== null && this.documentName in this.parent.constructor.table.embedded;
    }

    get inCompendium() {
      return Boolean(this.pack);
    }

    get compendium() {
      return this.pack ? client.game.packs.get(this.pack) : null;
    }

    get collection() {
      if (this.parent) return this.parentCollection ? this.parent[this.parentCollection] : null;
      return this.pack ? this.compendium : (client.game.collections.get(this.documentName) ?? null);
    }

    get parentCollection() {
      return this.parent?.constructor.table.embedded[this.documentName] ?? null;
    }

    get schema() {
      return this.constructor.table;
    }

    get sheet() {
      this._sheet ??= client.makeSheet(this);
      return this._sheet;
    }

    get link() {
      return `@UUID[${this.uuid}]{${this.name}}`;
    }

    get isOwner() {
      return this.testUserPermission(client.game.user, "OWNER");
    }

    get limited() {
      return this.testUserPermission(client.game.user, "LIMITED", { exact: true });
    }

    get visible() {
      return this.testUserPermission(client.game.user, "LIMITED");
    }

    get permission() {
      return this.getUserLevel(client.game.user);
    }

    /** The source of this document and of all above it. */
    get _permissionChain() {
      const chain = [];
      for (let document = this; document; document = document.parent) chain.push(document[SOURCE]);
      return chain;
    }

    getUserLevel(user = client.game.user) {
      return levelOf(user[SOURCE], owningChain(this.documentName, this._permissionChain));
    }

    testUserPermission(user, permission, { exact = false } = {}) {
      const wanted = typeof permission === "string" ? OWNERSHIP[permission] : permission;
      const level = this.getUserLevel(user);
      return exact ? level === wanted : level >= wanted;
    }

    canUserModify(user, action, changes = {}) {
      return mayModify(user[SOURCE], action, { documentName: this.documentName, chain: this._permissionChain, changes });
    }

    toObject(source = true) {
      if (source) return deepClone(this[SOURCE]);
      const prepared = { _id: this._id };
      for (const [key, field] of Object.entries(this.constructor.table.fields)) {
        if (field.kind === "children") prepared[key] = this[key].map((child) => child.toObject(false));
        else if (field.kind === "ref") prepared[key] = this[SOURCE][key];
        else prepared[key] = deepClone(this[key]);
      }
      return prepared;
    }

    toJSON() {
      return this.toObject(true);
    }

    toDragData() {
      return { type: this.documentName, uuid: this.uuid };
    }

    toString() {
      return `[Document ${this.documentName} ${this._id}]`;
    }

    /**
     * Change the source, without telling anyone.
     * @returns {object} What differed.
     */
    updateSource(changes = {}, { dryRun = false, recursive = true } = {}) {
      const table = this.constructor.table;
      const clean = schema.cleanChanges(table, client.utils.expandObject(toPlain(changes)), this[SOURCE].type);
      const difference = schema.diff(table, this[SOURCE], clean, { recursive });
      if (!dryRun && Object.keys(difference).length) this._applyChanges(difference, { recursive });
      return difference;
    }

    /** Merge changes into the source and prepare again what they touch. */
    _applyChanges(changes, { recursive = true } = {}) {
      const { table } = this.constructor;
      schema.apply(table, this[SOURCE], changes, { recursive, newChild: (childTable, child) => schema.cleanSource(childTable, child, () => client.randomID()) });
      const touched = Object.keys(changes).map((key) => key.replace(/^(-=|==)/, ""));
      const whole = table.hasSystem || table.name === "Token";
      const keys = table.keys.filter((key) => touched.includes(key) || (whole && table.fields[key].kind !== "children"));
      this._initialize(keys);
      this.prepareData();
    }

    clone(data = {}, { save = false, keepId = false, addSource = false, ...context } = {}) {
      const source = client.utils.mergeObject(this.toObject(), toPlain(data), { insertKeys: false, performDeletions: true, inplace: true });
      if (!keepId) source._id = null;
      if (addSource && source._stats) source._stats.duplicateSource = this.uuid;
      const options = { parent: this.parent, pack: this.pack, ...context };
      if (save) return this.constructor.create(source, { ...options, keepId });
      return new this.constructor(source, options);
    }

    getEmbeddedCollection(name) {
      const key = this.constructor.table.embedded[name] ?? (this.constructor.table.fields[name]?.kind === "children" ? name : undefined);
      if (!key) throw new Error(`${name} is not a valid embedded Document within the ${this.documentName} Document`);
      return this[key];
    }

    getEmbeddedDocument(name, id, options = {}) {
      return this.getEmbeddedCollection(name).get(id, options);
    }

    getFlag(scope, key) {
      this._checkFlagScope(scope);
      return client.utils.getProperty(this.flags?.[scope], key);
    }

    setFlag(scope, key, value) {
      this._checkFlagScope(scope);
      return this.update({ flags: { [scope]: { [key]: value } } });
    }

    unsetFlag(scope, key) {
      this._checkFlagScope(scope);
      const parts = key.split(".");
      const last = parts.pop();
      const head = ["flags", scope, ...parts].join(".");
      if (client.generation >= 14) return this.update({ [`${head}.${last}`]: new client.operators.ForcedDeletion() });
      return this.update({ [`${head}.-=${last}`]: null });
    }

    _checkFlagScope(scope) {
      if (!client.flagScopes.has(scope)) throw new Error(`Flag scope "${scope}" is not valid or not currently active`);
    }
  };
}

/** Data as plain objects: documents give their source. */
export function toPlain(data) {
  if (data && typeof data.toObject === "function") return data.toObject();
  return isPlain(data) ? { ...data } : data;
}

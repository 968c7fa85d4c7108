/** `game.packs`: compendium collections, loaded document by document. Source: FOUNDRY_FACTS 1.9. */
import { Collection } from "../core/collection.js";
import { SOURCE, TRUSTED } from "../documents/symbols.js";

const CACHE_MS = 300_000;

/** Define the pack classes of one client. */
export function definePacks(client) {
  const { DocumentCollection } = client.collectionClasses;

  class CompendiumCollection extends DocumentCollection {
    #expiry = new Map();

    /** @param {{metadata: object, documents: object[], folders: object[]}} pack What the server sent. */
    constructor({ metadata, documents, folders }) {
      super(metadata.type);
      this.metadata = metadata;
      this.index = new Collection(documents.map((source) => [source._id, this.#indexed(source)]));
      this.folders = new Collection();
      for (const source of folders) this.folders.set(source._id, new (client.classOf("Folder"))(source, { [TRUSTED]: true, pack: metadata.id }));
      this.indexed = true;
    }

    /** Make a new pack of the world. */
    static async createCompendium({ type, label, name = label.toLowerCase().replace(/\W+/g, "-") }) {
      const metadata = { id: `world.${name}`, name, label, type, locked: false, packageName: "world" };
      await client.request({ action: "createPack", metadata });
      return client.game.packs.get(metadata.id);
    }

    async deleteCompendium() {
      await client.request({ action: "deletePack", pack: this.metadata.id });
      return this;
    }

    get collection() {
      return this.metadata.id;
    }

    get title() {
      return this.metadata.label;
    }

    get locked() {
      return Boolean(this.metadata.locked);
    }

    get visible() {
      return true;
    }

    get isOwner() {
      return client.game.user.isGM;
    }

    #indexed(source) {
      const { _id, name, img = null, type, folder = null, sort = 0 } = source;
      return { _id, name, img, type, folder, sort, uuid: `Compendium.${this.metadata.id}.${this.metadata.type}.${_id}` };
    }

    /** A cached document; one not asked for in five minutes is dropped. */
    get(id, options) {
      const expiry = this.#expiry.get(id);
      if (expiry !== undefined && expiry < client.clock.now()) {
        this.#expiry.delete(id);
        Map.prototype.delete.call(this, id);
      } else if (expiry !== undefined) this.#expiry.set(id, client.clock.now() + CACHE_MS);
      return super.get(id, options);
    }

    set(id, document) {
      if (document.documentName === "Folder") {
        this.folders.set(id, document);
        return this;
      }
      this.#expiry.set(id, client.clock.now() + CACHE_MS);
      this.index.set(id, this.#indexed(document[SOURCE]));
      return super.set(id, document);
    }

    async getIndex() {
      return this.index;
    }

    async getDocument(id) {
      const cached = this.get(id);
      if (cached || !this.index.has(id)) return cached ?? null;
      const source = await client.world.network.fetchDocument(client.connection, this.metadata.id, id);
      if (!source) return null;
      const document = new (this.documentClass)(source, { [TRUSTED]: true, pack: this.metadata.id });
      this.set(id, document);
      return document;
    }

    async getDocuments(query = {}) {
      const ids = Array.from(this.index.keys());
      const wanted = query._id__in ? ids.filter((id) => query._id__in.includes(id)) : ids;
      const documents = await Promise.all(wanted.map((id) => this.getDocument(id)));
      return documents.filter((document) => Object.entries(query).every(([key, value]) => key === "_id__in" || document[key] === value));
    }

    async importDocument(document, { clearFolder = true, keepId = false, ...operation } = {}) {
      const data = document.toObject();
      if (clearFolder) data.folder = null;
      data._stats = { ...data._stats, compendiumSource: document.uuid };
      return this.documentClass.create(data, { ...operation, keepId, pack: this.metadata.id });
    }

    async configure(metadata = {}) {
      await client.request({ action: "managePack", pack: this.metadata.id, metadata });
      return this;
    }

    getUuid(id) {
      return `Compendium.${this.metadata.id}.${this.metadata.type}.${id}`;
    }

    /** Where documents of a type in this pack are held. */
    _collectionOf(documentName) {
      return documentName === "Folder" ? new PackFolders(this) : new PackDocuments(this);
    }

    _onManage(metadata) {
      Object.assign(this.metadata, metadata);
    }

    _forget(id) {
      this.#expiry.delete(id);
      this.index.delete(id);
      return Map.prototype.delete.call(this, id);
    }

    _reindex(document) {
      this.index.set(document.id, this.#indexed(document[SOURCE]));
    }

    _onChanged(documents, options, userId) {
      for (const document of documents) if (this.index.has(document.id) && this.has(document.id)) this._reindex(document);
      client.Hooks.callAll("updateCompendium", this, documents, options, userId);
    }
  }

  /** The face a pack shows to the applier: cached documents only. */
  class PackDocuments {
    constructor(pack) {
      this.pack = pack;
    }

    get(id) {
      return this.pack.get(id);
    }

    set(id, document) {
      this.pack.set(id, document);
    }

    delete(id) {
      return this.pack._forget(id);
    }

    _onModifyContents() {}
  }

  class PackFolders extends PackDocuments {
    get(id) {
      return this.pack.folders.get(id);
    }

    delete(id) {
      return this.pack.folders.delete(id);
    }
  }

  return { CompendiumCollection };
}

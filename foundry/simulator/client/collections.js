/** Collections of documents on a client: the world's, and those embedded in a document. */
import { Collection } from "../core/collection.js";
import { indexOf } from "../data/lists.js";
import { SOURCE, TRUSTED } from "../documents/symbols.js";

/** Define the collection classes of one client. */
export function defineCollections(client) {
  class DocumentCollection extends Collection {
    #apps = null;
    #invalid = null;

    constructor(documentName) {
      super();
      this.documentName = documentName;
    }

    get apps() {
      this.#apps ??= [];
      return this.#apps;
    }

    get invalidDocumentIds() {
      this.#invalid ??= new Set();
      return this.#invalid;
    }

    get documentClass() {
      return client.classOf(this.documentName);
    }

    get name() {
      return this.constructor.name;
    }

    /** @param {{strict?: boolean, invalid?: boolean}} [options] */
    get(id, options) {
      const found = Map.prototype.get.call(this, id);
      if (!found && options?.strict) throw new Error(`${this.documentName} id [${id}] does not exist in the ${this.name} collection.`);
      return found;
    }

    getInvalid(_id, { strict = false } = {}) {
      if (strict) throw new Error(`${this.documentName} has no invalid document of that id`);
      return undefined;
    }

    search({ query = "" } = {}) {
      const wanted = query.toLowerCase();
      return this.filter((document) => document.name?.toLowerCase().includes(wanted));
    }

    /** Update all, or those that match, by a change or by a function that gives one. */
    async updateAll(transformation, condition = null, options = {}) {
      const chosen = condition ? this.filter(condition) : this.contents;
      const updates = chosen.map((document) => ({
        ...(typeof transformation === "function" ? transformation(document) : transformation),
        _id: document.id,
      }));
      return this.documentClass.updateDocuments(updates, options);
    }

    render() {}

    _onModifyContents() {}
  }

  class WorldCollection extends DocumentCollection {
    get folders() {
      return new Collection(
        client.game.folders.filter((folder) => folder.type === this.documentName).map((folder) => [folder.id, folder]),
      );
    }

    get directory() {
      return client.ui[this.documentClass.collectionName] ?? null;
    }

    /** Fill the collection from what the server sent. */
    _load(sources) {
      const Class = this.documentClass;
      for (const source of sources) Map.prototype.set.call(this, source._id, new Class(source, { [TRUSTED]: true }));
    }

    async importFromCompendium(pack, id, changes = {}, operation = {}) {
      const document = await pack.getDocument(id);
      return this.documentClass.create(client.utils.mergeObject(this.fromCompendium(document), changes), operation);
    }

    /** The data of a pack document as it would be created in the world. */
    fromCompendium(document, { keepId = false, clearFolder = true } = {}) {
      const data = document.toObject();
      if (!keepId) delete data._id;
      if (clearFolder) data.folder = null;
      data._stats = { ...data._stats, compendiumSource: document.uuid };
      return data;
    }
  }

  class EmbeddedCollection extends DocumentCollection {
    #parent;
    #key;

    constructor(parent, documentName, key) {
      super(documentName);
      this.#parent = parent;
      this.#key = key;
    }

    get parent() {
      return this.#parent;
    }

    get model() {
      return this.#parent;
    }

    get key() {
      return this.#key;
    }

    get sources() {
      return this.#parent[SOURCE][this.#key] ?? [];
    }

    /** Follow the parent's source: known children are prepared again, new ones made, gone ones dropped. */
    sync() {
      const list = this.sources;
      const wanted = indexOf(list);
      for (const id of this.keys()) if (!wanted.has(id)) Map.prototype.delete.call(this, id);
      for (const source of list) {
        if (source._tombstone) continue;
        const known = Map.prototype.get.call(this, source._id);
        if (known) {
          known[SOURCE] = source;
          known.reset();
        } else this.adopt(source);
      }
    }

    /** Make the document of a source that the parent's source holds. */
    adopt(source) {
      const document = new this.documentClass(source, { parent: this.#parent, [TRUSTED]: true });
      Map.prototype.set.call(this, source._id, document);
      return document;
    }
  }

  return { DocumentCollection, WorldCollection, EmbeddedCollection };
}

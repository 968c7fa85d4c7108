/** Create, update and delete on documents, and the places where systems override. Source: FOUNDRY_FACTS 1.1. */
import { toPlain } from "./base.js";

/**
 * Add the operations to the base class.
 * @param {typeof import("./base.js").defineDocument extends (client: any) => infer C ? C : never} Base
 */
export function withOperations(Base) {
  return class Document extends Base {
    static async create(data, operation = {}) {
      const many = Array.isArray(data);
      const created = await this.createDocuments(many ? data : [data], operation);
      return many ? created : created.shift();
    }

    static async createDocuments(data = [], operation = {}) {
      return this.database.create(this.implementation, { ...operation, data });
    }

    static async updateDocuments(updates = [], operation = {}) {
      return this.database.update(this.implementation, { ...operation, updates });
    }

    static async deleteDocuments(ids = [], operation = {}) {
      return this.database.delete(this.implementation, { ...operation, ids });
    }

    static get(documentId, { pack = null, parent = null } = {}) {
      return this.database.get(this.implementation, { id: documentId, pack, parent });
    }

    async update(data = {}, operation = {}) {
      const updates = [{ ...toPlain(data), _id: this._id }];
      const updated = await this.constructor.updateDocuments(updates, { ...operation, parent: this.parent, pack: this.pack });
      return updated.shift();
    }

    async delete(operation = {}) {
      const deleted = await this.constructor.deleteDocuments([this._id], { ...operation, parent: this.parent, pack: this.pack });
      return deleted.shift();
    }

    createEmbeddedDocuments(name, data = [], operation = {}) {
      const Class = this.getEmbeddedCollection(name).documentClass;
      return Class.createDocuments(data, { ...operation, parent: this, pack: this.pack });
    }

    updateEmbeddedDocuments(name, updates = [], operation = {}) {
      const Class = this.getEmbeddedCollection(name).documentClass;
      return Class.updateDocuments(updates, { ...operation, parent: this, pack: this.pack });
    }

    deleteEmbeddedDocuments(name, ids = [], operation = {}) {
      const Class = this.getEmbeddedCollection(name).documentClass;
      return Class.deleteDocuments(ids, { ...operation, parent: this, pack: this.pack });
    }

    async _preCreate() {}

    async _preUpdate() {}

    async _preDelete() {}

    _onCreate() {}

    _onUpdate() {}

    _onDelete() {}

    static async _preCreateOperation() {}

    static async _preUpdateOperation() {}

    static async _preDeleteOperation() {}

    static async _onCreateOperation() {}

    static async _onUpdateOperation() {}

    static async _onDeleteOperation() {}

    _preCreateDescendantDocuments() {}

    _preUpdateDescendantDocuments() {}

    _preDeleteDescendantDocuments() {}

    _onCreateDescendantDocuments() {}

    _onUpdateDescendantDocuments() {}

    _onDeleteDescendantDocuments() {}
  };
}

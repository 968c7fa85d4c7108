/**
 * What every client does with the server's events: change local data, call methods and hooks.
 *
 * Source: FOUNDRY_FACTS 1.1 steps 5 to 7.
 */
import { addTo, removeFrom } from "../data/lists.js";
import { SOURCE, TRUSTED } from "../documents/symbols.js";

/** What happens to packs themselves. */
const PACK_EVENTS = {
  createPack: (client, { metadata }) => client.game.packs.set(metadata.id, new client.packClasses.CompendiumCollection({ metadata, documents: [], folders: [] })),
  managePack: (client, { pack, metadata }) => client.game.packs.get(pack)?._onManage(metadata),
  deletePack: (client, { pack }) => client.game.packs.delete(pack),
};

/** Applies events on one client. */
export class Applier {
  #client;

  constructor(client) {
    this.#client = client;
  }

  /**
   * Apply one event. Data, methods and hooks are done when this returns; the promise is for what is awaited after.
   * @returns {Promise<object[]>} The documents.
   */
  apply(event) {
    if (event.action in PACK_EVENTS) {
      PACK_EVENTS[event.action](this.#client, event);
      return Promise.resolve([]);
    }
    const place = this.#place(event);
    if (!place) {
      this.#client.trace("missing", { documentName: event.documentName, uuid: event.parentUuid, userId: event.userId });
      return Promise.resolve([]);
    }
    if (event.silent) {
      this[`_${event.action}`](event, place);
      return Promise.resolve([]);
    }
    const rest = { create: event.data, update: event.updates, delete: event.ids }[event.action];
    this.#ancestors(place.parent, `_pre${capital(event.action)}`, [rest, event.options, event.userId], place);
    const changed = this[`_${event.action}`](event, place);
    if (place.parent) this.#prepareAgain(place.parent);
    for (const [document, argument] of changed) this.#callback(event, document, argument);
    return this.#finish(event, place, changed.map(([document]) => document), rest);
  }

  #place(event) {
    const { game } = this.#client;
    const { documentName, parentUuid, pack } = event;
    if (!parentUuid) {
      const collection = pack ? game.packs.get(pack)?._collectionOf(documentName) : game.collections.get(documentName);
      return collection ? { parent: null, collection, Class: this.#client.classOf(documentName), pack } : null;
    }
    const parent = this.#client.fromUuidSync(parentUuid, { strict: false });
    if (!parent?.constructor?.table) return null;
    if (documentName === "ActorDelta") return { parent, delta: true, Class: this.#client.classOf("ActorDelta"), pack };
    return { parent, collection: parent.getEmbeddedCollection(documentName), Class: this.#client.classOf(documentName), pack };
  }

  _create(event, { parent, collection, Class, pack }) {
    if (event.delta) {
      this.#followDelta(event);
      return event.data.map((data) => [collection.get(data._id), data]);
    }
    return event.data.map((data) => {
      let document;
      if (parent) {
        removeFrom(parent[SOURCE][collection.key], collection.has(data._id) ? [data._id] : []);
        addTo(parent[SOURCE][collection.key], data);
        document = collection.adopt(data);
      } else {
        document = new Class(data, { [TRUSTED]: true, pack });
        collection.set(data._id, document);
      }
      return [document, data];
    });
  }

  _update(event, { parent, collection, delta }) {
    const recursive = event.options.recursive !== false;
    if (delta) return this.#updateDelta(event, parent);
    if (event.delta) {
      this.#followDelta(event);
      return event.updates.map((changes) => [collection.get(changes._id), changes]).filter(([document]) => document);
    }
    const changed = [];
    for (const changes of event.updates) {
      const document = collection.get(changes._id);
      if (!document) continue;
      document._applyChanges(changes, { recursive });
      changed.push([document, changes]);
    }
    return changed;
  }

  /** A token's delta was written: by the synthetic actor's own update, or directly. */
  #updateDelta(event, token) {
    this.#followDelta(event);
    const [changes] = event.updates;
    if (!event.options.syntheticActorUpdate) return [[token.delta, changes]];
    const actor = token.actor;
    if (!actor) return [];
    const own = { ...changes, _id: actor.id };
    return this.#client.facts.emitDeltaHooks ? [[actor, own], [token.delta, changes]] : [[actor, own]];
  }

  #followDelta(event) {
    this.#client.fromUuidSync(event.delta.tokenUuid)?._receiveDelta(event.delta.source);
  }

  _delete(event, { parent, collection }) {
    const gone = event.ids.map((id) => collection.get(id)).filter(Boolean);
    if (event.delta) this.#followDelta(event);
    else {
      if (parent) removeFrom(parent[SOURCE][collection.key], event.ids);
      for (const document of gone) collection.delete(document.id);
    }
    return gone.map((document) => [document, undefined]);
  }

  #callback(event, document, given) {
    const argument = event.action === "update" && !this.#client.facts.statsInChanges ? withoutStats(given) : given;
    const action = capital(event.action);
    const args = argument === undefined ? [event.options, event.userId] : [argument, event.options, event.userId];
    const { documentName } = document;
    const fields = { documentName, uuid: document.uuid, userId: event.userId };
    this.#client.trace(`on${action}`, fields);
    try {
      document[`_on${action}`](...args);
    } catch (error) {
      this.#client.Hooks.onError(`${documentName}#_on${action}`, error, {});
    }
    const told = event.action === "update" ? args : [event.options, event.userId];
    this.#client.callHook("callAll", `${event.action}${documentName}`, fields, [document, ...told]);
  }

  async #finish(event, place, documents, rest) {
    const action = capital(event.action);
    const user = this.#client.game.users.get(event.userId);
    const operation = { ...event.options, parent: place.parent, pack: event.pack };
    const fields = { documentName: event.documentName, userId: event.userId };
    this.#client.trace("onOperation", fields);
    await place.Class[`_on${action}Operation`](documents, operation, user);
    this.#ancestors(place.parent, `_on${action}`, [documents, ...(event.action === "delete" ? [event.ids] : [rest]), event.options, event.userId], place);
    place.collection?._onModifyContents(event.action, documents, rest, operation, user);
    if (event.pack) this.#client.game.packs.get(event.pack)._onChanged(documents, event.options, event.userId);
    if (event.options.render !== false) for (const document of documents) this.#client.refresh(document);
    this.#client.trace("done", fields);
    return documents;
  }

  #ancestors(parent, prefix, args, { collection }) {
    for (let ancestor = parent; ancestor; ancestor = ancestor.parent) {
      ancestor[`${prefix}DescendantDocuments`]?.(parent, collection?.key ?? "delta", ...args);
    }
  }

  /** A parent with derived data is prepared again, once per event. */
  #prepareAgain(parent) {
    for (let ancestor = parent; ancestor; ancestor = ancestor.parent) {
      const { table } = ancestor.constructor;
      if (!table.hasSystem) continue;
      ancestor._initialize(table.ownKeys);
      ancestor.prepareData();
    }
  }
}

function withoutStats(changes) {
  const rest = { ...changes };
  delete rest._stats;
  return rest;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Where an operation lands: a world collection, a pack, a list of children, or a token's delta. */
import { addEntry, ownEntry, removeEntry } from "../data/deltas.js";
import { addTo, indexOf, removeFrom } from "../data/lists.js";
import { ServerRefusal } from "./refusal.js";

/** One operation's place in the store. */
export class Target {
  #map = null;
  #list = null;
  #delta = null;

  /**
   * @param {import("./server.js").Server} server
   * @param {{documentName: string, parentUuid?: string|null, pack?: string|null}} address
   */
  constructor(server, { documentName, parentUuid = null, pack = null }) {
    this.table = server.schema.tables[documentName];
    if (!this.table) throw new ServerRefusal(`"${documentName}" is not a document type`);
    this.where = parentUuid ?? pack ?? `the ${documentName} collection`;
    this.chain = [];
    this.synthetic = null;
    if (pack && server.store.packs.get(pack)?.metadata.locked) {
      throw new ServerRefusal(`You may not modify the ${server.store.packs.get(pack).metadata.label} Compendium, which is currently locked.`);
    }
    if (!parentUuid) {
      this.#map = server.store.primary(documentName, pack);
      if (!this.#map) throw new ServerRefusal(`${documentName} documents need a parent`);
      return;
    }
    this.#below(server, documentName, parentUuid);
  }

  #below(server, documentName, parentUuid) {
    const parent = server.store.locate(parentUuid);
    if (!parent) throw new ServerRefusal(`The parent ${parentUuid} does not exist`);
    this.chain = parent.chain;
    if (parent.documentName === "Token") {
      // The synthetic actor itself, or its delta: one document, kept in the token.
      this.synthetic = { token: parent.source, tokenUuid: parentUuid, base: server.store.primary("Actor").get(parent.source.actorId) ?? null };
      if (!parent.source.delta) throw new ServerRefusal(`The token ${parentUuid} has no delta`);
      this.table = server.schema.tables.ActorDelta;
      if (this.synthetic.base) this.chain.unshift(this.synthetic.base);
      return;
    }
    const key = server.schema.tables[parent.documentName].embedded[documentName];
    if (!key) throw new ServerRefusal(`${documentName} is not a valid embedded document of ${parent.documentName}`);
    if (parent.synthetic) this.#inDelta(server, parent, key, parentUuid);
    else this.#list = parent.source[key] ??= [];
  }

  #inDelta(server, parent, key, parentUuid) {
    this.synthetic = parent.synthetic;
    const { base, token } = parent.synthetic;
    if (parent.documentName === "Actor") {
      this.#delta = { base, delta: token.delta, key, merged: parent.source[key] };
      return;
    }
    // A child of an item of the synthetic actor: the item must be the delta's own first.
    const item = ownEntry(base, token.delta, "items", parentUuid.split(".").at(-1));
    this.#list = item[key] ??= [];
  }

  /** The source of that id; undefined when there is none. */
  get(id) {
    if (this.#map) return this.#map.get(id);
    if (this.#list) return indexOf(this.#list).get(id);
    if (this.#delta) return this.#delta.merged.find((child) => child._id === id);
    return this.synthetic.token.delta;
  }

  /** The source of that id, ready to be written to. */
  own(id) {
    if (!this.#delta) return this.get(id);
    return ownEntry(this.#delta.base, this.#delta.delta, this.#delta.key, id);
  }

  all() {
    return Array.from((this.#map ?? this.#list ?? []).values());
  }

  add(source) {
    if (this.#map) this.#map.set(source._id, source);
    else if (this.#list) addTo(this.#list, source);
    else addEntry(this.#delta.delta, this.#delta.key, source);
  }

  remove(ids) {
    if (this.#map) for (const id of ids) this.#map.delete(id);
    else if (this.#list) removeFrom(this.#list, ids);
    else for (const id of ids) removeEntry(this.#delta.base, this.#delta.delta, this.#delta.key, id);
  }
}

/** What the server keeps: plain JSON, by collection and by pack. */
import { mergeDelta } from "../data/deltas.js";
import { indexOf } from "../data/lists.js";
import { splitUuid } from "../data/uuid.js";

/** The stored world. */
export class Store {
  #schema;

  constructor(schema) {
    this.#schema = schema;
    this.collections = new Map();
    this.packs = new Map();
    for (const table of Object.values(schema.tables)) {
      if (table.primary) this.collections.set(table.name, new Map());
    }
  }

  /** The primary documents of a type, in the world or in a pack. */
  primary(documentName, packId = null) {
    if (!packId) return this.collections.get(documentName);
    const pack = this.packs.get(packId);
    if (!pack) throw new Error(`Compendium pack ${packId} does not exist`);
    return documentName === "Folder" ? pack.folders : pack.documents;
  }

  /**
   * Find the source a uuid names, with what is above it.
   *
   * A synthetic actor is answered as `{synthetic: {token, base}}`: its source is made from base and delta.
   * @returns {{source: object, documentName: string, chain: object[], synthetic: object|null}|null}
   */
  locate(uuid) {
    const parts = splitUuid(uuid, (packId) => this.packs.get(packId)?.metadata.type);
    if (!parts) return null;
    const [[firstName, firstId], ...rest] = parts.steps;
    let source = this.primary(firstName, parts.pack)?.get(firstId);
    let documentName = firstName;
    let synthetic = null;
    const chain = [];
    for (const [name, id] of rest) {
      if (!source) return null;
      chain.unshift(source);
      if (documentName === "Token" && name === "Actor") {
        synthetic = { token: source, base: this.collections.get("Actor").get(source.actorId) ?? null, tokenUuid: uuid.split(".Actor.")[0] };
        source = synthetic.base && source.delta ? mergeDelta(this.#schema, synthetic.base, source.delta) : null;
      } else if (documentName === "Token" && name === "ActorDelta") source = source.delta;
      else source = indexOf(source[this.#schema.tables[documentName].embedded[name]] ?? []).get(id);
      documentName = name;
    }
    if (!source) return null;
    return { source, documentName, chain: [source, ...chain], synthetic, pack: parts.pack };
  }

  /** Everything, as JSON: what a client gets when it connects, what a snapshot holds. */
  toJSON() {
    const collections = {};
    for (const [name, documents] of this.collections) collections[name] = Array.from(documents.values());
    const packs = Array.from(this.packs.values()).map((pack) => ({
      metadata: pack.metadata,
      documents: Array.from(pack.documents.values()),
      folders: Array.from(pack.folders.values()),
    }));
    return { collections, packs };
  }

  /** Replace everything by what `toJSON()` gave. */
  load({ collections, packs = [] }) {
    for (const [name, documents] of this.collections) {
      documents.clear();
      for (const source of collections[name] ?? []) documents.set(source._id, source);
    }
    this.packs.clear();
    for (const pack of packs) this.addPack(pack.metadata, pack.documents, pack.folders);
  }

  addPack(metadata, documents = [], folders = []) {
    this.packs.set(metadata.id, {
      metadata,
      documents: new Map(documents.map((source) => [source._id, source])),
      folders: new Map(folders.map((source) => [source._id, source])),
    });
  }
}

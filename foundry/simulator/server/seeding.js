/** Filling a new server with documents. */

/**
 * Store documents as if the world had always had them.
 * @param {import("./server.js").Server} server
 * @param {{docs: Record<string, object[]>, packs: object[]}} content
 */
export function seedDocuments(server, { docs, packs }) {
  const { tables } = server.schema;
  for (const [key, sources] of Object.entries(docs)) {
    const table = tables[key] ?? Object.values(tables).find((known) => known.primary && known.collection === key);
    if (!table) throw new Error(`no collection is called ${key}`);
    const documents = server.store.primary(table.name);
    for (const source of sources) store(server, table, documents, source);
  }
  for (const { id, label = id, type, locked = false, documents = [], folders = [] } of packs) {
    server.store.addPack({ id, label, type, locked, packageName: id.split(".")[0], name: id.split(".")[1] });
    for (const source of documents) store(server, tables[type], server.store.primary(type, id), source);
    for (const source of folders) store(server, tables.Folder, server.store.primary("Folder", id), { type, ...source });
  }
}

function store(server, table, documents, data) {
  const newId = () => server.randomID();
  const source = server.schema.cleanSource(table, server.schema.utils.expandObject(data), newId);
  source._id ??= newId();
  if (data._offline) source._offline = true;
  stamp(server, table, source);
  documents.set(source._id, source);
}

function stamp(server, table, source) {
  server.stats.created(table, source, null);
  for (const [key, name] of table.childFields) {
    for (const child of source[key]) if (!child._tombstone) stamp(server, server.schema.tables[name], child);
  }
}

/**
 * What the server changes besides what it was asked to. Source: FOUNDRY_FACTS 1.10.
 *
 * Every function returns events to be broadcast after the one that caused them. `silent` events move local
 * data on the clients and fire no hook.
 */

/** Ids of all folders below a folder. */
function subfolders(folders, id) {
  const below = [];
  for (const folder of folders.values()) {
    if (folder.folder === id) below.push(folder._id, ...subfolders(folders, folder._id));
  }
  return below;
}

/**
 * Contents and subfolders of folders that are about to go.
 * @returns {object[]} Events.
 */
export function folderDeletion(server, { pack, sources, options, userId }) {
  const silent = server.facts.folderContents === "silent";
  const events = [];
  const folders = server.store.primary("Folder", pack);
  const asked = new Set(sources.map((source) => source._id));
  for (const folder of sources) {
    const below = options.deleteSubfolders ? subfolders(folders, folder._id).filter((id) => !asked.has(id)) : [];
    const gone = new Set([folder._id, ...below]);
    const children = Array.from(folders.values()).filter((other) => other.folder === folder._id && !gone.has(other._id) && !asked.has(other._id));
    if (below.length) events.push({ action: "delete", documentName: "Folder", pack, ids: below });
    if (children.length) events.push(moveTo("Folder", pack, children, folder.folder));
    const contents = contentsOf(server.store, folder.type, pack).filter((source) => gone.has(source.folder));
    if (!contents.length) continue;
    if (options.deleteContents) {
      events.push({ action: "delete", documentName: folder.type, pack, ids: contents.map((source) => source._id) });
    } else events.push(moveTo(folder.type, pack, contents, folder.folder));
  }
  return events.map((event) => ({ ...event, parentUuid: null, userId, silent, options: { ...event.options, cascade: true } }));
}

function contentsOf(store, type, pack) {
  if (!pack && !store.collections.has(type)) return [];
  return Array.from(store.primary(type, pack).values());
}

function moveTo(documentName, pack, sources, folder) {
  return { action: "update", documentName, pack, updates: sources.map((source) => ({ _id: source._id, folder })) };
}

/** The other active scene or combat, switched off. */
export function activation(server, { documentName, pack, updates, userId }) {
  if (pack || server.facts.activation === "client" || !["Scene", "Combat"].includes(documentName)) return [];
  const activated = updates.filter((change) => change.active === true).map((change) => change._id);
  if (!activated.length) return [];
  const chosen = activated.at(-1);
  const documents = server.store.primary(documentName);
  const scene = documents.get(chosen).scene;
  const others = Array.from(documents.values()).filter(
    (source) => source.active && source._id !== chosen && (documentName === "Scene" || source.scene === scene),
  );
  if (!others.length) return [];
  const changes = others.map((source) => ({ _id: source._id, active: false }));
  return [{ action: "update", documentName, pack: null, parentUuid: null, updates: changes, userId, silent: false, options: { cascade: true } }];
}

/** The fog of scenes that are gone. */
export function sceneDeletion(server, { ids, userId }) {
  const fog = Array.from(server.store.primary("FogExploration").values()).filter((source) => ids.includes(source.scene));
  if (!fog.length) return [];
  const gone = fog.map((source) => source._id);
  return [{ action: "delete", documentName: "FogExploration", pack: null, parentUuid: null, ids: gone, userId, silent: true, options: { cascade: true } }];
}

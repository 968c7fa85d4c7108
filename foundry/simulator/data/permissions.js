/**
 * Who may do what. Used by clients (`canUserModify`) and, as the last word, by the server.
 *
 * Rules are simplified: ownership, role, authorship; no subtleties of inherited page ownership.
 */

export const OWNERSHIP = { INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 };
export const ROLES = { NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 };

/** The lowest role that has a permission by default. */
export const DEFAULT_ROLES = {
  ACTOR_CREATE: 3, BROADCAST_AUDIO: 2, BROADCAST_VIDEO: 2, CARDS_CREATE: 3, DRAWING_CREATE: 2, ITEM_CREATE: 3, FILES_BROWSE: 2, FILES_UPLOAD: 3,
  JOURNAL_CREATE: 2, MACRO_SCRIPT: 1, MANUAL_ROLLS: 2, MESSAGE_WHISPER: 1, NOTE_CREATE: 2, PING_CANVAS: 1, PLAYLIST_CREATE: 3, SETTINGS_MODIFY: 3,
  SHOW_CURSOR: 1, SHOW_RULER: 1, TEMPLATE_CREATE: 1, TOKEN_CREATE: 3, TOKEN_CONFIGURE: 2, TOKEN_DELETE: 3, WALL_DOORS: 1,
};

const CREATE = {
  Actor: "ACTOR_CREATE", Item: "ITEM_CREATE", JournalEntry: "JOURNAL_CREATE", Cards: "CARDS_CREATE", Playlist: "PLAYLIST_CREATE",
  Drawing: "DRAWING_CREATE", Note: "NOTE_CREATE", MeasuredTemplate: "TEMPLATE_CREATE", Setting: "SETTINGS_MODIFY", Token: "TOKEN_CREATE",
};

/** Tell whether a user's role is assistant or game master. */
export const isGM = (user) => user.role >= ROLES.ASSISTANT;

/** Tell whether a user has a named permission, by role or by its own override. */
export function hasPermission(user, permission) {
  if (isGM(user)) return true;
  const own = user.permissions?.[permission];
  return own ?? user.role >= (DEFAULT_ROLES[permission] ?? ROLES.GAMEMASTER);
}

/**
 * The ownership level of a user on a chain of sources: the document first, its ancestors after.
 * @param {Array<{ownership?: Record<string, number>|null}>} chain
 */
export function levelOf(user, chain) {
  if (isGM(user)) return OWNERSHIP.OWNER;
  for (const source of chain) {
    const ownership = source?.ownership;
    if (!ownership) continue;
    const level = ownership[user._id] ?? ownership.default ?? OWNERSHIP.NONE;
    if (level !== OWNERSHIP.INHERIT) return level;
  }
  return OWNERSHIP.NONE;
}

/** Documents whose own ownership counts even below a parent. */
const OWN_COUNTS = new Set(["Actor", "JournalEntryPage"]);

/** The part of a chain that ownership is read from: an embedded document belongs to whom its parent belongs. */
export function owningChain(documentName, chain) {
  return chain.length > 1 && !OWN_COUNTS.has(documentName) ? chain.slice(1) : chain;
}

/**
 * Tell whether a user may create, update or delete a document.
 * @param {object} user Its source.
 * @param {"create"|"update"|"delete"} action
 * @param {object} subject
 * @param {string} subject.documentName
 * @param {Array<object>} subject.chain The document's source first, its ancestors after.
 * @param {object} [subject.changes]
 */
export function mayModify(user, action, { documentName, chain, changes = {} }) {
  if (documentName === "User") return mayModifyUser(user, action, chain[0], changes);
  if (isGM(user)) return true;
  const [source, parent] = chain;
  if (documentName === "ChatMessage") return action === "create" || source.author === user._id;
  if (documentName === "Macro" && action === "create") {
    return source.type === "script" ? hasPermission(user, "MACRO_SCRIPT") : true;
  }
  if (documentName === "Macro") return source.author === user._id || levelOf(user, chain) === OWNERSHIP.OWNER;
  if (documentName === "FogExploration") return source.user === user._id;
  if (["Drawing", "MeasuredTemplate"].includes(documentName)) {
    return action === "create" ? hasPermission(user, CREATE[documentName]) : source.author === user._id;
  }
  if (documentName === "Combat" && action === "update") return Object.keys(changes).every((key) => ["round", "turn", "_id"].includes(key));
  if (action === "create" && CREATE[documentName] && (!parent || documentName !== "Item")) {
    return hasPermission(user, CREATE[documentName]);
  }
  if (!parent && ["Folder", "Setting", "Scene", "Combat", "RollTable"].includes(documentName)) return false;
  return levelOf(user, owningChain(documentName, chain)) === OWNERSHIP.OWNER;
}

function mayModifyUser(user, action, source, changes) {
  if (action !== "update") return user.role === ROLES.GAMEMASTER && source._id !== user._id;
  if (changes.role !== undefined && changes.role > user.role) return false;
  if (user.role === ROLES.GAMEMASTER) return true;
  if (source._id !== user._id) return isGM(user) && source.role < user.role;
  return !("role" in changes) && !("permissions" in changes) && !("name" in changes);
}

/** What is recorded and yet not put back: roles, passwords, sounds that would start, other modules' switches, lost deltas. */

/** @import { Change } from "../../wire.js" */
/** @import { Source } from "../documents.js" */

/** Never, not even when forced. */
const USER_RIGHTS = new Set(["role", "permissions", "password", "passwordSalt"]);

/** Only when forced: they decide what the whole world runs. */
const CONFIGURATION = new Set(["core.moduleConfiguration", "core.permissions"]);

/**
 * Split a document's changes into those to put back and a sentence about the rest.
 * @param {string} documentName
 * @param {Source} source  As it is now.
 * @param {Change[]} changes
 * @param {boolean} force
 * @returns {{ changes: Change[], refused: string|null }}
 */
export function allowedChanges(documentName, source, changes, force) {
  if (documentName === "User") {
    const kept = changes.filter(({ path }) => !USER_RIGHTS.has(path.split(".")[0]));
    return { changes: kept, refused: kept.length < changes.length ? "a user's role and rights are never put back" : null };
  }
  if (documentName === "Token" && source.actorLink && !changes.some(({ path }) => path === "actorLink")) {
    const kept = changes.filter(({ path }) => path.split(".")[0] !== "delta");
    return { changes: kept, refused: kept.length < changes.length ? LINKED : null };
  }
  if (force) return { changes, refused: null };
  if (documentName === "Setting" && CONFIGURATION.has(source.key)) {
    return { changes: [], refused: `the setting ${source.key} is put back only when forced` };
  }
  if (documentName === "Playlist" || documentName === "PlaylistSound") {
    const kept = changes.filter(({ path, before }) => !(path === "playing" && before === true));
    return { changes: kept, refused: kept.length < changes.length ? NOT_PLAYING : null };
  }
  return { changes, refused: null };
}

const LINKED = "it is linked to its actor now: what it had of its own is put back only when it is unlinked";
const NOT_PLAYING = "it does not start to play again unless forced";

/**
 * What a deleted document comes back as.
 * @param {string} documentName
 * @param {Source} data  Changed in place.
 * @param {boolean} force
 * @returns {string|null}  What was left out, as a sentence.
 */
export function tame(documentName, data, force) {
  if (documentName === "User") {
    for (const key of USER_RIGHTS) delete data[key];
    data.role = 0;
    return "a user comes back without role, rights and password";
  }
  if (force || (documentName !== "Playlist" && documentName !== "PlaylistSound")) return null;
  const playing = [data, ...(data.sounds ?? [])].filter((each) => each.playing);
  for (const each of playing) each.playing = false;
  return playing.length ? NOT_PLAYING : null;
}

/** Foundry's document hooks, handed to the recorder. There is no catch-all hook: one listener a name. */

/** @import { Recorder } from "./recorder.js" */

/** Types known to 12, 13 and 14, should the running version not list its own. */
const FALLBACK = Object.freeze([
  "ActiveEffect", "Actor", "ActorDelta", "Adventure", "AmbientLight", "AmbientSound", "Card", "Cards", "ChatMessage",
  "Combat", "Combatant", "CombatantGroup", "Drawing", "Folder", "Item", "JournalEntry", "JournalEntryCategory",
  "JournalEntryPage", "Level", "Macro", "MeasuredTemplate", "Note", "Playlist", "PlaylistSound", "Region",
  "RegionBehavior", "RollTable", "Scene", "Setting", "TableResult", "Tile", "Token", "User", "Wall",
]);

/** Written all the time by everybody's vision; not worth a point, and never restored. */
const EXCLUDED = new Set(["FogExploration"]);

/** @returns {string[]} */
export function recordedTypes() {
  const all = /** @type {readonly string[]|undefined} */ (CONST.ALL_DOCUMENT_TYPES) ?? FALLBACK;
  return all.filter((name) => !EXCLUDED.has(name));
}

/**
 * @param {Recorder} recorder
 * @returns {() => void}  Takes the listeners away again.
 */
export function installHooks(recorder) {
  const hooks = /** @type {any} */ (Hooks);
  /** @type {[string, number][]} */
  const installed = [];
  const on = (/** @type {string} */ name, /** @type {Function} */ listener) => installed.push([name, hooks.on(name, listener)]);
  const [preCreate, preUpdate, preDelete] = [recorder.preCreate, recorder.preUpdate, recorder.preDelete];
  const [didCreate, didUpdate, didDelete] = [recorder.didCreate, recorder.didUpdate, recorder.didDelete];
  for (const name of recordedTypes()) {
    on(`preCreate${name}`, preCreate);
    on(`preUpdate${name}`, preUpdate);
    on(`preDelete${name}`, preDelete);
    on(`create${name}`, didCreate);
    on(`update${name}`, didUpdate);
    on(`delete${name}`, didDelete);
  }
  return () => {
    for (const [name, id] of installed) hooks.off(name, id);
  };
}

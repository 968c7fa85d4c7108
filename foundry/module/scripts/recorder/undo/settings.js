/** World settings go back through Foundry's settings, so that whoever registered them is told. */

/** @import { Change } from "../../wire.js" */
/** @import { FoundryDocument } from "../documents.js" */
import { UNDO_MARK } from "../marks.js";

/**
 * @param {FoundryDocument} setting
 * @param {Change[]} changes
 */
export async function writeSetting(setting, changes) {
  const change = changes.find(({ path }) => path === "value");
  const registered = registration(setting._source.key);
  const isOthers = setting._source.user && setting._source.user !== game.user.id; // 13 keeps settings of users too
  if (!change || !registered || isOthers || typeof change.before !== "string") return; // the second try writes the document
  await settings().set(registered.namespace, registered.key, JSON.parse(change.before), { ...UNDO_MARK });
}

/**
 * A setting that did not exist before: tell its owner the default, then take the document away.
 * @param {FoundryDocument} setting
 */
export async function resetSetting(setting) {
  const registered = registration(setting._source.key);
  if (registered && registered.default !== undefined) {
    await settings().set(registered.namespace, registered.key, registered.default, { ...UNDO_MARK });
  }
  await setting.delete({ ...UNDO_MARK });
}

/** @returns {any} */
function settings() {
  return game.settings;
}

/**
 * @param {string} name  namespace.key
 * @returns {{ namespace: string, key: string, default: unknown }|null}
 */
function registration(name) {
  const found = settings().settings.get(name);
  if (!found) return null;
  const dot = name.indexOf(".");
  return { namespace: found.namespace ?? name.slice(0, dot), key: found.key ?? name.slice(dot + 1), default: found.default };
}

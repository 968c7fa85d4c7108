/**
 * Every world macro, or those called `name` (case does not count), for the Macro
 * Mirror. Reads only.
 * @param {{ name?: string }} params
 * @returns {{ macros: MirroredMacro[] }}
 *
 * @typedef {object} MirroredMacro
 * @property {string} uuid
 * @property {string} name
 * @property {string} command
 * @property {string} folderPath  The names of the macro's folders, outermost first, with `/`.
 * @property {string} img
 * @property {string} type  `script` or `chat`.
 * @property {string} scope
 * @property {string} author  A user id, or empty.
 */
export function mirrorList({ name }) {
  const wanted = name === undefined ? undefined : folded(name);
  const macros = game.macros.contents
    .filter((macro) => wanted === undefined || folded(macro.name) === wanted)
    .map(mirrored);
  return { macros };
}

/**
 * @param {any} macro
 * @returns {MirroredMacro}
 */
function mirrored(macro) {
  const { name, command, img, type, scope, author } = macro._source;
  return {
    uuid: macro.uuid,
    name,
    command: command ?? "",
    folderPath: folderNames(macro.folder).join("/"),
    img: img ?? "",
    type,
    scope: scope ?? "global",
    author: author ?? "",
  };
}

/**
 * @param {any} folder
 * @returns {string[]}
 */
function folderNames(folder) {
  /** @type {string[]} */
  const names = [];
  for (let each = folder; each; each = each.folder) names.unshift(pathPart(each.name));
  return names;
}

/**
 * A folder's name as a part of a path: a slash in it would read as two folders.
 * @param {string} name
 * @returns {string}
 */
export function pathPart(name) {
  return name.replaceAll("/", "\u2215");
}

/**
 * @param {string} name
 * @returns {string}
 */
export function folded(name) {
  return name.normalize("NFC").toLowerCase();
}

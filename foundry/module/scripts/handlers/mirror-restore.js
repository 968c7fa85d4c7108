import { BadParams } from "../errors.js";
import { pathPart } from "./mirror-list.js";

const IMAGE = "icons/svg/dice-target.svg";

/**
 * Write one mirrored macro back: into the macro of that uuid, else into the one macro
 * of that name, else as a new macro. Its name stays. Folders that are missing are made.
 * @param {{ record: MirrorRecord }} params
 * @returns {Promise<{ restored: true, created: boolean, uuid: string, name: string }>}
 * @throws {BadParams} When the record is half one, or several macros bear the name.
 *
 * @typedef {object} MirrorRecord
 * @property {string} uuid
 * @property {string} name
 * @property {string} command
 * @property {string} [folderPath]
 * @property {string} [img]
 * @property {string} [type]  Left as it is when absent (a file of the family).
 * @property {string} [scope]
 * @property {string} [author]
 */
export async function mirrorRestore({ record }) {
  if (typeof record?.uuid !== "string" || typeof record.name !== "string" || typeof record.command !== "string") {
    throw new BadParams("record needs uuid, name and command");
  }
  const folder = await folderAt(record.folderPath ?? "");
  const macro = existing(record);
  if (macro) {
    await macro.update({
      command: record.command,
      img: record.img || macro.img,
      folder,
      ...(record.type ? { type: record.type } : {}),
    });
    return { restored: true, created: false, uuid: macro.uuid, name: macro.name };
  }
  const created = await create(record, folder);
  return { restored: true, created: true, uuid: created.uuid, name: created.name };
}

/**
 * @param {MirrorRecord} record
 * @returns {any}
 */
function existing({ uuid, name }) {
  const byId = uuid.startsWith("Macro.") ? game.macros.get(uuid.slice("Macro.".length)) : undefined;
  if (byId) return byId;
  const wanted = name.normalize("NFC");
  const named = game.macros.contents.filter((macro) => macro.name.normalize("NFC") === wanted);
  if (named.length > 1) {
    const ids = named.map((macro) => macro.id).join(", ");
    throw new BadParams(`the macro is gone and several are called "${name}": ${ids}`);
  }
  return named[0];
}

/**
 * @param {MirrorRecord} record
 * @param {string|null} folder
 * @returns {Promise<any>}
 */
function create({ name, command, img, type, scope, author }, folder) {
  const MacroClass = /** @type {any} */ (getDocumentClass("Macro"));
  return MacroClass.create({
    name,
    command,
    folder,
    img: img || IMAGE,
    type: type || "script",
    scope: scope || "global",
    ...(author && game.users.get(author) ? { author } : {}),
  });
}

/**
 * Find the folder at a path, making what is missing.
 * @param {string} path
 * @returns {Promise<string|null>}  Its id; null for no folder.
 */
async function folderAt(path) {
  const FolderClass = /** @type {any} */ (getDocumentClass("Folder"));
  /** @type {string|null} */
  let parent = null;
  for (const name of path.split("/").filter(Boolean)) {
    parent = childFolder(parent, name) ?? (await FolderClass.create({ name, type: "Macro", folder: parent })).id;
  }
  return parent;
}

/**
 * @param {string|null} parent
 * @param {string} name  As `pathPart` writes it.
 * @returns {string|undefined}  The id of the macro folder of that name in *parent*.
 */
function childFolder(parent, name) {
  return game.folders.contents.find(
    (folder) => folder.type === "Macro" && (folder._source.folder ?? null) === parent && pathPart(folder.name) === name,
  )?.id;
}

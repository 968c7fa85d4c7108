/*
 * Claude Item Forge: makes one item in the world's compendium "claude-items".
 *
 * Changes: one Item there, in the folder that its destination names. The folder, and the compendium itself, are made
 * when they are missing; no rollback removes a compendium. A locked one is unlocked for the moment, which Foundry keeps
 * in a Setting, and locked again.
 * Needs: a world Script macro named exactly "Claude Item Forge" with this text; a GM.
 * Returns: {ok: true, uuid, name, type, pack, folder, warnings} or {ok: false, error}; with duplicate and existing when
 * an item of that name is there already.
 */
const FOLDERS = {
  alchemy: ["Alchemy"],
  "magic-armor": ["Magic Armor"],
  wondrous: ["Wondrous Items"],
  "weapon-simple": ["Weapons", "Simple"],
  "weapon-martial": ["Weapons", "Martial"],
  "weapon-exotic": ["Weapons", "Exotic"],
  "weapon-firearm": ["Weapons", "Firearms"],
  ammo: ["Ammunition"],
};
const MANIFEST = {
  api: "aagm-plugin/1.0",
  name: "Claude Item Forge",
  version: "1.0.0",
  description: "Makes one item from its data and files it into the compendium claude-items.",
  args: {
    type: "object",
    required: ["destination", "itemData"],
    properties: {
      destination: { enum: Object.keys(FOLDERS), description: "Which folder it goes into." },
      itemData: {
        type: "object",
        required: ["name", "type"],
        properties: { name: { type: "string", pattern: "\\S" }, type: { type: "string", minLength: 1 }, img: { type: "string" }, system: { type: "object" } },
        description: "What Item.create takes; id, folder, ownership and the like are left out.",
      },
      allowDuplicate: { type: "boolean", description: "True: make it although one of that name is there." },
    },
    additionalProperties: false,
  },
  writes: ["Item", "Folder", "Setting"],
};
if (!scope || Object.keys(scope).length === 0) return MANIFEST;

const PACK = "world.claude-items";
const LEFT_OUT = ["_id", "folder", "pack", "ownership", "_stats", "sort"];
const failed = (error, more = {}) => ({ ok: false, error, ...more });

const { destination, allowDuplicate = false } = scope;
const warnings = LEFT_OUT.filter((key) => key in scope.itemData).map((key) => `left out: ${key}`);
const data = Object.fromEntries(Object.entries(scope.itemData).filter(([key]) => !LEFT_OUT.includes(key)));
data.name = data.name.trim();

if (!game.user.isGM) return failed("only a GM can forge items");
const types = game.documentTypes.Item.filter((type) => type !== "base");
if (!types.includes(data.type)) return failed(`${game.system.title} has no items of type ${data.type}; it has ${types.join(", ")}`);
if (destination.startsWith("weapon-") && data.type !== "weapon") return failed(`${destination} takes items of type weapon, not ${data.type}`);
const isLocal = (path) => path.startsWith("icons/") || path.startsWith(`systems/${game.system.id}/`);
if (data.img && !isLocal(data.img)) return failed(`the image must lie in icons/ or systems/${game.system.id}/, not at ${data.img.slice(0, 80)}`);
if (/data:image\//i.test(JSON.stringify(data))) return failed("the item holds an embedded image: name a file instead");

let pack = game.packs.get(PACK);
if (!pack) {
  const { CompendiumCollection } = foundry.documents.collections ?? globalThis;
  pack = await CompendiumCollection.createCompendium({ type: "Item", label: "Claude Items", name: "claude-items" });
  warnings.push(`made the compendium ${PACK}, which no rollback removes`);
}
if (pack.documentName !== "Item") return failed(`the compendium ${PACK} holds ${pack.documentName} documents`);
const wanted = data.name.toLowerCase();
const known = [...(await pack.getIndex())].find(({ name }) => name.trim().toLowerCase() === wanted);
if (known && !allowDuplicate) return failed(`${known.name} is in ${PACK} already`, { duplicate: true, existing: known.uuid ?? pack.getUuid(known._id) });

const wasLocked = pack.locked;
if (wasLocked) await pack.configure({ locked: false });
try {
  let folder = null;
  for (const name of FOLDERS[destination]) {
    const parent = folder?.id ?? null;
    folder =
      pack.folders.find((one) => one.name === name && (one.folder?.id ?? null) === parent) ??
      (await getDocumentClass("Folder").create({ name, type: "Item", folder: parent }, { pack: PACK }));
  }
  const made = await getDocumentClass("Item").create({ ...data, folder: folder.id }, { pack: PACK });
  const stored = made && (await fromUuid(made.uuid));
  if (stored?.name !== data.name || stored.type !== data.type) return failed("the item was not stored as it was given", { uuid: made?.uuid });
  return { ok: true, uuid: stored.uuid, name: stored.name, type: stored.type, pack: PACK, folder: FOLDERS[destination].join("/"), warnings };
} finally {
  if (wasLocked) await pack.configure({ locked: true });
}

/*
 * Claude Foe Forge: makes one foe, with its items, where the journal "Claude Foe Forge Config" says.
 *
 * Changes: one Actor in the world or in a compendium; the journal and the folder when they are missing. The journal's
 * first page names the destination: a line "destination: world.actors", or a compendium's id, and, if you like, a line
 * "folder: Claude Foes".
 * Needs: a world Script macro named exactly "Claude Foe Forge" with this text; a GM.
 * Returns: {ok: true, uuid, name, type, destination, folder, items, linkedItems, warnings} or {ok: false, error}; with
 * duplicate and existing when a foe of that name is there already. {action: "config"} returns the destination.
 */
const MANIFEST = {
  api: "aagm-plugin/1.0",
  name: "Claude Foe Forge",
  version: "1.0.0",
  description: "Makes one hostile actor from its data, with items from compendiums added, or says where foes go.",
  args: {
    type: "object",
    properties: {
      action: { enum: ["config"], description: "config: only say where foes go." },
      actorData: {
        type: "object",
        required: ["name", "type"],
        properties: {
          name: { type: "string", pattern: "\\S" },
          type: { type: "string", minLength: 1 },
          img: { type: "string" },
          system: { type: "object" },
          items: { type: "array", items: { type: "object", required: ["name", "type"] } },
          prototypeToken: { type: "object" },
        },
        description: "What Actor.create takes; id, folder, ownership and the like are left out.",
      },
      linkItems: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 100, description: "Uuids of items to add." },
      allowDuplicate: { type: "boolean", description: "True: make it although one of that name is there." },
      allowIconless: { type: "boolean", description: "True: take items without an icon." },
    },
    anyOf: [{ required: ["action"] }, { required: ["actorData"] }],
    additionalProperties: false,
  },
  writes: ["Actor", "Folder", "JournalEntry"],
  modes: ["run", "read"],
};
if (!scope || Object.keys(scope).length === 0) return MANIFEST;

const CONFIG_NAME = "Claude Foe Forge Config";
const WORLD = "world.actors";
const FOLDER = "Claude Foes";
const LEFT_OUT = ["_id", "folder", "pack", "ownership", "_stats", "sort"];
const BLANK = { actor: "icons/svg/mystery-man.svg", item: "icons/svg/item-bag.svg" };
const failed = (error, more = {}) => ({ ok: false, error, ...more });
const isRemote = (path) => /^(?:[a-z]+:)?\/\//i.test(path) || /^data:/i.test(path);

if (!game.user.isGM) return failed("only a GM can forge foes");
const journal = game.journal.getName(CONFIG_NAME);
const lines = (journal?.pages.contents[0]?.text?.content ?? "").replace(/<[^>]*>/g, "\n").split("\n");
const lineOf = (key) => lines.map((line) => line.trim()).find((line) => line.toLowerCase().startsWith(`${key}:`))?.slice(key.length + 1).trim();
const destination = lineOf("destination") || WORLD;
const folderName = lineOf("folder") || FOLDER;
if (scope.action === "config") return { ok: true, destination, folder: folderName, journal: journal?.uuid ?? null };
if (scope.mode === "read" || !scope.actorData) return failed('only action "config" reads');

const pack = destination === WORLD ? null : game.packs.get(destination);
if (destination !== WORLD && pack?.documentName !== "Actor") return failed(`${CONFIG_NAME} names ${destination}, which is no compendium of actors`);
if (pack?.locked) return failed(`the compendium ${destination} is locked: unlock it, or name another in ${CONFIG_NAME}`);

const warnings = LEFT_OUT.filter((key) => key in scope.actorData).map((key) => `left out: ${key}`);
const data = Object.fromEntries(Object.entries(scope.actorData).filter(([key]) => !LEFT_OUT.includes(key)));
data.name = data.name.trim();
const types = game.documentTypes.Actor.filter((type) => !["base", "character"].includes(type));
if (!types.includes(data.type)) return failed(`a foe is no ${data.type}: ${game.system.title} has ${types.join(", ")}`);
if (!data.img || data.img === BLANK.actor) return failed("the foe has no portrait: give img");
const linked = await Promise.all((scope.linkItems ?? []).map((uuid) => fromUuid(uuid).catch(() => null)));
const lost = (scope.linkItems ?? []).filter((_, i) => linked[i]?.documentName !== "Item");
if (lost.length) return failed(`no items of these uuids: ${lost.slice(0, 10).join(", ")}`);

const ofLink = (item) => {
  const source = Object.entries(item.toObject()).filter(([key]) => !LEFT_OUT.includes(key));
  return { ...Object.fromEntries(source), _stats: { compendiumSource: item.uuid } };
};
const items = [...(data.items ?? []), ...linked.map(ofLink)];
const images = [data.img, data.prototypeToken?.texture?.src, ...items.map(({ img }) => img)].filter(Boolean);
const remote = images.find(isRemote);
if (remote) return failed(`an image must be a file of this Foundry, not ${remote.slice(0, 80)}`);
const iconless = items.filter(({ img }) => !img || img === BLANK.item).map(({ name }) => name);
if (iconless.length && !scope.allowIconless) return failed(`items without an icon: ${iconless.slice(0, 10).join(", ")}`, { iconless });

const wanted = data.name.toLowerCase();
const all = pack ? [...(await pack.getIndex())] : game.actors.contents;
const known = all.find(({ name }) => name.trim().toLowerCase() === wanted);
if (known && !scope.allowDuplicate) return failed(`${known.name} is in ${destination} already`, { duplicate: true, existing: known.uuid ?? pack.getUuid(known._id) });

if (!journal) {
  const content = `<p>destination: ${WORLD}</p><p>folder: ${FOLDER}</p>`;
  await getDocumentClass("JournalEntry").create({ name: CONFIG_NAME, pages: [{ name: "Destination", type: "text", text: { content, format: 1 } }] });
  warnings.push(`made the journal ${CONFIG_NAME}: it says where foes go`);
}
const options = pack ? { pack: destination } : {};
const folders = pack ? pack.folders : game.folders.filter(({ type }) => type === "Actor");
const folder =
  folders.find(({ name }) => name === folderName) ??
  (await getDocumentClass("Folder").create({ name: folderName, type: "Actor" }, options));

const { OWNER_HOVER } = CONST.TOKEN_DISPLAY_MODES;
const token = {
  name: data.name,
  disposition: CONST.TOKEN_DISPOSITIONS.HOSTILE,
  actorLink: false,
  displayName: OWNER_HOVER,
  displayBars: OWNER_HOVER,
  texture: { src: data.img },
  ...data.prototypeToken,
};
const made = await getDocumentClass("Actor").create({ ...data, items, prototypeToken: token, folder: folder.id }, options);
const stored = made && (await fromUuid(made.uuid));
if (stored?.name !== data.name || stored.items.size < items.length) return failed("the foe was not stored as it was given", { uuid: made?.uuid });
if (stored.items.size > items.length) warnings.push(`the system added ${stored.items.size - items.length} items of its own`);
return {
  ok: true,
  uuid: stored.uuid,
  name: stored.name,
  type: stored.type,
  destination,
  folder: folder.name,
  items: stored.items.size,
  linkedItems: linked.length,
  warnings,
};

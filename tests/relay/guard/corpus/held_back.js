//# name and hit points of every actor in the party folder
const party = game.folders.find(f => f.name === "Party" && f.type === "Actor");
return party.contents.map(a => {
  const hp = a.system.attributes.hp;
  return { name: a.name, hp: `${hp.value}/${hp.max}`, hurt: hp.value < hp.max };
});
//# actors that are down
return game.actors.filter(a => (a.system?.attributes?.hp?.value ?? 1) <= 0).map(a => a.name);
//# highest challenge rating
const npcs = game.actors.filter(a => a.type === "npc");
let best = null;
for (const npc of npcs) {
  const cr = Number(npc.system.details?.cr?.total ?? npc.system.details?.cr ?? 0);
  if (!best || cr > best.cr) best = { name: npc.name, cr };
}
return best;
//# all item types with their counts
const counts = {};
for (const item of game.items) {
  counts[item.type] = (counts[item.type] || 0) + 1;
}
return counts;
//# items grouped by type with reduce
return game.items.reduce((acc, item) => {
  acc[item.type] ??= [];
  acc[item.type].push(item.name);
  return acc;
}, {});
//# the journal page that mentions the innkeeper
const needle = "innkeeper";
const hits = [];
for (const entry of game.journal) {
  for (const page of entry.pages) {
    const text = page.text?.content ?? "";
    if (text.toLowerCase().includes(needle)) {
      hits.push({ entry: entry.name, page: page.name, at: text.toLowerCase().indexOf(needle) });
    }
  }
}
return hits;
//# search the spell compendium by index
const pack = game.packs.get("pf1.spells");
const index = await pack.getIndex({ fields: ["system.school", "system.learnedAt"] });
return index.filter(e => e.system?.school === "evo").slice(0, 20).map(e => ({ id: e._id, name: e.name }));
//# load two documents from a pack
const pack = game.packs.get("pf1.weapons-and-ammo");
const docs = await pack.getDocuments({ name__in: ["Longsword", "Dagger"] });
return docs.map(d => d.toObject());
//# look through every item pack for a name
const found = [];
for (const pack of game.packs.filter(p => p.documentName === "Item")) {
  const index = await pack.getIndex();
  const match = index.find(i => i.name.toLowerCase() === "cloak of resistance");
  if (match) found.push({ pack: pack.collection, uuid: match.uuid ?? `Compendium.${pack.collection}.${match._id}` });
}
return found;
//# look through packs in parallel
const packs = game.packs.filter(p => p.metadata.type === "Actor");
const results = await Promise.all(packs.map(async p => {
  const idx = await p.getIndex();
  return [p.metadata.label, idx.size];
}));
return Object.fromEntries(results);
//# resolve one uuid
const doc = await fromUuid("Actor.abc123.Item.def456");
return doc ? { name: doc.name, parent: doc.parent?.name } : null;
//# resolve several uuids and keep what exists
const uuids = ["Actor.aaa", "Item.bbb", "JournalEntry.ccc"];
const docs = await Promise.all(uuids.map(u => fromUuid(u)));
return docs.filter(Boolean).map(d => ({ uuid: d.uuid, type: d.documentName, name: d.name }));
//# tokens on the active scene with distances
const scene = game.scenes.active;
const [first, ...others] = scene.tokens.contents;
return others.map(t => {
  const dx = (t.x - first.x) / scene.grid.size;
  const dy = (t.y - first.y) / scene.grid.size;
  return { name: t.name, squares: Math.round(Math.hypot(dx, dy) * 10) / 10 };
});
//# which tokens are selected
return canvas.tokens.controlled.map(t => ({ id: t.id, actor: t.actor?.name, elevation: t.document.elevation }));
//# measure between two tokens
const a = canvas.tokens.placeables.find(t => t.name === "Mira");
const b = canvas.tokens.placeables.find(t => t.name === "Toll Ogre");
if (!a || !b) return { error: "not on this scene" };
return canvas.grid.measurePath([a.center, b.center]).distance;
//# inventory weight and value
const actor = game.actors.getName("Mira");
const carried = actor.items.filter(i => i.system.carried !== false && i.system.quantity > 0);
const weight = carried.reduce((sum, i) => sum + (i.system.weight?.value ?? 0) * i.system.quantity, 0);
const value = carried.reduce((sum, i) => sum + (Number(i.system.price) || 0) * i.system.quantity, 0);
return { count: carried.length, weight: weight.toFixed(2), value };
//# sorted initiative list from a copy
return [...game.combat.combatants]
  .sort((a, b) => (b.initiative ?? -99) - (a.initiative ?? -99))
  .map((c, i) => `${i + 1}. ${c.name} (${c.initiative ?? "-"})`)
  .join("\n");
//# who is online
return game.users.filter(u => u.active).map(u => ({ name: u.name, gm: u.isGM, character: u.character?.name ?? null }));
//# module list with versions
return game.modules.filter(m => m.active).map(m => ({ id: m.id, title: m.title, version: m.version }));
//# does a module exist and is it recent enough
const mod = game.modules.get("item-piles");
if (!mod?.active) return "not active";
return foundry.utils.isNewerVersion(mod.version, "3.0.0") ? "new enough" : `old: ${mod.version}`;
//# a setting with a fallback
let unit;
try {
  unit = game.settings.get("pf1", "units");
} catch (err) {
  unit = "imperial";
}
return unit;
//# flags of a document
const actor = game.actors.getName("Mira");
return { all: actor.flags, wound: actor.getFlag("world", "wound") ?? "none" };
//# roll some dice without telling anyone
const roll = await new Roll("4d6kh3").evaluate();
return { total: roll.total, dice: roll.dice.map(d => d.results.map(r => r.result)) };
//# six ability rolls
const rolls = [];
for (let i = 0; i < 6; i++) {
  const r = new Roll("4d6dl1");
  await r.evaluate();
  rolls.push(r.total);
}
return rolls.sort((a, b) => b - a);
//# a formula with the actor's data
const actor = game.actors.get("a1b2c3d4e5f6g7h8");
const r = await Roll.create("1d20 + @abilities.str.mod", actor.getRollData()).evaluate();
return `${r.formula} = ${r.total}`;
//# flatten system data and look for a path
const flat = foundry.utils.flattenObject(game.actors.getName("Mira").toObject().system);
return Object.keys(flat).filter(k => /hp|wound/i.test(k)).sort();
//# difference between two actors
const [a, b] = ["Mira", "Mira (copy)"].map(n => game.actors.getName(n)?.toObject());
return foundry.utils.diffObject(a, b);
//# what keys a document has
const item = game.items.contents[0];
return { keys: Object.keys(item), own: Object.keys(item.system), cls: item.constructor.name };
//# methods an actor offers
const actor = game.actors.contents[0];
const proto = Object.getPrototypeOf(actor);
return Object.getOwnPropertyNames(proto).filter(n => n.startsWith("roll"));
//# configuration of conditions
return Object.entries(CONFIG.PF1.conditions ?? {}).map(([id, label]) => ({ id, label }));
//# status effects as ids
const list = Array.isArray(CONFIG.statusEffects) ? CONFIG.statusEffects : Object.values(CONFIG.statusEffects);
return list.map(e => e.id);
//# active effects on an actor, with a Map
const byOrigin = new Map();
for (const effect of game.actors.getName("Mira").effects) {
  const list = byOrigin.get(effect.origin) ?? [];
  list.push(effect.name ?? effect.label);
  byOrigin.set(effect.origin, list);
}
return Object.fromEntries(byOrigin);
//# unique languages of the party with a Set
const langs = new Set();
game.users.players.forEach(u => u.character?.system.traits?.languages?.value?.forEach(l => langs.add(l)));
langs.delete("common");
return [...langs].sort();
//# set difference of two inventories
const names = actor => new Set(actor.items.map(i => i.name));
const mine = names(game.actors.getName("Mira"));
const theirs = names(game.actors.getName("Odo"));
const only = [];
mine.forEach(n => { if (!theirs.has(n)) only.push(n); });
return only;
//# a local function called update
const update = (row, key, value) => ({ ...row, [key]: value });
let row = { name: "Sunken Inn" };
row = update(row, "rooms", 7);
row = update(row, "open", true);
return row;
//# comments that speak of deleting
// actor.delete() would remove the actor; we only want to look.
/* doc.update({ name: "x" }) is not called here */
return game.actors.size;
//# hp compared in many ways
const { hp } = game.actors.getName("Odo").system.attributes;
return {
  low: hp.value <= 5,
  exact: hp.value === 5,
  dead: hp.value < 0,
  not: hp.value != hp.max,
  ratio: hp.max ? hp.value / hp.max : 0,
};
//# a class for tidy rows
class Row {
  #total = 0;
  constructor(name) { this.name = name; this.parts = []; }
  add(n) { this.#total += n; this.parts.push(n); return this; }
  get total() { return this.#total; }
  toJSON() { return { name: this.name, total: this.total }; }
}
const rows = game.actors.map(a => a.items.reduce((r, i) => r.add(i.system.quantity ?? 1), new Row(a.name)));
return rows.map(r => r.toJSON());
//# dates
const now = new Date();
return { iso: now.toISOString(), day: now.toLocaleDateString("en-GB", { weekday: "long" }), world: game.time.worldTime };
//# world time as days and hours
const t = game.time.worldTime;
const days = Math.floor(t / 86400), hours = Math.floor((t % 86400) / 3600);
return `day ${days}, ${String(hours).padStart(2, "0")}:00`;
//# number format
const fmt = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
return game.actors.map(a => fmt.format(a.system.details?.xp?.value ?? 0));
//# strip the markup from a page
const page = game.journal.getName("The Sunken Inn").pages.contents[0];
return page.text.content.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ").trim().slice(0, 500);
//# all links in a journal
const entry = game.journal.getName("Rumours");
const links = entry.pages.map(p => [...(p.text.content ?? "").matchAll(/@UUID\[([^\]]+)\]/g)].map(m => m[1])).flat();
return [...new Set(links)];
//# JSON round trip
const copy = JSON.parse(JSON.stringify(game.actors.getName("Mira").toObject()));
delete copy._id;
copy.name = `${copy.name} (draft)`;
copy.items = copy.items.filter(i => i.type !== "spell");
return copy;
//# scene walls by kind
const s = canvas.scene;
const doors = s.walls.filter(w => w.door > 0);
return { walls: s.walls.size, doors: doors.length, locked: doors.filter(d => d.ds === CONST.WALL_DOOR_STATES.LOCKED).length };
//# lights that burn bright
return canvas.scene.lights.filter(l => l.config.bright > 20).map(l => ({ id: l.id, bright: l.config.bright, dim: l.config.dim }));
//# scenes and their sizes
return game.scenes.map(s => ({ id: s.id, name: s.name, w: s.width ?? s.dimensions.width, h: s.height, active: s.active, tokens: s.tokens.size }));
//# playlists that play
return game.playlists.playing.map(p => ({ name: p.name, sounds: p.sounds.filter(s => s.playing).map(s => s.name) }));
//# roll table results
const table = game.tables.getName("Tavern Talk");
return table.results.map(r => ({ range: r.range, text: r.text ?? r.name, weight: r.weight }));
//# macros by author
const out = {};
game.macros.forEach(m => {
  const who = m.author?.name ?? "nobody";
  (out[who] = out[who] || []).push(m.name);
});
return out;
//# macro text
const m = game.macros.getName("Long Rest");
return m?.command.split("\n").length;
//# last chat messages
return game.messages.contents.slice(-10).map(m => ({ who: m.speaker?.alias ?? m.author?.name, text: m.content.replace(/<[^>]*>/g, "") }));
//# folder tree
const tree = folder => ({
  name: folder.name,
  count: folder.contents.length,
  children: folder.children?.map(c => tree(c.folder)) ?? [],
});
return game.folders.filter(f => f.type === "Item" && !f.folder).map(tree);
//# ownership of actors
const levels = Object.entries(CONST.DOCUMENT_OWNERSHIP_LEVELS);
return game.actors.map(a => ({
  name: a.name,
  owners: game.users.filter(u => !u.isGM && a.testUserPermission(u, "OWNER")).map(u => u.name),
  level: levels.find(([, v]) => v === a.ownership.default)?.[0],
}));
//# a switch over types
function icon(type) {
  switch (type) {
    case "weapon": return "sword";
    case "equipment":
    case "armor": return "shield";
    case "spell": return "wand";
    default: return "bag";
  }
}
return game.items.map(i => `${icon(i.type)} ${i.name}`);
//# a generator over all owned items
function* allItems() {
  for (const actor of game.actors) for (const item of actor.items) yield { actor, item };
}
const magic = [];
for (const { actor, item } of allItems()) if (item.system.magic) magic.push(`${actor.name}: ${item.name}`);
return magic;
//# while loop with a budget
const queue = [game.actors.getName("Mira").toObject().system];
const paths = [];
while (queue.length && paths.length < 100) {
  const next = queue.shift();
  for (const [k, v] of Object.entries(next)) {
    if (v && typeof v === "object" && !Array.isArray(v)) queue.push(v);
    else paths.push(k);
  }
}
return paths;
//# recursive find of a key
const results = [];
const visit = (obj, path, depth) => {
  if (!obj || typeof obj !== "object" || depth > 5) return;
  for (const key of Object.keys(obj)) {
    const p = path ? `${path}.${key}` : key;
    if (key.includes("init")) results.push(p);
    visit(obj[key], p, depth + 1);
  }
};
visit(game.actors.getName("Mira").system, "", 0);
return results;
//# optional chains everywhere
return game.combat?.combatant?.actor?.system?.attributes?.ac?.normal?.total ?? "no combat";
//# combat round and turn
const c = game.combat;
if (!c) return "no combat";
return { round: c.round, turn: c.turn, current: c.combatant?.name, next: c.turns[(c.turn + 1) % c.turns.length]?.name };
//# average level
const pcs = game.actors.filter(a => a.hasPlayerOwner && a.type === "character");
const levels = pcs.map(a => a.system.details.level.value ?? a.system.details.level);
return levels.length ? levels.reduce((a, b) => a + b, 0) / levels.length : 0;
//# min and max with spread
const hps = game.actors.map(a => a.system.attributes?.hp?.max ?? 0);
return { min: Math.min(...hps), max: Math.max(...hps) };
//# destructure with defaults and renames
const { name, system: { abilities: { str: { total: strength = 10 } = {} } = {} } = {} } = game.actors.getName("Odo");
return { name, strength };
//# spells by level
const spells = game.actors.getName("Mira").items.filter(i => i.type === "spell");
const byLevel = Object.groupBy(spells, s => s.system.level);
return Object.entries(byLevel).map(([lvl, list]) => `${lvl}: ${list.map(s => s.name).join(", ")}`);
//# sort names with a collator
const collator = new Intl.Collator("de");
return game.items.map(i => i.name).sort(collator.compare);
//# case-insensitive lookup
const wanted = "mira".toLowerCase();
const hit = game.actors.find(a => a.name.trim().toLowerCase() === wanted);
return hit ? hit.uuid : null;
//# compare against a list
const names = ["Mira", "Odo", "Pell"];
const missing = names.filter(n => !game.actors.getName(n));
const present = names.filter(n => !missing.includes(n));
return { missing, present };
//# token and its synthetic actor
const t = canvas.scene.tokens.find(t => !t.actorLink && t.actor);
return { token: t?.name, base: t?.baseActor?.name, delta: t?.delta?.toObject() };
//# error thrown on purpose
const actor = game.actors.getName("Nobody");
if (!actor) throw new Error("there is no actor called Nobody");
return actor.id;
//# log while looking
for (const a of game.actors) {
  console.log(a.name, a.type);
}
console.table?.(game.actors.map(a => [a.name, a.id]));
return "see console";
//# does a page render html
const page = game.journal.getName("Rumours").pages.contents.at(-1);
const html = await TextEditor.enrichHTML(page.text.content, { async: true });
return html.length;
//# world and system facts
return {
  world: game.world.title, system: `${game.system.id} ${game.system.version}`, foundry: game.version ?? game.data.version,
  lang: game.i18n.lang, users: game.users.size, packs: game.packs.size,
};
//# translation
return ["DOCUMENT.Actor", "DOCUMENT.Item"].map(k => game.i18n.localize(k));
//# translation with data
return game.i18n.format("PF1.LevelLabel", { level: 3 });
//# folder of packs
return game.packs.map(p => `${p.collection} (${p.documentName}) ${p.locked ? "locked" : "open"} in ${p.folder?.name ?? "-"}`).join("\n");
//# wait a moment and look again
const before = game.messages.size;
await new Promise(resolve => setTimeout(resolve, 500));
return game.messages.size - before;
//# labelled loop
let found = null;
outer: for (const actor of game.actors) {
  for (const item of actor.items) {
    if (item.name === "Rusty Key") { found = { actor: actor.name, id: item.id }; break outer; }
  }
}
return found;
//# do while
let n = 1, steps = 0;
do { n *= 2; steps++; } while (n < game.actors.size);
return steps;
//# bit masks
const mask = 0b0110;
return game.users.map(u => ({ name: u.name, bits: (u.role & mask) >>> 1, not: ~u.role }));
//# string building
let text = "";
for (const item of game.actors.getName("Odo").items) {
  if (text) text += ", ";
  text += item.name + (item.system.quantity > 1 ? " ×" + item.system.quantity : "");
}
return text || "nothing";
//# an async helper
async function countIn(packId) {
  const pack = game.packs.get(packId);
  if (!pack) return 0;
  const index = await pack.getIndex();
  return index.size;
}
const total = (await countIn("pf1.items")) + (await countIn("pf1.feats"));
return { total };
//# pick some fields
const pick = (obj, ...keys) => Object.fromEntries(keys.filter(k => k in obj).map(k => [k, obj[k]]));
return game.actors.map(a => pick(a.toObject(), "name", "type", "img"));
//# group by function parameter
const groupBy = (list, fn) => {
  const groups = {};
  for (const x of list) {
    const key = fn(x);
    if (!groups[key]) groups[key] = [];
    groups[key].push(x.name);
  }
  return groups;
};
return groupBy(game.actors.contents, a => a.type);
//# count with a predicate parameter
const count = pred => game.actors.filter(pred).length;
return { npcs: count(a => a.type === "npc"), pcs: count(a => a.hasPlayerOwner) };
//# deep path by string
const path = "system.attributes.hp.value";
return game.actors.map(a => [a.name, foundry.utils.getProperty(a, path)]);
//# merged defaults
const options = foundry.utils.mergeObject({ limit: 5, type: "npc" }, { limit: 3 });
return game.actors.filter(a => a.type === options.type).slice(0, options.limit).map(a => a.name);
//# clone and change a copy
const data = foundry.utils.deepClone(game.actors.getName("Mira").toObject());
data.system.attributes.hp.value = 1;
data.items.push({ name: "Test", type: "loot" });
return data.items.length;
//# duplicates by name
const seen = new Map();
for (const a of game.actors) seen.set(a.name, (seen.get(a.name) ?? 0) + 1);
return [...seen].filter(([, n]) => n > 1);
//# first letter index
return [...new Set(game.actors.map(a => a.name[0]?.toUpperCase() ?? "?"))].sort().join("");
//# random pick
const list = game.actors.filter(a => a.type === "npc");
const one = list[Math.floor(Math.random() * list.length)];
return one?.name;
//# hit points as bars
return game.actors.map(a => {
  const hp = a.system.attributes?.hp;
  if (!hp?.max) return null;
  const filled = Math.max(0, Math.min(10, Math.round((hp.value / hp.max) * 10)));
  return `${a.name.padEnd(20)} ${"#".repeat(filled)}${".".repeat(10 - filled)}`;
}).filter(x => x !== null);
//# armour class with nullish and logical
const a = game.actors.getName("Mira");
const ac = a.system.attributes.ac;
const total = ac?.normal?.total ?? ac?.value ?? (ac && ac.max) ?? 10;
return { total, flat: !!ac?.flatFooted, ok: total >= 10 && total <= 40 };
//# who targets what
return game.users.map(u => ({ user: u.name, targets: Array.from(u.targets ?? []).map(t => t.name) }));
//# sight
const t = canvas.tokens.placeables[0];
return { sight: t.document.sight, light: t.document.light?.dim, visible: t.visible, vision: t.hasSight };
//# spread of system data with a change of the copy
const src = { ...game.items.getName("Dagger").toObject(), name: "Silver Dagger" };
src.system = { ...src.system, price: src.system.price * 2 };
return src;
//# symbols and typeof
return { fn: typeof game.actors.get, und: typeof notThere, sym: Symbol.iterator in game.actors };
//# tagged raw
return String.raw`C:\temp\${game.world.id}`;
//# bigints and regex groups
const m = "rp-0a1b2c".match(/^rp-(?<hex>[0-9a-f]{6})$/u);
return { hex: BigInt("0x" + m.groups.hex).toString(), ok: m.index === 0 };
//# url parts
const url = new URL(game.actors.getName("Mira").img, "http://localhost:30000/");
return { path: url.pathname, file: url.pathname.split("/").pop() };
//# token images missing
return game.actors.filter(a => !a.prototypeToken?.texture?.src || a.prototypeToken.texture.src.includes("mystery-man")).map(a => a.name);
//# compendium folders by document
const folders = game.packs.get("world.bestiary")?.folders?.map(f => f.name) ?? [];
return folders.toSorted();
//# item links to compendium
return game.actors.getName("Odo").items.map(i => i._stats?.compendiumSource ?? i.flags?.core?.sourceId ?? null).filter(s => s);
//# damage formulas
const weapons = game.actors.getName("Odo").itemTypes?.weapon ?? [];
return weapons.map(w => ({
  name: w.name,
  parts: w.system.actions?.map(a => a.damage?.parts?.map(p => Array.isArray(p) ? p[0] : p.formula)) ?? [],
}));
//# flatMap over actions
return game.actors.contents.flatMap(a => a.items.contents).filter(i => i.type === "weapon").length;
//# pages in order from a copy
const pages = Array.from(game.journal.getName("The Sunken Inn").pages).sort((a, b) => a.sort - b.sort);
return pages.map(p => ({ name: p.name, level: p.title?.level, sort: p.sort }));
//# permission of the current user
return { can: game.user.can("FILES_UPLOAD"), role: game.user.role, has: game.user.hasRole("ASSISTANT") };
//# keybindings read
return game.keybindings.get("core", "pause");
//# setting definitions of a system
const mine = [...game.settings.settings.values()].filter(s => s.namespace === "pf1");
return mine.map(s => ({ key: s.key, scope: s.scope, default: s.default }));
//# await in a loop with continue
const names = [];
for (const id of ["world.bestiary", "world.loot", "world.missing"]) {
  const pack = game.packs.get(id);
  if (!pack) continue;
  const docs = await pack.getDocuments();
  names.push(...docs.map(d => d.name));
}
return names.slice(0, 50);
//# document from a pack by name
const pack = game.packs.get("pf1.spells");
await pack.getIndex();
const e = pack.index.getName("Fireball");
const doc = await pack.getDocument(e._id);
return { name: doc.name, text: doc.system.description?.value?.length ?? 0 };
//# combat difficulty
const xp = { 1: 400, 2: 600, 3: 800 };
return game.combat?.combatants.reduce((sum, c) => sum + (xp[c.actor?.system.details?.cr?.total] ?? 0), 0) ?? 0;
//# iife that returns an object
return (() => {
  const actors = game.actors.size, items = game.items.size;
  return { actors, items, total: actors + items };
})();
//# async iife
return await (async () => {
  const d = await fromUuid("Item.abc");
  return d?.name ?? "gone";
})();
//# void, comma, in, instanceof
const a = game.actors.contents[0];
const b = (1, a);
return [b instanceof Actor, "items" in b, void 0 === undefined, a?.items instanceof Map];
//# regions and behaviours
return canvas.scene.regions?.map(r => ({ name: r.name, behaviors: r.behaviors.map(b => b.type), shapes: r.shapes.length })) ?? [];
//# object with computed keys and a method
const report = {
  actors: game.actors.size,
  [`items_${game.system.id}`]: game.items.size,
  describe() { return `${this.actors} actors`; },
};
return report.describe();
//# weak spots by resistances
const rows = game.actors.map(({ name, system }) => [name, system.traits?.dr ?? "", system.traits?.eres ?? ""]);
const width = Math.max(...rows.map(([n]) => n.length), 4);
return rows.map(r => r.map((c, i) => i ? c : String(c).padEnd(width)).join(" | ")).join("\n");

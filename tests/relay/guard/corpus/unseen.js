//# one-liner count
game.actors.size
//# one-liner map without return
game.actors.map(a => a.name)
//# list everything in one go
return { actors: game.actors.map(a => `${a.id} ${a.name}`), items: game.items.map(i => `${i.id} ${i.name}`), scenes: game.scenes.map(s => s.name) };
//# json string of one actor
JSON.stringify(game.actors.getName("Mira").toObject(), null, 2).slice(0, 20000)
//# dnd5e sheet numbers
const a = game.actors.getName("Mira");
const s = a.system;
return {
  level: s.details.level, prof: s.attributes.prof,
  ac: s.attributes.ac.value, hp: `${s.attributes.hp.value} / ${s.attributes.hp.max} (+${s.attributes.hp.temp || 0})`,
  saves: Object.fromEntries(Object.entries(s.abilities).map(([k, v]) => [k, v.save?.value ?? v.save])),
  skills: Object.entries(s.skills).filter(([, v]) => v.value > 0).map(([k]) => CONFIG.DND5E.skills[k].label),
  slots: Object.entries(s.spells).map(([k, v]) => `${k}: ${v.value}/${v.max}`),
};
//# dnd5e prepared spells
const actor = game.user.character ?? canvas.tokens.controlled[0]?.actor;
if (!actor) return "nobody selected";
const prepared = actor.items
  .filter(i => i.type === "spell" && (i.system.preparation?.prepared || i.system.preparation?.mode === "always"))
  .sort((a, b) => a.system.level - b.system.level || a.name.localeCompare(b.name));
return prepared.map(i => ({ lvl: i.system.level, name: i.name, school: i.system.school }));
//# pf2e perception
return canvas.tokens.placeables.filter(t => t.actor?.type === "character").map(t => ({ n: t.name, p: t.actor.perception?.mod, hp: t.actor.hitPoints?.value }));
//# pf1 attack bonuses
const act = game.actors.getName("Odo");
const rd = act.getRollData();
const out = [];
for (const w of act.items.filter(i => i.type === "weapon" || i.type === "attack")) {
  for (const action of w.actions ?? w.system.actions ?? []) {
    out.push({ weapon: w.name, action: action.name, enh: action.enh?.value ?? w.system.enh ?? 0, bab: rd.attributes?.bab?.total });
  }
}
return out;
//# pf1 buffs that are on
return game.actors.getName("Odo").items.filter(i => i.type === "buff" && i.system.active).map(b => ({ name: b.name, rounds: b.system.duration?.value, changes: b.system.changes?.map(c => `${c.target ?? c.subTarget}: ${c.formula}`) }));
//# which class has which level
let result = "";
game.actors.filter(a => a.type === "character").forEach(function (a) {
  var classes = a.items.filter(function (i) { return i.type === "class"; });
  result += a.name + ": " + classes.map(function (c) { return c.name + " " + c.system.level; }).join(", ") + "\n";
});
return result;
//# encumbrance table
const bands = [["light", 1 / 3], ["medium", 2 / 3], ["heavy", 1]];
const rows = [];
for (let i = 0; i < game.actors.contents.length; i++) {
  const actor = game.actors.contents[i];
  const max = actor.system.attributes?.encumbrance?.levels?.heavy ?? 0;
  const carried = actor.system.attributes?.encumbrance?.carriedWeight ?? 0;
  if (!max) continue;
  const band = bands.find(([, share]) => carried <= max * share)?.[0] ?? "over";
  rows.push([actor.name, carried, max, band]);
}
return rows;
//# treasure in coins
const worth = { pp: 10, gp: 1, sp: 0.1, cp: 0.01 };
const total = game.actors.filter(a => a.hasPlayerOwner).reduce((sum, a) => {
  const c = a.system.currency ?? {};
  for (const k in worth) sum += (c[k] ?? 0) * worth[k];
  return sum;
}, 0);
return Math.round(total * 100) / 100 + " gp";
//# how long is each journal page
const lengths = game.journal.contents.flatMap(j => j.pages.contents.map(p => ({ j: j.name, p: p.name, n: p.text?.content?.length ?? 0 })));
lengths.sort((a, b) => b.n - a.n);
return lengths.slice(0, 10);
//# broken links in journals
const broken = [];
for (const j of game.journal) {
  for (const p of j.pages) {
    const uuids = Array.from((p.text?.content || "").matchAll(/@UUID\[(.+?)\]/g), m => m[1]);
    for (const u of uuids) {
      let ok = false;
      try { ok = !!(await fromUuid(u)); } catch { ok = false; }
      if (!ok) broken.push({ page: `${j.name} / ${p.name}`, uuid: u });
    }
  }
}
return { count: broken.length, first: broken.slice(0, 25) };
//# plain text of a page through a parser
const page = game.journal.getName("The Sunken Inn")?.pages.getName("Cellar");
if (!page) return null;
const doc = new DOMParser().parseFromString(page.text.content, "text/html");
const paragraphs = [...doc.querySelectorAll("p, li")].map(n => n.textContent.trim()).filter(Boolean);
return paragraphs;
//# a table of secrets
const doc = new DOMParser().parseFromString(game.journal.getName("Rumours").pages.contents[0].text.content, "text/html");
const rows = Array.from(doc.querySelectorAll("tr"));
return rows.map(tr => Array.from(tr.children).map(td => td.innerText || td.textContent));
//# compare two versions of an item
const mine = game.items.getName("Ring of the Tide")?.toObject();
const theirs = (await game.packs.get("world.loot").getDocuments()).find(d => d.name === "Ring of the Tide")?.toObject();
const diff = foundry.utils.diffObject(theirs ?? {}, mine ?? {});
delete diff._id; delete diff._stats;
return foundry.utils.isEmpty(diff) ? "same" : foundry.utils.flattenObject(diff);
//# fuzzy name search
const distance = (a, b) => {
  const d = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) d[0][j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      d[i][j] = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
  }
  return d[a.length][b.length];
};
const want = "mirra";
return game.actors.map(a => ({ name: a.name, d: distance(want, a.name.toLowerCase()) })).sort((x, y) => x.d - y.d).slice(0, 3);
//# cache with a closure
const cache = new Map();
const lookup = async uuid => {
  if (cache.has(uuid)) return cache.get(uuid);
  const doc = await fromUuid(uuid);
  cache.set(uuid, doc);
  return doc;
};
const names = [];
for (const u of ["Actor.a", "Actor.b", "Actor.a"]) names.push((await lookup(u))?.name);
return { names, size: cache.size };
//# a queue class
class Queue {
  constructor() { this.items = []; }
  push(x) { this.items.push(x); }
  pop() { return this.items.shift(); }
  get size() { return this.items.length; }
}
const q = new Queue();
for (const f of game.folders) if (!f.folder) q.push(f);
const order = [];
while (q.size) {
  const f = q.pop();
  order.push(f.name);
  for (const child of f.children) q.push(child.folder);
}
return order;
//# a stack walk over nested folders
const stack = game.folders.filter(f => f.type === "JournalEntry" && f.depth === 1);
const lines = [];
while (stack.length > 0) {
  const folder = stack.pop();
  lines.push(`${"  ".repeat(folder.depth - 1)}${folder.name} (${folder.contents.length})`);
  stack.push(...folder.getSubfolders());
}
return lines.join("\n");
//# update is a variable here
let update = {};
for (const a of game.actors) update[a.id] = { name: a.name, hp: a.system.attributes?.hp?.value };
const deleted = Object.keys(update).filter(id => !game.actors.has(id));
return { update, deleted };
//# building an update without sending it
const updates = game.actors.filter(a => a.type === "npc").map(a => ({ _id: a.id, "system.attributes.hp.value": a.system.attributes.hp.max }));
return updates.length > 20 ? `${updates.length} updates` : updates;
//# what would change
const plan = canvas.scene.tokens.map(t => {
  const target = { x: Math.round(t.x / 100) * 100, y: Math.round(t.y / 100) * 100 };
  const changes = {};
  if (target.x !== t.x) changes.x = target.x;
  if (target.y !== t.y) changes.y = target.y;
  return { id: t.id, name: t.name, ...changes };
}).filter(p => "x" in p || "y" in p);
return plan;
//# tokens in a circle
const center = canvas.tokens.controlled[0]?.center ?? { x: 0, y: 0 };
const radius = 30;
const px = radius / canvas.scene.grid.distance * canvas.scene.grid.size;
return canvas.tokens.placeables
  .filter(t => Math.hypot(t.center.x - center.x, t.center.y - center.y) <= px)
  .map(t => ({ id: t.id, name: t.name, uuid: t.document.uuid, disposition: t.document.disposition }));
//# line of sight by walls
const [from, to] = canvas.tokens.placeables;
const blocked = CONFIG.Canvas.polygonBackends.sight.testCollision(from.center, to.center, { type: "sight", mode: "any" });
return { from: from.name, to: to.name, blocked };
//# rays and grid
const ray = new foundry.canvas.geometry.Ray({ x: 0, y: 0 }, { x: 300, y: 400 });
return ray.distance;
//# scene darkness in both versions
const env = canvas.scene.environment ?? {};
return { v12: env.darknessLevel, v11: canvas.scene.darkness, global: env.globalLight?.enabled ?? canvas.scene.globalLight };
//# drawings and notes
const { drawings, notes, tiles, sounds, templates = [] } = canvas.scene;
return { drawings: drawings.size, notes: notes.map(n => n.label || n.entry?.name), tiles: tiles.size, sounds: sounds.map(s => s.path), templates: templates.size ?? 0 };
//# combat with getters
const combat = game.combats.active ?? game.combats.contents[0];
const list = combat?.turns?.map((t, i) => ({
  i, name: t.name, init: t.initiative, now: combat.turn === i, dead: t.isDefeated, npc: t.isNPC,
  hp: t.actor?.system?.attributes?.hp?.value ?? "?",
})) ?? [];
return list;
//# rest of the round
const turns = [...(game.combat?.turns ?? [])];
const at = game.combat?.turn ?? 0;
return turns.slice(at).concat(turns.slice(0, at)).map(t => t.name);
//# permissions matrix
const users = game.users.filter(u => !u.isGM);
const grid = {};
for (const a of game.actors) {
  grid[a.name] = {};
  for (const u of users) grid[a.name][u.name] = a.getUserLevel(u);
}
return grid;
//# who can see what
return game.journal.filter(j => game.users.players.some(u => j.testUserPermission(u, "OBSERVER"))).map(j => j.name);
//# actors without tokens anywhere
const used = new Set(game.scenes.contents.flatMap(s => s.tokens.map(t => t.actorId)));
return game.actors.filter(a => !used.has(a.id)).map(a => a.name);
//# items that share a name
const groups = Map.groupBy(game.items, i => i.name);
return [...groups.entries()].filter(([, g]) => g.length > 1).map(([name, g]) => ({ name, ids: g.map(i => i.id) }));
//# spent uses
return game.actors.getName("Mira").items.filter(i => i.system.uses?.max).map(({ name, system: { uses: { value, max, per } } }) => ({ name, left: `${value}/${max}`, per }));
//# settings of one module with values
const ns = "item-piles";
return Object.fromEntries([...game.settings.settings.entries()].filter(([k, s]) => s.namespace === ns && s.config).map(([k, s]) => [k, game.settings.get(ns, s.key)]));
//# check for a setting before reading it
return game.settings.settings.has("pf1.diagonalMovement") ? game.settings.get("pf1", "diagonalMovement") : "no such setting";
//# what do hooks hold
return Object.entries(Hooks.events).map(([name, list]) => `${name}: ${list.length}`).slice(0, 40);
//# which sheets are open
return Object.values(ui.windows).map(w => ({ id: w.id, title: w.title, type: w.constructor.name }));
//# look at a method's source
const f = game.actors.contents[0].rollSkill ?? Actor.prototype.getRollData;
return f.toString().slice(0, 1500);
//# what can this item do
const item = game.items.contents[0];
const methods = new Set();
for (let p = item; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) {
  Object.getOwnPropertyNames(p).filter(n => typeof Object.getOwnPropertyDescriptor(p, n)?.value === "function").forEach(n => methods.add(n));
}
return [...methods].sort();
//# data model schema
return Object.keys(CONFIG.Actor.dataModels ?? {}).map(k => ({ type: k, fields: Object.keys(CONFIG.Actor.dataModels[k].schema?.fields ?? {}) }));
//# type labels
return Object.entries(CONFIG.Item.typeLabels).map(([k, v]) => [k, game.i18n.localize(v)]);
//# roll stats many times
const results = [];
for (let i = 0; i < 100; i++) results.push((await new Roll("3d6").evaluate()).total);
const mean = results.reduce((a, b) => a + b) / results.length;
const counts = results.reduce((m, r) => m.set(r, (m.get(r) ?? 0) + 1), new Map());
return { mean, counts: Object.fromEntries([...counts].sort(([a], [b]) => a - b)) };
//# is a formula valid
return ["1d20+5", "2d6[fire]", "nonsense"].map(f => [f, Roll.validate(f)]);
//# expected damage
const avg = formula => {
  const m = /^(\d+)d(\d+)(?:\s*\+\s*(\d+))?$/.exec(formula.trim());
  if (!m) return NaN;
  const [, n, faces, plus = 0] = m.map(Number);
  return n * (faces + 1) / 2 + Number(plus);
};
return ["2d6+3", "1d8"].map(avg);
//# world clock as text
const total = game.time.worldTime;
const parts = { d: 86400, h: 3600, m: 60, s: 1 };
let rest = total;
const text = [];
for (const [unit, secs] of Object.entries(parts)) {
  const n = Math.trunc(rest / secs);
  rest -= n * secs;
  if (n) text.push(`${n}${unit}`);
}
return text.join(" ") || "0s";
//# messages of today
const today = new Date(); today.setHours(0, 0, 0, 0);
return game.messages.filter(m => m.timestamp >= today.getTime()).map(m => ({ at: new Date(m.timestamp).toLocaleTimeString(), by: m.author?.name, rolls: m.rolls?.map(r => r.total) }));
//# crits in the log
return game.messages.contents.filter(m => m.isRoll && m.rolls.some(r => r.dice.some(d => d.faces === 20 && d.results.some(x => x.active && x.result === 20)))).length;
//# words in journals
const freq = {};
for (const j of game.journal) for (const p of j.pages) {
  const words = (p.text?.content ?? "").replace(/<[^>]+>/g, " ").toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  for (const w of words) freq[w] = (freq[w] | 0) + 1;
}
return Object.entries(freq).sort((a, b) => b[1] - a[1]).slice(0, 20);
//# biggest documents
const size = d => new TextEncoder().encode(JSON.stringify(d.toObject())).length;
const all = [...game.actors, ...game.scenes, ...game.journal].map(d => ({ type: d.documentName, name: d.name, kb: Math.round(size(d) / 1024) }));
return all.sort((a, b) => b.kb - a.kb).slice(0, 15);
//# a small state machine
let state = "start";
const log = [];
for (const ch of "ab(c)d") {
  switch (state) {
    case "start": state = ch === "(" ? "in" : "start"; break;
    case "in": if (ch === ")") state = "start"; break;
  }
  log.push(state);
}
return log;
//# memo on an object with methods
const stats = {
  seen: 0, sum: 0,
  add(n) { this.seen++; this.sum += n; return this; },
  get mean() { return this.seen ? this.sum / this.seen : 0; },
};
game.actors.forEach(a => stats.add(a.items.size));
return { mean: stats.mean, seen: stats.seen };
//# errors are collected
const errors = [];
for (const pack of game.packs) {
  try {
    const index = await pack.getIndex();
    if (!index.size) errors.push(`${pack.collection} is empty`);
  } catch (e) {
    errors.push(`${pack.collection}: ${e.message ?? String(e)}`);
  }
}
return errors;
//# one document type from all packs with progress in the console
const hits = [];
const packs = game.packs.filter(p => p.documentName === "RollTable");
for (const [i, p] of packs.entries()) {
  console.debug(`${i + 1}/${packs.length} ${p.title}`);
  for (const t of await p.getDocuments()) hits.push({ pack: p.collection, name: t.name, formula: t.formula, results: t.results.size });
}
return hits;
//# async mapping with allSettled
const settled = await Promise.allSettled(["Actor.a", "Item.b"].map(u => fromUuid(u)));
return settled.map(r => r.status === "fulfilled" ? r.value?.name ?? null : String(r.reason));
//# uuid parts
const { primaryId, documentType } = foundry.utils.parseUuid("Actor.abc.Item.def") ?? {};
return { primaryId, documentType };
//# enriched text
const html = await foundry.applications.ux.TextEditor.implementation.enrichHTML("See @UUID[Actor.a]{Mira}", { secrets: game.user.isGM });
return html;
//# who owns which token on the scene
return canvas.scene.tokens.map(t => [t.name, Object.entries(t.actor?.ownership ?? {}).filter(([id, lvl]) => id !== "default" && lvl === 3).map(([id]) => game.users.get(id)?.name ?? id)]);
//# inventory as a markdown table
const actor = game.actors.getName("Mira");
const head = "| item | qty | weight |\n|---|---|---|\n";
return head + actor.items.filter(i => i.system.quantity !== undefined)
  .map(({ name, system: s }) => `| ${name} | ${s.quantity} | ${(s.weight?.value ?? s.weight ?? 0) * s.quantity} |`).join("\n");
//# containers and what is in them
const actor = game.actors.getName("Mira");
const inside = {};
actor.items.forEach(i => {
  const c = i.system.container ? actor.items.get(i.system.container)?.name : "(carried)";
  inside[c] ||= [];
  inside[c].push(i.name);
});
return inside;
//# get by several ids at once
const ids = ["a", "b", "c"];
const found = ids.map(id => game.actors.get(id) ?? game.items.get(id) ?? game.journal.get(id)).filter(d => d != null);
return found.map(d => ({ [d.documentName]: d.name }));
//# currying
const by = key => value => doc => foundry.utils.getProperty(doc, key) === value;
const isNpc = by("type")("npc");
return game.actors.filter(isNpc).length;
//# pipe
const pipe = (...fns) => x => fns.reduce((v, f) => f(v), x);
const clean = pipe(s => s.trim(), s => s.toLowerCase(), s => s.replace(/\s+/g, "-"));
return game.actors.map(a => clean(a.name));
//# debounce free polling
const until = async (test, tries = 5) => {
  for (let i = 0; i < tries; i++) {
    if (test()) return true;
    await new Promise(done => setTimeout(done, 100));
  }
  return false;
};
return await until(() => canvas.ready);

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
//# empty array never filled
const rows = []; const max = 3;
rows.slice(0, max).forEach(r => r.name.toUpperCase());
return rows;
//# variable filled in callback
let boss = null;
game.actors.forEach(a => { if (!boss || a.system.details?.cr > boss.system.details?.cr) boss = a; });
return boss?.name.toUpperCase();
//# null-initialised then loop
let last;
for (const m of game.messages) last = m;
return last.content.trim();
//# reduce without init to best
return game.actors.contents.reduce((best, a) => (best.items.size >= a.items.size ? best : a)).name;
//# nested ternaries and functions
const grade = n => n > 90 ? "A" : n > 70 ? "B" : "C";
return game.actors.map(a => grade(Math.round(100 * (a.system.attributes?.hp?.value ?? 0) / (a.system.attributes?.hp?.max || 1))));
//# options bag
function list({ type = "npc", sort = "name", limit = 10, filter = () => true } = {}) {
  return game.actors.filter(a => a.type === type && filter(a)).sort((x, y) => String(x[sort]).localeCompare(String(y[sort]))).slice(0, limit).map(a => a.name);
}
return [list(), list({ limit: 3, filter: a => a.items.size > 2 })];
//# optional callback
const each = (xs, fn, done) => { for (const x of xs) fn(x); if (done) done(xs.length); };
let n = 0;
each(game.items, i => { n += i.system.quantity ?? 1; });
return n;
//# callbacks by name table
const show = { npc: a => a.system.details.cr?.total, character: a => a.system.details.level?.value };
return game.actors.map(a => show[a.type]?.(a) ?? null);
//# map of functions
const checks = new Map([["dead", a => a.system.attributes.hp.value <= 0], ["rich", a => (a.system.currency?.gp ?? 0) > 100]]);
const out = {};
for (const [k, f] of checks) out[k] = game.actors.filter(f).map(a => a.name);
return out;
//# sort by several keys
const keys = ["type", "name"];
const cmp = (a, b) => { for (const k of keys) { const d = a[k].localeCompare(b[k]); if (d) return d; } return 0; };
return game.items.contents.slice().sort(cmp).map(i => `${i.type}/${i.name}`);
//# chunk
const chunk = (xs, n) => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : [];
return chunk(game.actors.map(a => a.name), 5);
//# zip
const zip = (...xs) => xs[0].map((_, i) => xs.map(x => x[i]));
return zip(game.actors.map(a => a.name), game.actors.map(a => a.type));
//# memoised fibonacci
const fib = (() => { const memo = {}; return function f(n) { return n < 2 ? n : memo[n] ?? (memo[n] = f(n - 1) + f(n - 2)); }; })();
return fib(30);
//# linked list
let head = null;
for (const a of game.actors) head = { value: a.name, next: head };
const names = [];
for (let n = head; n; n = n.next) names.push(n.value);
return names;
//# tree of folders with parents
const nodes = new Map(game.folders.map(f => [f.id, { name: f.name, kids: [] }]));
const roots = [];
for (const f of game.folders) (f.folder ? nodes.get(f.folder.id).kids : roots).push(nodes.get(f.id));
return roots;
//# path compress
const parent = {};
const find = x => parent[x] === undefined || parent[x] === x ? x : (parent[x] = find(parent[x]));
for (const t of canvas.scene.tokens) parent[find(t.id)] = find(t.actorId ?? t.id);
return Object.keys(parent).length;
//# matrix
const m = Array.from({ length: 3 }, () => Array(3).fill(0));
for (let i = 0; i < 3; i++) m[i][i] = 1;
return m.map(r => r.join(" ")).join("\n");
//# text table
const rows = game.actors.map(a => [a.name, a.type, String(a.items.size)]);
const w = rows[0]?.map((_, i) => Math.max(...rows.map(r => r[i].length))) ?? [];
return rows.map(r => r.map((c, i) => c.padEnd(w[i])).join("  ")).join("\n");
//# csv
const esc = v => /[",\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v;
return [["name", "type"], ...game.actors.map(a => [a.name, a.type])].map(r => r.map(c => esc(String(c))).join(",")).join("\n");
//# regex exec loop
const re = /\[\[\/r ([^\]]+)\]\]/g; const text = game.journal.contents[0]?.pages.contents[0]?.text.content ?? "";
const found = []; let m;
while ((m = re.exec(text)) !== null) found.push({ at: m.index, formula: m[1] });
return found;
//# replace with function
return game.i18n.localize("X").replace(/\{(\w+)\}/g, (all, key) => ({ name: "Mira" })[key] ?? all);
//# dom read
return [...document.querySelectorAll("#players .player")].map(li => li.textContent.trim());
//# element count
return { open: document.querySelectorAll(".window-app").length, focus: document.activeElement?.tagName, title: document.title };
//# dates
const fmt = d => `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
return game.journal.map(j => [j.name, fmt(new Date(j._stats.modifiedTime))]);
//# relative time
const rtf = new Intl.RelativeTimeFormat("en"); const now = Date.now();
return game.messages.contents.slice(-3).map(m => rtf.format(Math.round((m.timestamp - now) / 60000), "minute"));
//# promise chain
return game.packs.get("a.b").getIndex().then(i => i.map(e => e.name)).then(ns => ns.sort()).catch(e => [e.message]);
//# race with timeout
const timeout = ms => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), ms));
return await Promise.race([fromUuid("Actor.a").then(d => d?.name), timeout(500)]);
//# sleep helper
const sleep = ms => new Promise(r => setTimeout(r, ms));
await sleep(10); return game.time.worldTime;
//# class with static cache
class Names { static #seen = new Map(); static of(doc) { if (!this.#seen.has(doc.id)) this.#seen.set(doc.id, doc.name); return this.#seen.get(doc.id); } }
return game.actors.map(a => Names.of(a));
//# inheritance
class Base { constructor(d) { this.d = d; } label() { return this.d.name; } }
class Npc extends Base { label() { return `${super.label()} (npc)`; } }
return game.actors.map(a => (a.type === "npc" ? new Npc(a) : new Base(a)).label());
//# error class
class Missing extends Error { constructor(n) { super(`no ${n}`); this.n = n; } }
try { if (!game.actors.getName("X")) throw new Missing("X"); return "there"; } catch (e) { return e instanceof Missing ? e.n : e.message; }
//# iterator helpers
return game.actors.values().filter(a => a.type === "npc").map(a => a.name).toArray();
//# object spread update
let state = { n: 0, log: [] };
for (const a of game.actors) state = { ...state, n: state.n + 1, log: [...state.log, a.name] };
return state;
//# delete keys from a copy
const data = game.actors.contents[0].toObject();
for (const k of ["_id", "folder", "sort", "ownership", "_stats"]) delete data[k];
return data;
//# deep prune
const prune = o => { if (Array.isArray(o)) return o.map(prune); if (o && typeof o === "object") { const r = {}; for (const [k, v] of Object.entries(o)) if (v !== null && v !== "") r[k] = prune(v); return r; } return o; };
return prune(game.actors.contents[0].toObject());
//# counters in a Map
const c = new Map(); for (const i of game.items) c.set(i.type, 1 + (c.get(i.type) || 0));
return [...c.entries()].sort(([, a], [, b]) => b - a);
//# weak caches
const seen = new WeakSet(); let dup = 0;
for (const a of game.actors) { if (seen.has(a)) dup++; seen.add(a); }
return dup;
//# bit of everything
return await (async function main() { const { actors, items } = game; return { a: actors.size, i: items.size, v: foundry.utils.isNewerVersion(game.version ?? "12", "11") }; })();
//# typed arrays
const b = new Uint8Array([1, 2, 3]); return Array.from(b, x => x * 2).concat([...b.subarray(1)]);
//# hash
const h = s => { let x = 0x811c9dc5; for (const ch of s) { x ^= ch.charCodeAt(0); x = Math.imul(x, 0x01000193) >>> 0; } return x.toString(16).padStart(8, "0"); };
return game.actors.map(a => h(a.name));
//# getters with destructure in params
return game.actors.contents.map(({ id, name, system: { attributes: { hp = {} } = {} } = {} }) => ({ id, name, hp: hp.value ?? null }));
//# generator with return
function* take(n, it) { for (const x of it) { if (n-- <= 0) return; yield x; } }
return [...take(3, game.actors)].map(a => a.name);
//# nullish method
const fn = game.user.character?.getRollData; return typeof fn === "function" ? fn.length : "none";
//# switch on number with fallthrough
const size = s => { switch (s) { case 1: case 2: return "small"; case 3: return "medium"; default: return "large"; } };
return canvas.scene.tokens.map(t => size(t.width));
//# reduce to a Map of arrays
const g = game.items.reduce((m, i) => m.set(i.type, [...(m.get(i.type) ?? []), i.name]), new Map());
return Object.fromEntries([...g].map(([k, v]) => [k, v.length]));
//# arguments object
function sum() { let t = 0; for (let i = 0; i < arguments.length; i++) t += arguments[i]; return t; }
return sum(...game.actors.map(a => a.items.size));
//# immediately used destructured import of utils
const { getProperty, deepClone, isEmpty } = foundry.utils;
const src = deepClone(game.actors.contents[0].toObject()); return isEmpty(src) ? null : getProperty(src, "system.attributes");
//# bound builtin
const log = console.log.bind(console); game.actors.forEach(a => log(a.name)); return "ok";
//# call on arraylike
return Array.prototype.map.call("abc", c => c.toUpperCase());
//# hasOwn
const o = game.actors.contents[0].system; return ["attributes", "traits"].filter(k => Object.prototype.hasOwnProperty.call(o, k));
//# compose with reduceRight
const compose = (...f) => x => f.reduceRight((v, g) => g(v), x); return compose(s => s + "!", s => s.trim())(" hi ");
//# flags of the world scope
return game.scenes.map(s => ({ n: s.name, f: Object.keys(s.flags ?? {}), w: s.flags?.world?.notes ?? null }));
//# two compendiums at once
const results = await Promise.all(["pf1.items", "pf1.weapons-and-ammo"].map(async (id) => {
  const p = game.packs.get(id);
  const index = await p.getIndex();
  return index.filter(e => e.name.includes("Cloak")).map(e => ({ pack: id, ...e }));
}));
return results.flat();
//# a setting of the system
return game.settings.get(game.system.id, "experienceRate");
//# parsed with a reviver
return JSON.parse('{"when": "2024-01-01", "tags": ["a"]}', (key, value) => key === "when" ? new Date(value) : value).tags.join();
//# an error with its cause
try { throw new Error("no such actor", { cause: { id: "x" } }); } catch (e) { return { message: e.message, cause: e.cause }; }
//# arguments counted
function sum() { let total = 0; for (let i = 0; i < arguments.length; i++) total += arguments[i]; return total; }
return sum(1, 2, 3);
//# an array-like
return Array.prototype.map.call({ length: 2, 0: "a", 1: "b" }, x => x.toUpperCase());

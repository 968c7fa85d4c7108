/*
 * Claude Link ReForge: finds links into compendiums that are gone, and points them at others.
 *
 * Changes: texts of actors, items, effects, journals, roll tables and macros that hold such links; dryrun keeps a
 * receipt as a flag of this macro. Also documents of the compendiums that packs names, unless they are locked.
 * Needs: a world Script macro named exactly "Claude Link ReForge" with this text; a GM. Look with scan, plan with
 * dryrun, then apply with the confirmHash that dryrun gave, within 30 minutes; apply stops after 90 seconds and goes on
 * when it is run again.
 * Returns: {ok: true, …} or {ok: false, error}. scan: dead, links. dryrun: confirmHash, links, matched, unmatched.
 * apply: changed, links, done, uuids, unmatched.
 */
const PACK_ID = "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$";
const ofAction = (action, ...required) => ({ if: { properties: { action: { const: action } } }, then: { required } });
const MANIFEST = {
  api: "aagm-plugin/1.0",
  name: "Claude Link ReForge",
  version: "1.0.0",
  description: "Finds dead compendium links in the world and rewrites them to live ones: scan, dryrun, apply.",
  args: {
    type: "object",
    required: ["action"],
    properties: {
      action: { enum: ["scan", "dryrun", "apply"] },
      mapping: {
        type: "object",
        minProperties: 1,
        propertyNames: { pattern: PACK_ID },
        additionalProperties: { type: "string", pattern: PACK_ID },
        description: "Which live compendium takes the place of which dead one, by id.",
      },
      packs: { type: "array", items: { type: "string", pattern: PACK_ID }, maxItems: 50, description: "Compendiums to look through besides the world." },
      skipNames: { type: "string", maxLength: 200, description: "A regular expression: documents of such names are left alone." },
      confirmHash: { type: "string", pattern: "^lr-[0-9a-f]{8}$", description: "From dryrun." },
    },
    allOf: [ofAction("dryrun", "mapping"), ofAction("apply", "mapping", "confirmHash")],
    additionalProperties: false,
  },
  writes: ["Actor", "Item", "ActiveEffect", "JournalEntry", "JournalEntryPage", "RollTable", "TableResult", "Macro"],
  modes: ["run", "read"],
};
if (!scope || Object.keys(scope).length === 0) return MANIFEST;

const RECEIPT = "linkReforgeReceipt";
const RECEIPT_MS = 30 * 60 * 1000;
const BOX_MS = 90 * 1000;
const LISTED = 50;
const CHILDREN = { Actor: ["items", "effects"], Item: ["effects"], JournalEntry: ["pages"], RollTable: ["results"] };
const LINK = /Compendium\.([\w-]+\.[\w-]+)\.(?:([A-Z][A-Za-z]+)\.)?([A-Za-z0-9]{16})(\](?:\{([^}]*)\})?)?/g;
const began = Date.now();
const failed = (error, more = {}) => ({ ok: false, error, ...more });

const { action, mapping = {}, packs = [], skipNames = "", confirmHash } = scope;
if (!game.user.isGM) return failed("only a GM can reforge links");
if (scope.mode === "read" && action !== "scan") return failed("only scan reads");
let skips;
try {
  skips = skipNames ? new RegExp(skipNames, "i") : null;
} catch (thrown) {
  return failed(`skipNames is no regular expression: ${thrown.message}`);
}
const unknown = [...Object.values(mapping), ...packs].find((id) => !game.packs.has(id));
if (unknown) return failed(`no compendium of this world is called ${unknown}`);

const sorted = Object.keys(mapping).sort().map((key) => [key, mapping[key]]);
const job = JSON.stringify([sorted, [...packs].sort(), skipNames]);
let sum = 0x811c9dc5;
for (const byte of new TextEncoder().encode(job)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
const hash = `lr-${sum.toString(16).padStart(8, "0")}`;
if (action === "apply") {
  const receipt = this.getFlag("world", RECEIPT);
  if (confirmHash !== hash) return failed("confirmHash is of another job: run dryrun with these very arguments first", { confirmHash: hash });
  if (receipt?.hash !== hash || Date.now() - receipt.at > RECEIPT_MS) return failed("there is no dryrun of this job within the last 30 minutes: run it first");
}

const withChildren = (doc) => [doc, ...(CHILDREN[doc.documentName] ?? []).flatMap((key) => doc[key].contents.flatMap(withChildren))];
const worldly = [game.actors, game.items, game.journal, game.tables, game.macros].flatMap((all) => all.contents);
const warnings = packs.filter((id) => game.packs.get(id).locked).map((id) => `${id} is locked and left alone`);
const filed = [];
for (const id of packs) if (!game.packs.get(id).locked) filed.push(...(await game.packs.get(id).getDocuments()));
const documents = [...worldly, ...filed].filter((doc) => doc !== this && !skips?.test(doc.name)).flatMap(withChildren);

const clean = (name) => name.toLowerCase().replace(/\([^)]*\)/g, " ").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
const indexes = new Map();
for (const id of new Set(Object.values(mapping))) indexes.set(id, [...(await game.packs.get(id).getIndex())]);
const only = (found) => (found.length === 1 ? found[0] : undefined);
const match = (packId, id, name) => {
  const index = indexes.get(packId);
  const sameId = index.find(({ _id }) => _id === id);
  if (sameId || !name) return sameId;
  return only(index.filter((one) => one.name === name)) ?? only(index.filter((one) => clean(one.name) === clean(name)));
};
const isDead = (packId, id) => !game.packs.get(packId)?.index.has(id);

const dead = new Map();
const unmatched = [];
const tally = { links: 0, matched: 0 };
const rewrite = (text, doc, path) =>
  text.replace(LINK, (link, packId, type, id, ending = "", label = "") => {
    if (!isDead(packId, id)) return link;
    tally.links += 1;
    dead.set(packId, (dead.get(packId) ?? 0) + 1);
    const live = mapping[packId];
    if (!live) return link;
    const isSource = /(?:^|\.)(?:compendiumSource|sourceId|duplicateSource)$/.test(path);
    const target = match(live, id, label || (isSource ? doc.name : ""));
    if (!target) {
      unmatched.push({ uuid: doc.uuid, link: link.slice(0, 120) });
      return link;
    }
    tally.matched += 1;
    return `Compendium.${live}.${game.packs.get(live).documentName}.${target._id}${ending}`;
  });
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const deep = (value, doc, path) => {
  if (typeof value === "string") return rewrite(value, doc, path);
  if (Array.isArray(value)) return value.map((each) => deep(each, doc, path));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, deep(each, doc, `${path}.${key}`)])) : value;
};
/* Collects what is to be written, path by path; lists are written whole. A key with a dot in it has no path of its own. */
const collect = (value, doc, path, changes) => {
  if (isObject(value)) {
    const keys = Object.keys(value).filter((key) => !key.includes("."));
    for (const key of keys) collect(value[key], doc, path ? `${path}.${key}` : key, changes);
    return;
  }
  const fresh = deep(value, doc, path);
  if (JSON.stringify(fresh) !== JSON.stringify(value)) changes[path] = fresh;
};

const plans = [];
for (const doc of documents) {
  const source = doc.toObject();
  for (const key of ["_id", ...(CHILDREN[doc.documentName] ?? [])]) delete source[key];
  const before = tally.matched;
  const changes = {};
  collect(source, doc, "", changes);
  if (Object.keys(changes).length) plans.push({ doc, changes, links: tally.matched - before });
}
const told = { links: tally.links, unmatched: unmatched.slice(0, LISTED), unmatchedCount: unmatched.length, warnings };
if (action === "scan") {
  const rows = [...dead].map(([pack, links]) => ({ pack, links, exists: game.packs.has(pack) }));
  return { ok: true, dead: rows.sort((a, b) => b.links - a.links), links: tally.links, warnings };
}
if (action === "dryrun") {
  await this.setFlag("world", RECEIPT, { hash, at: Date.now() });
  return { ok: true, confirmHash: hash, matched: tally.matched, documents: plans.length, ...told };
}

let changed = 0;
let links = 0;
for (const plan of plans) {
  if (Date.now() - began > BOX_MS) break;
  await plan.doc.update(plan.changes);
  changed += 1;
  links += plan.links;
}
const uuids = plans.slice(0, changed).map(({ doc }) => doc.uuid);
return { ok: true, changed, ...told, links, done: changed === plans.length, uuids: uuids.slice(0, LISTED) };

import assert from "node:assert/strict";
import test from "node:test";

import { canonical, fnv1a64 } from "../../module/scripts/recorder/hash.js";
import { diffLeaves, touchedBy } from "../../module/scripts/recorder/leaves.js";
import { foldChanges, mergeEntries, resolveIntents } from "../../module/scripts/recorder/merge.js";
import { readPath, withoutStats, writePath } from "../../module/scripts/recorder/paths.js";
import { cloneJson, equalJson } from "../../module/scripts/recorder/values.js";

/** Leaves of a whole object, the way a document's keys are walked. */
function leaves(before, after, touched) {
  const out = [];
  const keys = touched ? touched.keys() : new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) diffLeaves(before[key], after[key], key, out, touched ? touched.get(key) : true);
  return out;
}

test("the hash is 64-bit FNV-1a as published", () => {
  assert.equal(fnv1a64(""), "cbf29ce484222325");
  assert.equal(fnv1a64("a"), "af63dc4c8601ec8c");
  assert.equal(fnv1a64("foobar"), "85944171f73967e8");
});

test("the two lanes agree with arithmetic on big integers", () => {
  let expected = 0xcbf29ce484222325n;
  const text = canonical({ name: "Anführer", hp: 12.5, list: [1, null, "𝔘"] });
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // eslint-disable-next-line no-control-regex -- everything that is not ASCII
  const ascii = text.replace(/[^\x00-\x7f]/g, escape);
  for (const unit of ascii) expected = ((expected ^ BigInt(unit.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  assert.equal(fnv1a64(text), expected.toString(16).padStart(16, "0"));
});

test("key order, statistics and children do not change a document's hash, content does", () => {
  const one = { _id: "a", name: "Bar", _stats: { modifiedTime: 1 }, items: [{ _id: "x" }] };
  const two = { name: "Bar", items: [], _id: "a", _stats: { modifiedTime: 2 } };
  const hash = (source) => fnv1a64(canonical(source, (key) => key === "items"));
  assert.equal(hash(one), hash(two));
  assert.notEqual(hash(one), hash({ ...one, name: "Inn" }));
  assert.notEqual(hash({ a: 1 }), hash({ a: true }));
});

test("a lone surrogate is hashed and cloned without complaint", () => {
  assert.match(fnv1a64(canonical({ name: "\ud83d" })), /^[0-9a-f]{16}$/);
  assert.equal(cloneJson({ name: "\ud83d" }).name, "\ud83d");
});

test("true is not 1, an undefined member is an absent one, order of keys does not matter", () => {
  assert.equal(equalJson({ a: true }, { a: 1 }), false);
  assert.equal(equalJson({ a: 1, b: undefined }, { a: 1 }), true);
  assert.equal(equalJson({ a: 1 }, { a: 1, b: null }), false);
  assert.equal(equalJson({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] }), true);
  assert.equal(equalJson([1, 2], [1]), false);
  assert.equal(equalJson(null, {}), false);
});

test("changes are found leaf by leaf, arrays whole", () => {
  assert.deepEqual(leaves({ hp: { value: 5, max: 9 }, tags: ["a"] }, { hp: { value: 3, max: 9 }, tags: ["a", "b"] }), [
    { path: "hp.value", before: 5, after: 3 },
    { path: "tags", before: ["a"], after: ["a", "b"] },
  ]);
});

test("an added key has no before, a vanished one no after", () => {
  assert.deepEqual(leaves({ f: { a: 1 } }, { f: { b: 2 } }), [
    { path: "f.a", before: 1 },
    { path: "f.b", after: 2 },
  ]);
});

test("a path ends above an empty object, a dotted key, a deletion key and a change of kind", () => {
  assert.deepEqual(leaves({ f: {} }, { f: { a: 1 } }), [{ path: "f", before: {}, after: { a: 1 } }]);
  assert.deepEqual(leaves({ f: { "a.b": 1, c: 1 } }, { f: { "a.b": 1, c: 2 } }), [
    { path: "f", before: { "a.b": 1, c: 1 }, after: { "a.b": 1, c: 2 } },
  ]);
  assert.deepEqual(leaves({ f: { "-=x": 1 } }, { f: { "-=x": 2 } }), [
    { path: "f", before: { "-=x": 1 }, after: { "-=x": 2 } },
  ]);
  assert.deepEqual(leaves({ f: { a: 1 } }, { f: 7 }), [{ path: "f", before: { a: 1 }, after: 7 }]);
});

test("only what an update touched is compared, however its keys are written", () => {
  const before = { name: "A", system: { hp: 5, speed: 30, note: "x" }, flags: { m: { a: 1, b: 2 } } };
  const after = { name: "B", system: { hp: 4, speed: 20, note: "x" }, flags: { m: { b: 3 } } };
  const paths = (changes, options) => leaves(before, after, touchedBy(changes, options)).map(({ path }) => path);
  assert.deepEqual(paths({ "system.hp": 4 }), ["system.hp"]);
  assert.deepEqual(paths({ system: { hp: 4 } }), ["system.hp"]);
  assert.deepEqual(paths({ system: { hp: 4 } }, { recursive: false }), ["system.hp", "system.speed"]);
  assert.deepEqual(paths({ "flags.m.-=a": null }), ["flags.m.a"]);
  assert.deepEqual(paths({ "flags.==m": { b: 3 } }), ["flags.m.a", "flags.m.b"]);
  assert.deepEqual(paths({ type: "npc", system: { hp: 4 } }), ["system.hp", "system.speed"]);
});

test("a path reads and writes inside objects and among a delta's children", () => {
  const source = { delta: { items: [{ _id: "i1", name: "Rope" }] } };
  assert.equal(readPath(source, "delta.items.i1.name"), "Rope");
  assert.equal(readPath(source, "delta.items.i2"), undefined);
  assert.equal(readPath({ a: {} }, "a.constructor"), undefined);
  writePath(source, "delta.items.i2", { _id: "i2", _tombstone: true });
  writePath(source, "delta.items.i1", undefined);
  writePath(source, "delta.system.hp", 3);
  assert.deepEqual(source, { delta: { items: [{ _id: "i2", _tombstone: true }], system: { hp: 3 } } });
});

test("statistics go, but the two fields a client may set stay", () => {
  const effects = [{ _id: "e", _stats: { duplicateSource: "Item.x", createdTime: 5 } }];
  assert.deepEqual(withoutStats({ _id: "i", _stats: { modifiedTime: 3, compendiumSource: null }, effects }), {
    _id: "i",
    effects: [{ _id: "e", _stats: { duplicateSource: "Item.x" } }],
  });
});

test("later changes keep the earliest before and the latest after, above and below a path too", () => {
  assert.deepEqual(foldChanges([{ path: "hp", before: 5, after: 4 }], [{ path: "hp", before: 4, after: 3 }]), [
    { path: "hp", before: 5, after: 3 },
  ]);
  assert.deepEqual(foldChanges([{ path: "f", after: { a: 1 } }], [{ path: "f.b", after: 2 }]), [
    { path: "f", after: { a: 1, b: 2 } },
  ]);
  assert.deepEqual(
    foldChanges([{ path: "f.a", before: 1, after: 2 }], [{ path: "f", before: { a: 2, c: 3 }, after: 9 }]),
    [{ path: "f", before: { a: 1, c: 3 }, after: 9 }],
  );
});

test("what came back is left out at the end, and a stale change after it still finds its before", () => {
  const update = (seq, before, after) => ({
    seq, op: "update", uuid: "Folder.a", documentName: "Folder", name: "A", parentUuid: null, pack: null, userId: "gm",
    changes: [{ path: "folder", before, after }],
  });
  assert.deepEqual(mergeEntries([update(1, null, "x"), update(2, "x", null)]), []);
  assert.deepEqual(mergeEntries([update(1, null, "x"), update(2, "x", null), update(3, "x", null)]), []);
});

const head = { documentName: "Actor", name: "Mira", parentUuid: null, pack: null, userId: "gm" };

test("a confirmation replaces what its intent guessed, a drop removes it", () => {
  const { entries, uncovered } = resolveIntents([
    { seq: 1, op: "update", uuid: "Actor.a", ...head, confirmed: false, changes: [{ path: "x", before: 1, after: 2 }] },
    { seq: 2, op: "create", uuid: null, ...head, confirmed: false },
    { seq: 3, op: "delete", uuid: "Actor.b", ...head, confirmed: false, data: { _id: "b" } },
    { seq: 4, confirms: 2, uuid: "Actor.c", hash: "h", children: [] },
    { seq: 5, confirms: 1, uuid: "Actor.a", changes: [{ path: "x", before: 1, after: 3 }], hash: "k" },
    { seq: 6, drops: [3] },
    { seq: 7, uncovered: { op: "update", uuid: "Actor.d", documentName: "Actor", why: "noHook" } },
  ]);
  assert.deepEqual(entries, [
    { seq: 1, op: "update", uuid: "Actor.a", ...head, changes: [{ path: "x", before: 1, after: 3 }], hash: "k" },
    { seq: 2, op: "create", uuid: "Actor.c", ...head, hash: "h", children: [] },
  ]);
  assert.equal(uncovered.length, 1);
});

test("merging: updates fold, a created document swallows its updates, created and deleted leaves nothing", () => {
  const update = (seq, uuid, before, after) => ({
    seq, op: "update", uuid, ...head, changes: [{ path: "x", before, after }], hash: `h${seq}`,
  });
  const merged = mergeEntries([
    update(1, "Actor.a", 1, 2),
    update(2, "Actor.a", 2, 3),
    { seq: 3, op: "create", uuid: "Actor.c", ...head, hash: "h3", children: [] },
    update(4, "Actor.c", 0, 1),
    { seq: 5, op: "create", uuid: "Actor.d", ...head, hash: "h5", children: [] },
    { seq: 6, op: "create", uuid: "Actor.d.Item.i", ...head, hash: "h6", children: [] },
    { seq: 7, op: "delete", uuid: "Actor.d", ...head, data: { _id: "d" } },
    { seq: 8, op: "delete", uuid: "Actor.a", ...head, data: { _id: "a", x: 3 } },
    { seq: 9, op: "create", uuid: "Actor.a", ...head, hash: "h9", children: [] },
    update(10, "Actor.a", 7, 8),
  ]);
  assert.deepEqual(merged.map(({ entry, seqs }) => [entry.op, entry.uuid, entry.hash, seqs]), [
    ["update", "Actor.a", "h2", [1, 2]],
    ["create", "Actor.c", "h4", [3, 4]],
    ["delete", "Actor.a", undefined, [8]],
    ["create", "Actor.a", "h10", [9, 10]],
  ]);
  assert.deepEqual(merged[0].entry.changes, [{ path: "x", before: 1, after: 3 }]);
});

test("what the GM did by hand is never merged with what was asked for", () => {
  const move = (seq, own, before, after) => ({
    seq, op: "update", uuid: "Scene.s.Token.t", ...head, ...(own && { own }), changes: [{ path: "x", before, after }],
  });
  const merged = mergeEntries([move(1, undefined, 0, 5), move(2, true, 5, 9)]);
  assert.deepEqual(merged.map(({ entry }) => [entry.own, entry.changes[0].before, entry.changes[0].after]), [
    [undefined, 0, 5],
    [true, 5, 9],
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatorGap, VirtualClock, createWorld } from "../../simulator/index.js";
import { createRandom } from "../../simulator/core/random.js";
import { objectsEqual } from "../../simulator/core/objects.js";

const utilsOf = (version) => createWorld({ version }).gm.utils;
const utils = utilsOf(12);

/** A random JSON object: keys without dots, never an array of documents. */
function randomObject(random, depth = 3) {
  const object = {};
  for (let i = 0; i < 1 + random() * 4; i += 1) object["abcdef"[Math.floor(random() * 6)]] = randomValue(random, depth - 1);
  return object;
}

function randomValue(random, depth) {
  const leaves = [null, Math.floor(random() * 9), `s${Math.floor(random() * 9)}`, random() < 0.5, [1, 2].slice(0, Math.floor(random() * 3))];
  const kind = Math.floor(random() * (depth > 0 ? 7 : 5));
  return kind < 5 ? leaves[kind] : randomObject(random, depth);
}

test("merging the difference of two objects into the first gives the second, keys that vanished aside", () => {
  const random = createRandom("diff");
  for (let i = 0; i < 500; i += 1) {
    const [a, b] = [randomObject(random), randomObject(random)];
    const merged = utils.mergeObject(utils.deepClone(a), utils.diffObject(a, b));
    assert.deepEqual(utils.diffObject(merged, b), {}, JSON.stringify([a, b]));
    assert.deepEqual(utils.diffObject(b, b), {});
  }
});

test("flatten and expand are inverse; arrays and empty objects are leaves", () => {
  const random = createRandom("flat");
  for (let i = 0; i < 500; i += 1) {
    const object = randomObject(random);
    assert.ok(objectsEqual(utils.expandObject(utils.flattenObject(object)), object), JSON.stringify(object));
  }
  assert.deepEqual(utils.flattenObject({ a: { b: [1], c: {} } }), { "a.b": [1], "a.c": {} });
  assert.deepEqual(utils.expandObject({ "a.b": { "c.d": 1 } }), { a: { b: { c: { d: 1 } } } });
});

test("mergeObject: inserting, overwriting, enforcing, in place or not", () => {
  const { mergeObject } = utils;
  assert.deepEqual(mergeObject({ a: 1 }, { b: 2 }, { insertKeys: false }), { a: 1 });
  assert.deepEqual(mergeObject({ a: { x: 1 } }, { a: { y: 2 } }, { insertValues: false }), { a: { x: 1 } });
  assert.deepEqual(mergeObject({ a: 1 }, { a: 2, b: 3 }, { overwrite: false }), { a: 1, b: 3 });
  assert.deepEqual(mergeObject({ a: { x: 1 } }, { a: { y: 2 } }, { recursive: false }), { a: { y: 2 } });
  assert.throws(() => mergeObject({ a: 1 }, { a: "1" }, { enforceTypes: true }), /Mismatched/);
  const original = { a: { b: 1 } };
  const copy = mergeObject(original, { "a.c": 2 }, { inplace: false });
  assert.deepEqual([original, copy], [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }]);
  assert.equal(mergeObject(original, { d: 1 }), original);
  assert.deepEqual(mergeObject({ list: [1, 2] }, { list: [3] }), { list: [3] });
});

test("deletion and replacement keys work only where they are asked for, by generation", () => {
  const merge = (version, options) => utilsOf(version).mergeObject({ a: 1, b: { c: 1 } }, { "-=a": null, "==b": { d: 2 } }, options);
  assert.deepEqual(merge(12), { a: 1, b: { c: 1 }, "-=a": null, "==b": { d: 2 } });
  assert.deepEqual(merge(12, { performDeletions: true }), { b: { c: 1 }, "==b": { d: 2 } });
  assert.deepEqual(merge(13, { performDeletions: true }), { b: { d: 2 } });
});

test("diffObject: inner keys only, deletion keys only where there is something to delete", () => {
  const { diffObject } = utils;
  assert.deepEqual(diffObject({ a: 1 }, { a: 2, b: 3 }, { inner: true }), { a: 2 });
  assert.deepEqual(diffObject({ a: 1 }, { "-=a": null, "-=b": null }, { deletionKeys: true }), { "-=a": null });
  assert.deepEqual(diffObject({ a: { b: 1 } }, { a: {} }), { a: {} });
});

test("properties are read, written and removed by path", () => {
  const object = { a: { b: 1 }, "c.d": 2 };
  assert.equal(utils.getProperty(object, "a.b"), 1);
  assert.equal(utils.getProperty(object, "c.d"), 2);
  assert.equal(utils.getProperty(object, "a.x.y"), undefined);
  assert.equal(utils.setProperty(object, "a.b", 1), false);
  assert.equal(utils.setProperty(object, "a.e.f", 1), true);
  assert.equal(utils.hasProperty(object, "a.e.f"), true);
  assert.equal(utils.deleteProperty(object, "a.e.f"), true);
  assert.deepEqual(object.a, { b: 1, e: {} });
});

test("small ones: deepClone, duplicate, isEmpty, getType, isNewerVersion, isSubclass", () => {
  const set = new Set([1]);
  const clone = utils.deepClone({ set, list: [{ a: 1 }] });
  assert.equal(clone.set, set);
  assert.deepEqual(utils.duplicate({ a: undefined, b: 1 }), { b: 1 });
  assert.deepEqual([null, undefined, {}, [], new Map(), 0, "", false].map(utils.isEmpty), [true, true, true, true, true, false, false, false]);
  assert.deepEqual([null, [], {}, set, "x", 1, () => {}].map(utils.getType), ["null", "Array", "Object", "Set", "string", "number", "function"]);
  assert.equal(utils.isNewerVersion("12.343", "12.331"), true);
  assert.equal(utils.isNewerVersion("12", "12"), false);
  assert.equal(utils.isNewerVersion("1.10", "1.9"), true);
  assert.equal(utils.isSubclass(class extends Map {}, Map), true);
});

test("a Collection iterates over values, getName takes the first, strict ones throw", () => {
  const collection = new utils.Collection([["a", { name: "Twin", n: 1 }], ["b", { name: "Twin", n: 2 }]]);
  assert.deepEqual([...collection].map(({ n }) => n), [1, 2]);
  assert.equal(collection.getName("Twin").n, 1);
  assert.equal(collection.getName("None"), undefined);
  assert.throws(() => collection.getName("None", { strict: true }), /does not exist/);
  assert.throws(() => collection.get("z", { strict: true }), /does not exist/);
  assert.deepEqual(collection.map(({ n }) => n), [1, 2]);
  assert.equal(collection.some(({ n }) => n === 2), true);
  assert.equal(collection.reduce((sum, { n }) => sum + n, 0), 3);
});

test("hooks: order, once, removal by number and by function, start-up order", () => {
  const { Hooks } = createWorld().gm;
  const seen = [];
  const first = Hooks.on("x", () => seen.push(1));
  const second = () => seen.push(2);
  Hooks.once("x", second);
  Hooks.on("x", () => seen.push(3));
  Hooks.callAll("x");
  Hooks.off("x", first);
  Hooks.callAll("x");
  assert.deepEqual(seen, [1, 2, 3, 3]);
  assert.equal(Hooks.call("x"), true);
  assert.equal(Hooks.events.x.length, 1);

  const world = createWorld({ start: false });
  const order = [];
  for (const hook of ["ready", "setup", "i18nInit", "init"]) world.gm.Hooks.once(hook, () => order.push([hook, world.gm.game.ready]));
  world.gm.start();
  assert.deepEqual(order, [["init", false], ["i18nInit", false], ["setup", false], ["ready", true]]);
});

test("what the simulator does not have is loud; what a version does not have is undefined", () => {
  const world = createWorld({ version: 12 });
  const target = {};
  world.gm.install(target);
  assert.throws(() => target.foundry.utils.invented, (error) => error instanceof SimulatorGap && error.path === "foundry.utils.invented");
  assert.throws(() => target.game.invented, SimulatorGap);
  assert.equal(target.foundry.applications.ux, undefined);
  assert.equal(target.foundry.data.operators, undefined);
  assert.equal("ux" in target.foundry.applications, false);
  world.gm.uninstall();
  assert.deepEqual(Object.keys(target), []);
});

test("installing keeps what was there and puts it back", () => {
  const target = { game: "mine" };
  const { gm } = createWorld();
  gm.install(target);
  assert.equal(target.game.world.title, "The Sunken Inn");
  gm.uninstall();
  assert.deepEqual(target, { game: "mine" });
});

test("the same seed gives the same world; another gives another", async () => {
  const run = async (seed) => {
    const world = createWorld({ seed, latency: [1, 50] });
    const made = await world.clock.settle(world.gm.classOf("Actor").create({ name: "A", type: "npc" }));
    return [made.id, world.clock.now(), JSON.stringify(world.log.entries)];
  };
  assert.deepEqual(await run(7), await run(7));
  assert.notDeepEqual(await run(7), await run(8));
});

test("the virtual clock fires in order, and what a timer starts runs before the next", async () => {
  const clock = new VirtualClock(0);
  const seen = [];
  clock.setTimeout(() => seen.push(`b${clock.now()}`), 20);
  clock.setTimeout(async () => {
    await null;
    seen.push(`a${clock.now()}`);
    clock.setTimeout(() => seen.push(`c${clock.now()}`), 5);
  }, 10);
  const every = clock.setInterval(() => seen.push(`i${clock.now()}`), 12);
  await clock.advance(25);
  clock.clearInterval(every);
  assert.deepEqual(seen, ["a10", "i12", "c15", "b20", "i24"]);
  await assert.rejects(clock.settle(new Promise(() => {})), /nothing left on the clock/);
});

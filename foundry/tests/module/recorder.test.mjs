import assert from "node:assert/strict";
import test from "node:test";

import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { canonical, diffWorlds } from "../../simulator/index.js";
import { Bench, failures } from "./bench.mjs";

/** Run a test on a bench with the Sunken Inn. */
async function onBench(options, run) {
  const bench = new Bench({ ...sunkenInn({ players: true }), ...options });
  try {
    await run(bench, bench.gm.game);
  } finally {
    bench.dispose();
  }
}

const named = (game, name = "Ottar Reed") => game.actors.getName(name);

test("two recordings never mix, and a failing one does not hold up the next", () => onBench({}, async (bench, game) => {
  const first = bench.dispatch("eval")({ rp: { id: "rp-00000a" }, code: 'await game.actors.getName("Ottar Reed").update({sort: 1}); throw new Error("no ale")' });
  const second = bench.dispatch("eval")({ rp: { id: "rp-00000b" }, code: 'await game.actors.getName("Old Pike").update({sort: 2})' });
  const refused = assert.rejects(first, (error) => {
    assert.equal(error.code, -33002);
    assert.match(error.data.stack, /no ale/);
    assert.deepEqual(error.data.rollback, { streamed: 2 });
    return true;
  });
  await bench.settle(second);
  await refused;
  await bench.close();
  assert.deepEqual(bench.relay.point("rp-00000a").entries.map(({ uuid }) => uuid), [named(game).uuid]);
  assert.deepEqual(bench.relay.point("rp-00000b").entries.map(({ uuid }) => uuid), [named(game, "Old Pike").uuid]);
}));

test("the next recording ends the tail of the one before", () => onBench({}, async (bench) => {
  const write = (id) => bench.settle(bench.dispatch("eval")({ rp: { id }, code: "await game.actors.contents[0].update({sort: Math.random()})" }));
  await write("rp-00000a");
  assert.equal(bench.relay.closed.has("rp-00000a"), false);
  await write("rp-00000b");
  bench.stream.flush();
  assert.equal(bench.relay.closed.has("rp-00000a"), true);
  assert.equal(bench.relay.closed.has("rp-00000b"), false);
}));

test("several requests of one point go on counting, and it is closed once they are done", () => onBench({}, async (bench) => {
  for (const sort of [1, 2]) {
    await bench.settle(bench.dispatch("eval")({ rp: { id: "rp-00000a" }, code: `await game.actors.contents[0].update({sort: ${sort} + 7000})` }));
  }
  await bench.close();
  assert.deepEqual([...bench.relay.raw.get("rp-00000a").keys()], [1, 2, 3, 4]);
  assert.equal(bench.relay.notifications.filter(({ method }) => method === "rollback.closed").length, 1);
}));

test("a recording whose request threw says why when it ends, in case the answer is lost", () => onBench({}, async (bench) => {
  const code = 'await game.actors.contents[0].update({sort: 4242}); throw new Error("no ale")';
  await assert.rejects(bench.settle(bench.dispatch("eval")({ rp: { id: "rp-00000a" }, code })));
  await bench.close();
  const [ending] = bench.relay.notifications.filter(({ method }) => method === "rollback.closed");
  assert.match(ending.params.failed, /no ale/);
}));

test("a late answer of the server confirms its intent, even in a closed recording", () => onBench({}, async (bench, game) => {
  const actor = named(game);
  bench.world.faults.add({ fault: "delay", ms: 5000, match: { documentName: "Actor" }, times: 1 });
  void bench.dispatch("eval")({ rp: { id: "rp-00000a" }, code: 'void game.actors.getName("Ottar Reed").update({sort: 4242}); return 1' });
  await bench.clock.advance(3000);
  bench.stream.flush();
  assert.equal(bench.relay.closed.has("rp-00000a"), true);
  assert.deepEqual(bench.relay.point("rp-00000a").entries, []);
  await bench.clock.advance(4000);
  bench.stream.flush();
  const { entries } = bench.relay.point("rp-00000a");
  assert.deepEqual(entries.map(({ uuid, changes }) => [uuid, changes[0].after]), [[actor.uuid, 4242]]);
}));

test("a runaway's later writes are said, and the point recorded meanwhile is suspect", () => onBench({}, async (bench, game) => {
  const runaway = bench.dispatch("eval")({
    rp: { id: "rp-00000a", limitSeconds: 2 },
    code: "await new Promise((done) => { globalThis.release = done; }); await game.actors.contents[1].update({sort: 9999})",
  });
  const ended = assert.rejects(bench.settle(runaway), (error) => {
    assert.equal(error.code, -33010);
    assert.deepEqual([error.data.method, error.data.seconds, error.data.runaway], ["eval", 2, true]);
    return true;
  });
  await ended;
  await bench.settle(game.actors.contents[0].update({ sort: 5555 }));
  assert.deepEqual(bench.uncovered.map(({ why, suspect }) => [why, suspect]), [["runaway", "rp-00000a"]]);
  const { rollback } = await bench.call("eval", { rp: { id: "rp-00000b" }, code: "return 1" });
  assert.equal(rollback.suspect, "rp-00000a");
  assert.equal(bench.relay.closed.get("rp-00000b").suspect, "rp-00000a");
  globalThis.release();
  delete globalThis.release;
  await bench.clock.advance(10);
}));

test("what another tab of the same user records is none of ours", () => onBench({}, async (bench, game) => {
  const other = bench.world.connect("Gamemaster");
  const point = await bench.record(async () => {
    await named(other.game).update({ sort: 31 }, { _aagmRp: "rp-other0", _aagmBatch: "ffffffffffffffff.1" });
    await named(game, "Old Pike").update({ sort: 32 });
  });
  assert.deepEqual(point.entries.map(({ uuid }) => uuid), [named(game, "Old Pike").uuid]);
  assert.deepEqual(point.uncovered, []);
}));

test("a write of our own that is exempt is neither recorded nor kept from a protected document", () =>
  onBench({ protect: { names: ["The Inn's Ledger"] } }, async (bench, game) => {
    const ledger = game.journal.getName("The Inn's Ledger");
    const point = await bench.record(() => ledger.update({ sort: 12 }, { ...bench.recorder.exemption }));
    assert.equal(ledger.sort, 12);
    assert.deepEqual([point.entries, point.uncovered, point.error], [[], [], undefined]);
  }));

test("the module's own settings are kept from an agent's write", () => onBench({}, async (bench, game) => {
  game.settings.register("aagm", "mirrorPath", { scope: "world", type: String, default: "" });
  const point = await bench.record(() => game.settings.set("aagm", "mirrorPath", "/elsewhere"));
  assert.equal(point.error.code, -33014);
  assert.equal(game.settings.get("aagm", "mirrorPath"), "");
}));

test("a created document that nobody confirmed may exist, one refused beside a confirmed one does not", () => onBench({}, async (bench, game) => {
  bench.gm.Hooks.on("preCreateItem", (item) => (item.name === "refused" ? false : undefined));
  const { documentClass: Item } = game.items;
  const point = await bench.record(async () => {
    await Item.createDocuments([{ name: "refused", type: "gear" }, { name: "taken", type: "gear" }]);
    await Item.create({ name: "refused", type: "gear" });
  });
  assert.deepEqual(point.entries.map(({ uuid, name, confirmed }) => [uuid === null, name, confirmed]), [
    [false, "taken", undefined],
    [true, "refused", false],
  ]);
}));

test("a family relay gets one merged entry a document, the tail included", () => onBench({ streaming: false }, async (bench, game) => {
  const code = 'const a = game.actors.getName("Ottar Reed"); await a.update({sort: 1}); await a.update({sort: 2}); return 5';
  const result = await bench.call("eval", { rp: { id: "rp-00000a" }, code });
  assert.equal(result.value, 5);
  assert.equal(bench.relay.frames.length, 0);
  assert.deepEqual(result.rollback.entries.map(({ op, uuid, changes }) => [op, uuid, changes[0].after]), [["update", named(game).uuid, 2]]);
}));

test("a family module's points, kept as whole documents, are taken back too", () => onBench({}, async (bench, game) => {
  const actor = named(game);
  const before = actor.toObject();
  await bench.settle(actor.update({ name: "Changed", "flags.world.added": 1 }));
  const entry = { op: "update", uuid: actor.uuid, documentName: "Actor", name: actor.name, before };
  const { applied } = await bench.call("rollback.apply", { pointId: "rp-family", entries: [entry], rp: { id: "rp-00000b" } });
  assert.deepEqual(applied.map(({ ok }) => ok), [true]);
  const { _stats: was, ...whole } = before;
  const { _stats: is, ...now } = actor.toObject();
  assert.ok(was && is);
  assert.deepEqual(now, whole);
}));

test("entries that cannot be are refused before anything is written", () => onBench({}, async (bench) => {
  for (const entries of [null, [{ op: "rename" }], [{ op: "delete", uuid: "Actor.x" }]]) {
    await assert.rejects(bench.settle(bench.dispatch("rollback.apply")({ pointId: "rp", entries })), { code: -32602 });
  }
}));

test("what a listener adds to the second write of a rollback goes as what it added to the first did", () => onBench({}, async (bench, game) => {
  const pole = game.items.getName("Barge pole");
  const data = pole.toObject();
  let writes = 0;
  bench.gm.Hooks.on("preUpdateItem", (_item, changes) => {
    changes.flags = { world: { seen: ++writes } };
  });
  const before = canonical(bench.world);
  const point = await bench.record(async () => {
    await game.folders.getName("Storeroom").delete();
    await pole.delete();
    await game.items.documentClass.create({ ...data, name: "Eel fork", folder: null }, { keepId: true });
  });
  assert.deepEqual(failures(await bench.undo(point)), []);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  assert.ok(writes > 1);
}));

for (const [how, go] of Object.entries({
  "when its scene goes, too": async (game, scene, both) => {
    await both();
    await scene.delete();
  },
  "when its scene goes with its folder": async (game, scene, both) => {
    await both();
    await scene.folder.delete({ deleteContents: true });
  },
  "when its scene was asked to go before it came": (game, scene, both) => Promise.all([both(), scene.delete()]),
  "when its scene's folder was asked to go before it came": (game, scene, both) => Promise.all([both(), scene.folder.delete({ deleteContents: true })]),
})) {
  for (const folderContents of ["silent", "events"]) {
    test(`a change in a token whose actor goes meanwhile is kept ${how} (${folderContents})`, () => onBench({ facts: { folderContents } }, async (bench, game) => {
      const scene = game.scenes.active;
      if (!scene.folder) await scene.update({ folder: game.folders.find(({ type }) => type === "Scene").id });
      const before = canonical(bench.world);
      const { actor } = scene.tokens.find((token) => token.actor?.isToken);
      const point = await bench.record(() => go(game, scene, () => Promise.all([game.actors.get(actor.id).delete(), actor.update({ name: "Nobody's" })])));
      assert.deepEqual(failures(await bench.undo(point)), []);
      assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
    }));
  }
}

for (const [what, scene] of Object.entries({
  "of the write's own": (game) => game.scenes.documentClass.create({ name: "Cellar", notes: [{ text: "Eel barrel", x: 10, y: 10 }] }),
  "that was there": (game) => game.scenes.active,
})) {
  test(`a deletion that comes after that of the scene around it, one ${what}, leaves nothing that cannot be taken back`, () => onBench({}, async (bench, game) => {
    if (!game.scenes.active.notes.size) await game.scenes.active.createEmbeddedDocuments("Note", [{ text: "Eel barrel", x: 10, y: 10 }]);
    const before = canonical(bench.world);
    const point = await bench.record(async () => {
      const around = await scene(game);
      const [note] = around.notes;
      await Promise.allSettled([around.delete(), note.delete()]);
    });
    assert.deepEqual(point.entries.filter(({ documentName }) => documentName === "Note"), []);
    assert.deepEqual(failures(await bench.undo(point)), []);
    assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  }));
}

for (const folderContents of ["silent", "events"]) {
  test(`an item comes back to its folder also where a write without a pre hook follows on the server's move (${folderContents})`, () => onBench({ facts: { folderContents } }, async (bench, game) => {
    const folder = game.folders.getName("Storeroom");
    const item = game.items.find((each) => each.folder?.id === folder.id);
    const before = canonical(bench.world);
    const point = await bench.record(async () => {
      await folder.delete();
      await item.update({ sort: 83 }, { noHook: true });
    });
    assert.deepEqual(failures(await bench.undo(point)), []);
    const left = diffWorlds(before, canonical(bench.world)).flatMap(({ uuid, paths }) => paths.map(({ path }) => `${uuid} ${path}`));
    assert.deepEqual(left, point.uncovered.map(({ uuid }) => `${uuid} sort`));
  }));
}

for (const force of [false, true]) {
  test(`what a token's own actor had is not called put back while the token is linked (${force ? "forced" : "asked"})`, () => onBench({}, async (bench, game) => {
    const token = game.scenes.active.tokens.find((each) => each.actor?.isToken);
    const before = canonical(bench.world);
    const point = await bench.record(async () => {
      await token.actor.update({ name: "Nobody's" });
      await token.update({ rotation: 90 });
    });
    await bench.settle(token.update({ actorLink: true }));
    const [failed] = failures(await bench.undo(point, { force }));
    assert.match(failed.error, /^it is linked to its actor now/);
    assert.equal(token.rotation, 0);
    await bench.settle(token.update({ actorLink: false }));
    assert.deepEqual(failures(await bench.undo(point, { force })), []);
    assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  }));
}

test("what changed between the request to delete it and its deletion comes back as it was when it went", () => onBench({}, async (bench, game) => {
  const before = canonical(bench.world);
  const [staff, guests] = ["Staff", "Guests"].map((name) => game.folders.getName(name));
  const point = await bench.record(async () => {
    await guests.update({ folder: staff.id });
    await Promise.all([staff.delete(), guests.delete()]); // the first deletion moves the second folder out
  });
  await bench.undo(point);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
}));

/** The page as the module watches it; `act` is what the GM does in it. */
function watchedPage(bench) {
  const listeners = [];
  bench.ownHand.watch({ addEventListener: (type, run) => listeners.push([type, run]) });
  return (type, { tagName = "INPUT", within = ".application", isTrusted = true, ...more } = {}) => {
    const target = { tagName, closest: (selector) => (selector === within ? target : null) };
    for (const [each, run] of listeners) if (each === type) run({ type, isTrusted, target, ...more });
  };
}

const AGENT = 'await game.actors.getName("Ottar Reed").update({ sort: 4242 })';
const HANDS = {
  "a field of a sheet": [["change"]],
  "a button of a sheet": [["pointerup", { tagName: "BUTTON" }]],
  "Enter in a field": [["keydown", { key: "Enter" }]],
  "Delete on the canvas": [["keydown", { tagName: "BODY", key: "Delete" }]],
  "a drop on the canvas": [["drop", { tagName: "CANVAS" }]],
};
const NO_HANDS = {
  "nothing": [],
  "a script's click": [["pointerup", { isTrusted: false }]],
  "a click on the canvas": [["pointerup", { tagName: "CANVAS" }]],
  "a key on the canvas": [["keydown", { tagName: "BODY", key: "w" }]],
  "what is typed to the agent": [["keydown", { within: ".aagm", key: "a" }], ["pointerup", { within: ".aagm" }]],
};

for (const [what, events] of Object.entries({ ...HANDS, ...NO_HANDS })) {
  const isOwn = what in HANDS;
  test(`after the answer, ${what} ${isOwn ? "marks the GM's change, which no undo takes back" : "marks nothing: it is the tail of the write"}`, () =>
    onBench({}, async (bench, game) => {
      const act = watchedPage(bench);
      const [ottar, pike] = [named(game), named(game, "Old Pike")];
      const [was, wasPike] = [ottar.sort, pike.sort];
      const rp = { id: bench.newId() };
      await bench.settle(bench.dispatch("eval")({ rp, code: AGENT }));
      for (const [type, more] of events) act(type, more);
      await bench.settle(pike.update({ sort: 777 }));
      const made = await bench.settle(game.actors.documentClass.create({ name: "Brunna's Cat", type: pike.type }));
      await bench.close();
      const point = bench.relay.point(rp.id);
      assert.deepEqual(point.entries.map(({ op, own, tail }) => [op, own ?? false, tail ?? false]), [
        ["update", false, false], ["update", isOwn, true], ["create", isOwn, true],
      ]);
      assert.deepEqual(failures(await bench.undo(point)), []);
      assert.equal(ottar.sort, was);
      assert.equal(pike.sort, isOwn ? 777 : wasPike);
      assert.equal(game.actors.has(made.id), isOwn);
    }));
}

test("what the GM does while the script runs, or long before, leaves the script's writes its own", () => onBench({ limits: { settleMs: 800 } }, async (bench) => {
  const act = watchedPage(bench);
  act("change");
  const rp = { id: bench.newId() };
  await bench.settle(bench.dispatch("eval")({ rp, code: AGENT }));
  await bench.clock.advance(400);
  await bench.settle(named(bench.gm.game, "Old Pike").update({ sort: 777 }));
  await bench.close();
  assert.deepEqual(bench.relay.point(rp.id).entries.map(({ own }) => own ?? false), [false, false]);
}));

for (const version of [12, 13, 14]) {
  test(`what was there before is not what a refused creation with its id made (${version})`, () => onBench({ version }, async (bench, game) => {
    const pike = named(game, "Old Pike");
    const spear = named(game).items.contents[0];
    const pack = game.packs.get("world.old-menus");
    const menu = [...pack.index.keys()][0];
    const point = await bench.record(async () => {
      const keep = { keepId: true };
      const tries = [
        () => getDocumentClass("Actor").create({ _id: pike.id, name: "Double", type: pike.type }, keep),
        () => named(game).createEmbeddedDocuments("Item", [{ _id: spear.id, name: "Double", type: spear.type }], keep),
        () => getDocumentClass("JournalEntry").create({ _id: menu, name: "Double" }, { ...keep, pack: pack.collection }),
      ];
      for (const create of tries) await assert.rejects(create, /already exists/);
    });
    await bench.settle(pack.getDocument(menu));
    assert.deepEqual(point.entries, []);
    assert.deepEqual(failures(await bench.undo({ ...point, entries: [...bench.relay.raw.get(point.id).values()].filter(({ op }) => op) })), []);
    assert.equal(named(game, "Old Pike"), pike);
    assert.equal(named(game).items.get(spear.id), spear);
    assert.ok(pack.index.has(menu));
  }));

  test(`a document that takes the id of one that goes at the same time is undone (${version})`, () => onBench({ version }, async (bench, game) => {
    const before = canonical(bench.world);
    const pike = named(game, "Old Pike");
    const { id, type } = pike;
    const point = await bench.record(async () => {
      const going = pike.delete();
      await Promise.resolve(); // the request to delete leaves first
      await Promise.all([going, getDocumentClass("Actor").create({ _id: id, name: "Young Pike", type }, { keepId: true })]);
      assert.equal(game.actors.get(id).name, "Young Pike");
    });
    assert.equal(point.error, undefined);
    assert.deepEqual(failures(await bench.undo(point)), []);
    assert.equal(game.actors.get(id).name, "Old Pike");
    assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  }));
}

for (const [what, hidden] of [
  ["below what the write had written", [{ "flags.world.x": 2 }, { "flags.world.o": { q: 2 } }, { "flags.world.list.0": 3 }]],
  ["with a leading underscore", [{ "flags.world._x": 2 }]],
]) {
  test(`a key ${what} is covered when it is written again past the hooks`, () => onBench({}, async (bench, game) => {
    const before = canonical(bench.world);
    const point = await bench.record(async () => {
      await named(game).update({ "flags.world": { x: 1, _y: 1, o: { p: 1 }, list: [1, 2] } });
      for (const changes of hidden) await named(game).update(changes, { noHook: true });
    });
    assert.deepEqual(point.uncovered, []);
    assert.deepEqual(failures(await bench.undo(point)), []);
    assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  }));
}

test("a key with a leading underscore that nobody announced is told of, not passed over", () => onBench({}, async (bench, game) => {
  await bench.settle(named(game).update({ "flags.world": { x: 1, _y: 1 } }));
  const point = await bench.record(async () => {
    await named(game).update({ "flags.world.x": 2 });
    await named(game).update({ "flags.world._y": 2 }, { noHook: true });
  });
  assert.deepEqual(point.uncovered.map(({ op, why }) => [op, why]), [["update", "noHook"]]);
}));

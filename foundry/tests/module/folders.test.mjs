/** A folder that the agent made and somebody filed something in. */

import assert from "node:assert/strict";
import test from "node:test";

import { canonical, diffWorlds } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { Bench, check, failures } from "./bench.mjs";

/** What somebody does with the folder; what comes to lie in it. */
const FILINGS = {
  "makes an item in it": ({ game, folder }) => game.items.documentClass.create({ name: "Wet rope", type: "gear", folder: folder.id }),
  "moves an item into it": async ({ game, folder }) => {
    const [item] = game.items.contents;
    return item.update({ folder: folder.id });
  },
  "makes a folder in it": ({ game, folder }) => game.folders.documentClass.create({ name: "Ropes", type: "Item", folder: folder.id }),
};

const PACK = "world.lake-bestiary";

/** What somebody does with a folder in a compendium. */
const PACK_FILINGS = {
  "moves a loaded actor into it": async ({ pack, folder }) => {
    const actor = await pack.getDocument(pack.index.contents[0]._id);
    return actor.update({ folder: folder.id });
  },
  "makes an actor in it": ({ game, pack, folder }) =>
    game.actors.documentClass.create({ name: "Heron's chick", type: "npc", folder: folder.id }, { pack: pack.collection }),
  "made an actor in it that is no longer loaded": async ({ game, pack, folder }) => {
    const actor = await game.actors.documentClass.create({ name: "Heron's chick", type: "npc", folder: folder.id }, { pack: pack.collection });
    pack.index.get(actor.id).folder = folder.id;
    pack.clear();
    return actor;
  },
  "makes a folder in it": ({ game, pack, folder }) =>
    game.folders.documentClass.create({ name: "Chicks", type: "Actor", folder: folder.id }, { pack: pack.collection }),
};

async function within(run) {
  const bench = new Bench(sunkenInn());
  const { game } = bench.gm;
  try {
    await run({ bench, game });
  } finally {
    bench.dispose();
  }
}

/** Every way of filing, with a folder the agent made. */
function* filings() {
  for (const [pack, ways] of [[null, FILINGS], [PACK, PACK_FILINGS]]) {
    for (const [title, file] of Object.entries(ways)) yield { pack, title, file };
  }
}

async function onFiled({ pack: id, file }, run) {
  await within(async ({ bench, game }) => {
    const pack = id && game.packs.get(id);
    const type = id ? "Actor" : "Item";
    const point = await bench.record(() => game.folders.documentClass.create({ name: "Shelf", type }, id ? { pack: id } : {}));
    const folder = (pack ? pack.folders : game.folders).getName("Shelf");
    assert.deepEqual(await check(bench, point), []);
    const put = await bench.settle(file({ game, pack, folder }));
    await run({ bench, game, pack, point, folder, put });
  });
}

test("what somebody filed in a created folder is asked about", async () => {
  for (const way of filings()) {
    await onFiled(way, async ({ bench, point, folder }) => {
      assert.deepEqual(await check(bench, point), [[folder.uuid, true, undefined]], way.title);
    });
  }
});

test("a created folder that still holds something stays, unless forced", async () => {
  for (const way of filings()) {
    await onFiled(way, async ({ bench, game, pack, point, folder, put }) => {
      const before = canonical(bench.world);
      const refused = failures(await bench.undo(point)).map(({ uuid, error }) => [uuid, error]);
      assert.deepEqual(refused, [[folder.uuid, `it is not empty: ${put.name}`]], way.title);
      assert.deepEqual(diffWorlds(before, canonical(bench.world)), [], way.title);
      assert.deepEqual(failures(await bench.undo(point, { force: true })), [], way.title);
      assert.equal((pack ? pack.folders : game.folders).has(folder.id), false, way.title);
    });
  }
});

test("the first few of many are named", () => within(async ({ bench, game }) => {
  const { Folder, Item } = { Folder: game.folders.documentClass, Item: game.items.documentClass };
  const point = await bench.record(() => Folder.create({ name: "Shelf", type: "Item" }));
  const folder = game.folders.getName("Shelf").id;
  await bench.settle(Item.createDocuments(["Rope", "Hook", "Net", "Oar", "Bell"].map((name) => ({ name, type: "gear", folder }))));
  assert.deepEqual(failures(await bench.undo(point)).map(({ error }) => error), ["it is not empty: Rope, Hook, Net, 2 more"]);
}));

test("a folder around one that stays, stays as well", () => within(async ({ bench, game }) => {
  const { Folder, Item } = { Folder: game.folders.documentClass, Item: game.items.documentClass };
  const point = await bench.record(async () => {
    const outer = await Folder.create({ name: "Loft", type: "Item" });
    await Folder.create({ name: "Shelf", type: "Item", folder: outer.id });
  });
  await bench.settle(Item.create({ name: "Wet rope", type: "gear", folder: game.folders.getName("Shelf").id }));
  const said = failures(await bench.undo(point)).map(({ error }) => error).sort();
  assert.deepEqual(said, ["it is not empty: Shelf", "it is not empty: Wet rope"]);
}));

test("an item that the agent only renamed, and somebody filed, is somebody's filing", () => within(async ({ bench, game }) => {
  const [item] = game.items.contents;
  const point = await bench.record(async () => {
    await game.folders.documentClass.create({ name: "Shelf", type: "Item" });
    await item.update({ name: "Wet rope" });
  });
  const folder = game.folders.getName("Shelf");
  await bench.settle(item.update({ folder: folder.id }));
  assert.deepEqual(await check(bench, point), [[folder.uuid, true, undefined]]);
}));

test("what one write filed itself is out of the folder before it goes, in any order", () => within(async ({ bench, game }) => {
  const { Folder, Item } = { Folder: game.folders.documentClass, Item: game.items.documentClass };
  const [moved, renamed] = game.items.contents;
  const before = canonical(bench.world);
  const point = await bench.record(async () => {
    const made = await Item.create({ name: "Wet rope", type: "gear" }); // older than what it comes to lie in
    const inner = await Folder.create({ name: "Shelf", type: "Item" });
    const outer = await Folder.create({ name: "Loft", type: "Item" });
    await inner.update({ folder: outer.id });
    await made.update({ folder: inner.id });
    await moved.update({ folder: inner.id });
    await renamed.update({ name: "Dry rope", folder: outer.id });
    await Item.create({ name: "Oar", type: "gear", folder: outer.id });
  });
  const after = canonical(bench.world);
  assert.deepEqual(await check(bench, point), []);
  const redo = await bench.undo(point);
  assert.deepEqual(failures(redo), []);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  assert.deepEqual(failures(await bench.undo(redo)), []);
  assert.deepEqual(diffWorlds(after, canonical(bench.world)), []);
}));

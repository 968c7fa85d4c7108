/** Hazards 7 to 10, 15, 16, 22 to 25, 33, 40: parents, children, folders, packs. */

import assert from "node:assert/strict";

import { failures } from "../module/bench.mjs";
import { hazard, told } from "./stage.mjs";

const FOLDER_FACTS = [{ facts: { folderContents: "events" } }, { facts: { folderContents: "silent" } }];

hazard(7, "children written inline are restored by operations of their own", {
  mutant: { file: "recorder/recording.js", find: "const collections = [...touched.keys()].filter((key) => children.has(key));", put: "const collections = [];" },
}, async (stage) => {
  const actor = stage.actor();
  const [kept, changed] = actor.items.contents;
  await stage.exactly(() => actor.update({
    name: "Ottar of the Reeds",
    items: [{ name: "Eel", type: "gear" }, { _id: changed.id, name: "Renamed" }],
  }));
  await stage.exactly(() => actor.update({ items: [kept.toObject()] }, { recursive: false }));
  const [page] = stage.game.journal.contents[0].pages.contents;
  await stage.exactly(() => stage.game.journal.contents[0].update({ pages: [{ _id: page.id, name: "Torn out" }] }));
});

hazard(8, "a deleted parent comes back with the ids of all that lay in it", {
  variants: [{ facts: { keepEmbeddedIds: false } }, { facts: { keepEmbeddedIds: true } }],
  mutant: { file: "recorder/undo/recreate.js", find: "keepEmbeddedIds: true", put: "keepEmbeddedIds: false" },
}, async (stage) => {
  const walls = Array.from({ length: 300 }, (_, i) => ({ c: [i, 0, i, 9] }));
  await stage.settle(stage.scene.createEmbeddedDocuments("Wall", walls));
  const point = await stage.exactly(() => stage.scene.delete());
  await stage.record(() => stage.scene.delete());
  const redo = await stage.undo({ ...point, id: "rp-again" });
  assert.deepEqual(redo.entries.map(({ op, documentName }) => `${op} ${documentName}`), ["create Scene"]); // at one go
  const deep = stage.game.items.getName("Deep item one");
  await stage.exactly(() => stage.actor().createEmbeddedDocuments("Item", [deep.toObject()]));
  await stage.exactly(() => deep.delete());
  await stage.exactly(() => stage.actor().delete());
});

hazard(9, "a folder's subtree comes back, whichever way it was deleted", {
  variants: FOLDER_FACTS,
  mutant: { file: "recorder/partners.js", find: "      return folderPartners(document, options ?? {});", put: "      return [];" },
}, async (stage) => {
  for (const deleteSubfolders of [false, true]) {
    for (const deleteContents of [false, true]) {
      await stage.exactly(() => stage.game.folders.getName("Guests").delete({ deleteSubfolders, deleteContents }));
      await stage.exactly(() => stage.game.folders.getName("Storeroom").delete({ deleteSubfolders, deleteContents }));
      const pack = stage.game.packs.get("world.lake-bestiary");
      await stage.exactly(() => pack.folders.getName("Pack folder").delete({ deleteSubfolders, deleteContents }));
      await stage.exactly(async () => {
        await pack.folders.getName("Pack subfolder").delete();
        await pack.folders.getName("Pack folder").delete({ deleteSubfolders, deleteContents });
      });
    }
  }
  await stage.exactly(async () => {
    await stage.game.folders.getName("Guests").delete();
    await stage.actor().delete();
  });
  await stage.exactly(async () => {
    await stage.game.folders.getName("Guests").delete();
    await stage.actor().update({ folder: stage.game.folders.getName("Drowned Guests").id, name: "Ottar, moved twice" });
  });
  await stage.exactly(async () => {
    const data = stage.actor().toObject();
    await stage.game.folders.getName("Guests").delete({ deleteContents: true });
    await stage.game.actors.documentClass.create({ ...data, name: "Another Ottar", folder: null }, { keepId: true, keepEmbeddedIds: true });
  });
});

hazard(10, "what the server changes besides goes back too", {
  mutant: { file: "recorder/partners.js", find: "  if (changes.active !== true ||", put: "  if (true ||" },
}, async (stage) => {
  await stage.exactly(() => stage.game.scenes.getName("Jetty at Night").activate());
  await stage.exactly(() => stage.game.combats.contents[0].update({ scene: stage.game.combats.contents[1].scene.id, active: true }));
  await stage.exactly(() => stage.token().delete());
});

hazard(15, "deleted after it was changed, a document comes back as it was before both", {
  mutant: { file: "recorder/undo/apply.js", find: "    if (first) restored.push(first);", put: "    if (first && !recreated.some(({ uuid }) => uuid === first.uuid)) restored.push(first);" },
}, async (stage) => {
  await stage.exactly(async () => {
    await stage.actor().update({ name: "Once", "system.resource.value": 2 });
    await stage.actor("Once").update({ name: "Twice" });
    await stage.actor("Twice").delete();
  });
});

hazard(16, "made and gone again leaves nothing; gone and made again is a replacement", {
  mutant: { file: "recorder/undo/plan.js", find: "if (entry.op === \"create\") recreate.replacedBy = entry;", put: "if (entry.op === \"create\") tasks.push({ kind: \"remove\", uuid, entry, seqs });" },
}, async (stage) => {
  const { Actor } = { Actor: stage.game.actors.documentClass };
  const point = await stage.record(async () => {
    const made = await Actor.create({ name: "Brief", type: "npc", items: [{ name: "Brief thing", type: "gear" }] });
    await made.update({ name: "Briefer" });
    await made.delete();
  });
  assert.deepEqual(point.entries, []);
  await stage.exactly(async () => {
    const actor = stage.actor();
    const data = { ...actor.toObject(), name: "Another Ottar", items: [] };
    await actor.delete();
    await Actor.create(data, { keepId: true });
  });
  await stage.exactly(async () => {
    const again = { keepId: true, keepEmbeddedIds: true };
    const item = stage.actor().items.contents[0];
    const { id } = item;
    const thing = { ...item.toObject(), name: "Another thing" };
    await item.delete();
    await stage.actor().createEmbeddedDocuments("Item", [thing], again);
    const data = stage.actor().toObject();
    await stage.actor().delete();
    const made = await Actor.create(data, again);
    await made.items.get(id).createEmbeddedDocuments("ActiveEffect", [{ name: "Glow", img: "icons/svg/light.svg" }]);
  });
});

hazard(22, "an id that is taken again is a conflict, and overwritten only when forced", {
  mutant: { file: "recorder/undo/recreate.js", find: "  const existing = await find(uuid);", put: "  const existing = null;" },
}, async (stage) => {
  const before = stage.look();
  const actor = stage.actor();
  const data = actor.toObject();
  const point = await stage.record(() => actor.delete());
  await stage.settle(stage.game.actors.documentClass.create({ ...data, name: "Usurper", items: [] }, { keepId: true }));
  const refused = await stage.undo(point);
  assert.deepEqual(failures(refused).map(({ error }) => error), ["another document has its id now"]);
  assert.equal(stage.game.actors.get(data._id).name, "Usurper");
  const forced = await stage.undo(point, { force: true });
  assert.deepEqual(failures(forced), []);
  assert.deepEqual(stage.changed(before), []);
});

hazard(23, "children come back after what they lie in, whatever went first", {
  mutant: { file: "recorder/undo/recreate.js", find: "return 1000 * (depthOf(task.uuid) + 1);", put: "return 1000 * (9 - depthOf(task.uuid));" },
}, async (stage) => {
  await stage.exactly(async () => {
    const actor = stage.actor();
    await actor.items.contents[0].delete();
    await actor.items.contents[0].update({ name: "Soon gone" });
    await actor.delete();
  });
  const point = await stage.record(() => stage.actor().items.contents[0].delete());
  await stage.settle(stage.actor().delete());
  assert.deepEqual(failures(await stage.undo(point)).map(({ error }) => error), ["what it lies in is gone"]);
});

hazard(24, "an actor that comes back finds its tokens and fighters, and no folder that is gone", {
  mutant: { file: "recorder/undo/recreate.js", find: "  if (data.folder && !(await folderExists(data.folder, entry.pack))) {", put: "  if (false) {" },
}, async (stage) => {
  await stage.exactly(() => stage.actor().delete());
  assert.equal(stage.token("Ottar").actor, stage.actor());
  const rat = stage.actor("Cellar Rat");
  await stage.exactly(() => rat.delete());
  assert.equal(stage.token().actor.name, "Cellar Rat");
  assert.ok(stage.game.combats.contents[0].combatants.find((each) => each.actor?.name === "Cellar Rat"));
  const point = await stage.record(() => stage.actor().delete());
  await stage.settle(stage.game.folders.getName("Guests").delete());
  const redo = await stage.undo(point);
  assert.equal(stage.actor()._source.folder, null);
  assert.deepEqual(redo.applied.map(({ ok, note }) => [ok, note]), [[true, "its folder is gone"]]);
});

hazard(25, "a locked compendium fails its entries and is never unlocked", {
  mutant: { file: "recorder/undo/batch.js", find: "    if (found.locked) throw new Error(`the compendium ${pack} is locked`);", put: "    if (found.locked) await found.configure({ locked: false });" },
}, async (stage) => {
  const pack = stage.game.packs.get("world.lake-bestiary");
  const heron = await stage.settle(pack.getDocument(pack.index.contents[0]._id));
  await stage.exactly(async () => {
    await heron.update({ name: "Grey heron" });
    await heron.createEmbeddedDocuments("Item", [{ name: "Frog", type: "gear" }]);
    await (await pack.getDocument(pack.index.contents[1]._id)).delete();
  });
  const before = stage.look();
  const point = await stage.record(async () => {
    await heron.update({ name: "Locked in" });
    await stage.actor().update({ name: "Free" });
  });
  await stage.settle(pack.configure({ locked: true }));
  const redo = await stage.undo(point);
  assert.deepEqual(failures(redo).map(({ uuid, error }) => [uuid, error]), [[heron.uuid, "the compendium world.lake-bestiary is locked"]]);
  assert.equal(pack.locked, true);
  assert.deepEqual(stage.changed(before), [heron.uuid]);
});

hazard(33, "a fight comes back with its turn, and is made active last", {
  mutant: { file: "recorder/undo/recreate.js", find: "data.active = false;", put: "data.active = true;" },
}, async (stage) => {
  const [combat] = stage.game.combats.contents;
  await stage.settle(combat.nextTurn());
  const point = await stage.exactly(() => combat.delete());
  await stage.record(() => stage.game.combats.contents.find((each) => each.active).delete());
  assert.equal(point.entries[0].data.turn, 1);
  const created = [];
  stage.gm.Hooks.on("createCombat", (made) => created.push(made._source.active));
  await stage.undo({ ...point, id: "rp-again" });
  assert.deepEqual(created, [false]);
  assert.equal(stage.game.combats.contents.find((each) => each.active).turn, 1);
});

hazard(40, "an import that makes some and overwrites others is taken back as both", {
  mutant: { file: "recorder/leaves.js", find: "|| !recursive || ", put: "|| " },
}, async (stage) => {
  const { documentClass: Item } = stage.game.items;
  const [old] = stage.game.items.contents;
  await stage.settle(old.update({ system: { worn: true, depth: 3 } }));
  const point = await stage.exactly(async () => {
    const fresh = Array.from({ length: 30 }, (_, i) => ({ _id: `Imported${String(i).padStart(8, "0")}`, name: `Import ${i}`, type: "gear" }));
    await Item.createDocuments(fresh, { keepId: true, keepEmbeddedIds: true });
    const { type, ...source } = old.toObject();
    assert.equal(type, "gear");
    await Item.updateDocuments([{ ...source, name: "Overwritten", system: { depth: 4 } }], { diff: false, recursive: false });
  });
  assert.equal(told(point).filter((text) => text.startsWith("create")).length, 30);
});

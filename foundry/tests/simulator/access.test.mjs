import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence, expectOrder } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(options = {}) {
  const world = createWorld({ ...sunkenInn({ players: true }), ...options });
  return { world, gm: world.gm, player: world.client("Ottar's player") };
}

test("a player may change what the player owns and nothing else; the server has the last word", async () => {
  const { world, player } = open();
  const { game } = player;
  await game.actors.getName("Ottar Reed").update({ name: "Ottar the Wet" });
  const mark = world.log.mark;
  await assert.rejects(game.actors.getName("Brunna Saltcask").update({ name: "Mine" }), /lacks permission to update Actor "Brunna Saltcask"/);
  expectOrder(world.log, ["preUpdateActor", "refused"], mark);
  await assert.rejects(player.classOf("Actor").create({ name: "New", type: "npc" }), /lacks permission to create/);
  await assert.rejects(game.settings.set("core", "time", 5), /permission/);
  await assert.rejects(game.folders.getName("Staff").delete(), /lacks permission/);
});

test("a player moves the token of an owned actor, and updates its items", async () => {
  const { player } = open();
  const scene = player.game.scenes.active;
  await scene.tokens.getName("Ottar").update({ x: 10 });
  await assert.rejects(scene.tokens.getName("Brunna").update({ x: 10 }), /lacks permission/);
  await player.game.actors.getName("Ottar Reed").items.getName("Eel spear").update({ name: "Bent spear" });
  await assert.rejects(player.game.actors.getName("Old Pike").items.getName("Stool").delete(), /lacks permission/);
});

test("levels of ownership: none, limited, observer, owner", async () => {
  const { gm, player, world } = open();
  const pike = gm.game.actors.getName("Old Pike");
  assert.equal(player.game.actors.getName("Old Pike").visible, false);
  await pike.update({ ownership: { default: 1 } });
  await world.clock.advance(0);
  const seen = player.game.actors.getName("Old Pike");
  assert.equal(seen.limited, true);
  assert.equal(seen.isOwner, false);
  assert.equal(seen.testUserPermission(player.game.user, "OBSERVER"), false);
  assert.equal(pike.isOwner, true);
});

test("no user gives itself a role", async () => {
  const { player, gm } = open();
  await assert.rejects(player.game.user.update({ role: 4 }), /lacks permission/);
  await player.game.user.setFlag("world", "seen", true);
  assert.equal(gm.game.users.get(player.userId).getFlag("world", "seen"), true);
});

test("a batch with one refused document is refused whole", async () => {
  const { world, player } = open();
  const { game } = player;
  const ids = ["Ottar Reed", "Brunna Saltcask"].map((name) => game.actors.getName(name).id);
  await assert.rejects(player.classOf("Actor").updateDocuments(ids.map((_id) => ({ _id, img: "x.webp" }))), /lacks permission/);
  assert.notEqual(world.server.store.primary("Actor").get(ids[0]).img, "x.webp");
});

test("all clients see all writes in one order, and two writers are both served", async () => {
  const { world, gm, player } = open({ latency: [5, 60], seed: 4 });
  const write = (client, n) => client.game.actors.getName("Ottar Reed").setFlag("world", client === gm ? "gm" : "player", n);
  const work = [];
  for (let n = 0; n < 5; n += 1) work.push(write(gm, n), write(player, n));
  await world.clock.settle(Promise.all(work));
  await world.clock.advance(200);
  assert.deepEqual(gm.game.actors.getName("Ottar Reed").flags.world, { gm: 4, player: 4 });
  const order = (client) => world.log.since(0, { client: client.name, phase: "updateActor" }).map((entry) => entry.userId);
  assert.deepEqual(order(gm), order(player));
  for (const client of world.clients) assert.deepEqual(divergence(client), []);
});

test("packs: documents are loaded, cached, dropped after five minutes; a locked pack is refused by the server", async () => {
  const { world, gm } = open();
  const pack = gm.game.packs.get("world.lake-bestiary");
  assert.equal(pack.index.getName("Reed Heron").type, "npc");
  const uuid = pack.getUuid(pack.index.getName("Reed Heron")._id);
  assert.equal(gm.fromUuidSync(uuid).name, "Reed Heron");
  const heron = await gm.fromUuid(uuid);
  assert.equal(heron.uuid, uuid);
  assert.equal(heron.pack, "world.lake-bestiary");
  assert.equal(await gm.fromUuid(uuid), heron);
  await world.clock.advance(301_000);
  assert.notEqual(await gm.fromUuid(uuid), heron);

  const mark = world.log.mark;
  await (await gm.fromUuid(uuid)).update({ name: "Grey heron" });
  assert.equal(pack.index.getName("Grey heron")._id, heron.id);
  expectOrder(world.log, ["preUpdateActor", "stored", "updateActor"], mark);

  const menu = await gm.game.packs.get("world.old-menus").getDocument("Menu000000000000");
  const locked = world.log.mark;
  await assert.rejects(menu.update({ name: "X" }), /You may not modify the Old Menus Compendium/);
  await assert.rejects(menu.pages.contents[0].update({ name: "X" }), /You may not modify/);
  expectOrder(world.log, ["preUpdateJournalEntry", "refused"], locked);
  await menu.compendium.configure({ locked: false });
  assert.equal(menu.compendium.locked, false);
  await menu.pages.contents[0].update({ name: "Eel" });
  assert.equal(menu.pages.contents[0].uuid, `${menu.uuid}.JournalEntryPage.${menu.pages.contents[0].id}`);
});

test("documents are created in packs and imported from them", async () => {
  const { gm } = open();
  const seen = [];
  gm.Hooks.on("updateCompendium", (pack) => seen.push(pack.collection));
  const made = await gm.classOf("Actor").create({ name: "Mud crab", type: "npc" }, { pack: "world.lake-bestiary" });
  assert.equal(made.uuid, `Compendium.world.lake-bestiary.Actor.${made.id}`);
  const [item] = await made.createEmbeddedDocuments("Item", [{ name: "Claw", type: "gear" }]);
  assert.equal(item.pack, "world.lake-bestiary");
  const imported = await gm.game.actors.importFromCompendium(made.compendium, made.id);
  assert.equal(imported._stats.compendiumSource, made.uuid);
  assert.equal(imported.items.getName("Claw").name, "Claw");
  const id = made.id;
  await made.delete();
  assert.equal(gm.game.packs.get("world.lake-bestiary").index.has(id), false);
  assert.equal(seen.length >= 2, true);
});

test("uuids: taken apart, relative ones, the older pack form, unknown ones", async () => {
  const { gm } = open();
  const page = gm.game.journal.contents[0].pages.contents[0];
  const parsed = gm.parseUuid(page.uuid);
  assert.deepEqual([parsed.type, parsed.id, parsed.primaryId, parsed.embedded], ["JournalEntryPage", page.id, page.parent.id, ["JournalEntryPage", page.id]]);
  assert.equal(gm.fromUuidSync(`.JournalEntryPage.${page.id}`, { relative: page.parent }), page);
  assert.equal((await gm.fromUuid("Compendium.world.lake-bestiary.ReedHeron0000000")).name, "Reed Heron");
  assert.equal(await gm.fromUuid("Actor.nosuchactor00000"), null);
  assert.equal(gm.fromUuidSync("nonsense"), null);
  assert.throws(() => gm.fromUuidSync("Compendium.world.old-menus.JournalEntry.Menu000000000000.JournalEntryPage.PageMenu00000000"), /cannot be retrieved synchronously/);
  assert.equal(gm.fromUuidSync("Compendium.world.old-menus.JournalEntry.Menu000000000000.JournalEntryPage.PageMenu00000000", { strict: false }), null);
});

test("socket messages reach the other clients, not the sender", async () => {
  const { world, gm, player } = open();
  const heard = [];
  player.socket.on("module.x", (data) => heard.push(["player", data]));
  gm.socket.on("module.x", (data) => heard.push(["gm", data]));
  gm.socket.emit("module.x", { n: 1 });
  await world.clock.advance(0);
  assert.deepEqual(heard, [["player", { n: 1 }]]);
});

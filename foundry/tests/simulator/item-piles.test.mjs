import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(options = {}) {
  const world = createWorld({ ...sunkenInn({ system: "sim-pf1", players: true }), system: "sim-pf1", modules: ["sim-item-piles"], ...options });
  const { game } = world.gm;
  return { world, gm: world.gm, player: world.client("Ottar's player"), ottar: game.actors.getName("Ottar Reed"), scene: game.scenes.active };
}

async function pile({ gm, scene }, items = [{ name: "Pearl", type: "loot", system: { quantity: 3 } }], data = {}) {
  const made = await gm.game.itempiles.API.createItemPile({ sceneId: scene.id, position: { x: 1, y: 2 }, items, data });
  return gm.fromUuidSync(made.tokenUuid);
}

const heard = (client, names) => {
  const log = [];
  for (const name of names) client.Hooks.on(`item-piles-${name}`, (...args) => log.push([name, ...args.map((arg) => arg?.uuid ?? arg)]));
  return log;
};

test("a pile is an unlinked token with flags, and the API knows it", async () => {
  const here = open();
  const token = await pile(here);
  const { API } = here.gm.game.itempiles;
  assert.equal(token.actorLink, false);
  assert.equal(API.isValidItemPile(token), true);
  assert.equal(API.isItemPileLootable(token), true);
  assert.equal(API.isItemPileMerchant(token), false);
  assert.equal(API.isItemPileEmpty(token), false);
  assert.equal(API.ITEM_QUANTITY_ATTRIBUTE, "system.quantity");
});

test("a player's transfer is done by the active game master, and all are told", async () => {
  const here = open();
  const { world, gm, player, ottar } = here;
  const token = await pile(here);
  await world.clock.advance(0);
  const [onGm, onPlayer] = [gm, player].map((client) => heard(client, ["preTransferItems", "transferItems"]));
  const mark = world.log.mark;
  const item = token.actor.items.contents[0];
  const moved = await player.game.itempiles.API.transferItems(player.fromUuidSync(token.uuid), player.game.actors.get(ottar.id), [{ _id: item.id, quantity: 1 }]);
  await world.clock.advance(0);
  assert.equal(moved[0].quantity, 1);
  assert.equal(ottar.items.getName("Pearl").system.quantity, 1);
  assert.equal(item.system.quantity, 2);
  assert.deepEqual(onGm.map(([name]) => name), ["preTransferItems", "transferItems"]);
  assert.deepEqual(onPlayer.map(([name]) => name), ["transferItems"]);
  assert.deepEqual(onPlayer[0].slice(1, 3), [token.actor.uuid, ottar.uuid]);
  assert.deepEqual([onGm[1].at(-2), onGm[1].at(-1)], [player.userId, null]);
  const writers = new Set(world.log.since(mark, { phase: "stored" }).map((entry) => entry.userId));
  assert.deepEqual([...writers], [gm.userId]);
  for (const client of world.clients) assert.deepEqual(divergence(client), []);
});

test("with the documentation's order the last two arguments change places", async () => {
  const here = open({ facts: { itemPilesOrder: "docs" } });
  const token = await pile(here);
  const log = heard(here.gm, ["transferAllItems"]);
  await here.gm.game.itempiles.API.transferAllItems(token, here.ottar);
  assert.deepEqual([log[0].at(-2), log[0].at(-1)], [null, here.gm.userId]);
});

test("an emptied pile goes, also when only filtered items remain; a container stays", async () => {
  const here = open();
  const { API } = here.gm.game.itempiles;
  const token = await pile(here, [{ name: "Pearl", type: "loot" }, { name: "Curse", type: "buff" }]);
  await API.removeItems(token, [{ _id: token.actor.items.getName("Pearl").id }]);
  assert.equal(here.scene.tokens.has(token.id), false);
  const chest = await pile(here, [{ name: "Pearl", type: "loot" }], { type: "container" });
  await API.transferAllItems(chest, here.ottar);
  assert.equal(here.scene.tokens.has(chest.id), true);
});

test("pre hooks refuse; deletion by hand asks nobody; deletion by the API does", async () => {
  const here = open();
  const { API } = here.gm.game.itempiles;
  const token = await pile(here);
  const log = heard(here.gm, ["preDeleteItemPile", "deleteItemPile"]);
  const hook = here.gm.Hooks.on("item-piles-preTransferItems", () => false);
  assert.equal(await API.transferItems(token, here.ottar, [{ _id: token.actor.items.contents[0].id }]), false);
  here.gm.Hooks.off("item-piles-preTransferItems", hook);
  await token.delete();
  assert.deepEqual(log, []);
  const other = await pile(here);
  await API.deleteItemPile(other);
  assert.deepEqual(log.map(([name]) => name), ["preDeleteItemPile", "deleteItemPile"]);
});

test("a merchant's refresh throws its stock away", async () => {
  const here = open();
  const token = await pile(here, [{ name: "Pearl", type: "loot" }], { type: "merchant" });
  const log = heard(here.gm, ["refreshInventory"]);
  await here.gm.game.itempiles.API.refreshMerchantInventory(token, [{ name: "Eel pie", type: "loot" }]);
  assert.deepEqual(token.actor.items.map((item) => item.name), ["Eel pie"]);
  assert.equal(log.length, 1);
});

test("trades and gifts tell their own hooks", async () => {
  const here = open();
  const { API } = here.gm.game.itempiles;
  const token = await pile(here, [{ name: "Pearl", type: "loot", system: { quantity: 5 } }], { type: "merchant" });
  const log = heard(here.gm, ["tradeItems", "giveItem"]);
  const [item] = token.actor.items.contents;
  await API.tradeItems(token, here.ottar, [{ _id: item.id, quantity: 2 }]);
  await API.giveItem(here.ottar, token, [{ _id: here.ottar.items.getName("Pearl").id, quantity: 1 }]);
  assert.deepEqual(log.map(([name]) => name), ["tradeItems", "giveItem"]);
  assert.equal(item.system.quantity, 4, "what comes back goes on the stack");
});

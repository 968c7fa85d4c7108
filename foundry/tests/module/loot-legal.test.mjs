import assert from "node:assert/strict";
import { test } from "node:test";
import { Chance } from "../programs/chance.mjs";
import { CHEST, GM, LootTable, MERCHANT, MIRELLE, NET, OTHER_GM, OTTAR, PLAYER, SAFE, pearl } from "./loot-table.mjs";

const PILES = [CHEST, MERCHANT, NET, SAFE];
const PEOPLE = [OTTAR, MIRELLE];
const NAMES = ["Lake pearl", "Damp letter", "Silver tankard", "Clay pipe"];

/** Goods of an actor that can be moved. */
const goodsOf = (actor) => actor.items.filter(({ type }) => ["loot", "equipment", "weapon"].includes(type));

const some = (chance, item) => ({ _id: item.id, quantity: chance.between(1, Number(item.system.quantity ?? 1)) });

/** Legal things that people do with piles. Each is given somebody's client. */
const ACTS = {
  transfer: [12, async ({ chance, at, API, pile, person }) => {
    const [from, to] = chance.is(0.7) ? [pile, person] : [person, pile];
    const items = chance.some(goodsOf(at(from)), 3);
    if (items.length) await API.transferItems(at(from), at(to), items.map((item) => some(chance, item)));
  }],
  transferAll: [2, ({ at, API, pile, person }) => API.transferAllItems(at(pile), at(person))],
  transferEverything: [1, ({ at, API, pile, person }) => API.transferEverything(at(pile), at(person))],
  give: [4, async ({ chance, at, API, pile, person }) => {
    const [item] = chance.some(goodsOf(at(person)), 1);
    if (item) await API.giveItem(at(person), at(pile), [some(chance, item)]);
  }],
  buy: [6, async ({ chance, at, API, person, hasMerchant }) => {
    if (!hasMerchant) return;
    const [item] = chance.some(goodsOf(at(MERCHANT)), 1);
    if (item && at(person).system.currency.gp >= 2) await API.tradeItems(at(MERCHANT), at(person), [some(chance, item)], { gp: 2 });
  }],
  sell: [5, async ({ chance, at, API, person, hasMerchant }) => {
    if (!hasMerchant) return;
    const [item] = chance.some(goodsOf(at(person)), 1);
    if (item && at(MERCHANT).system.currency.gp >= 1) await API.tradeItems(at(person), at(MERCHANT), [some(chance, item)], { gp: 1, sp: 0 });
  }],
  split: [3, ({ at, API, pile, people }) => API.splitItemPileContent(at(pile), people.map((uuid) => at(uuid)))],
  drop: [5, async ({ chance, at, API, person }) => {
    const [item] = chance.some(goodsOf(at(person)), 1);
    if (item) await API.dropItem(at(person), { itemId: item.id, quantity: some(chance, item).quantity, position: { x: 1, y: 1 } });
  }],
  add: [6, ({ chance, at, API, pile }) => API.addItems(at(pile), [{ ...pearl(chance.between(1, 4)), name: chance.pick(NAMES) }])],
  makePile: [1, ({ chance, API }) => API.createItemPile({ position: { x: 1, y: 1 }, items: [pearl(chance.between(1, 3))], data: { deleteWhenEmpty: false } })],
  byHand: [4, async ({ chance, at, pile, person }) => {
    const [item] = chance.some(goodsOf(at(pile)), 1);
    if (!item) return;
    const make = () => at(person).createEmbeddedDocuments("Item", [item.toObject()]);
    const take = () => item.delete();
    const [first, second] = chance.is(0.5) ? [make, take] : [take, make];
    await first();
    await second();
  }],
  betweenPiles: [2, async ({ chance, at, API, pile, piles }) => {
    const [item] = chance.some(goodsOf(at(pile)), 1);
    const other = chance.pick(piles.filter((uuid) => uuid !== pile));
    if (item && other) await API.transferItems(at(pile), at(other), [some(chance, item)]);
  }],
  splitStack: [2, async ({ at, pile }) => {
    const item = goodsOf(at(pile)).find(({ system }) => system.quantity > 1);
    if (!item) return;
    await at(pile).createEmbeddedDocuments("Item", [{ ...item.toObject(), system: { ...item.toObject().system, quantity: 1 } }]);
    await item.update({ "system.quantity": item.system.quantity - 1 });
  }],
  changeMoney: [2, ({ at, pile }) => {
    const { gp = 0, sp = 0 } = at(pile).system.currency;
    return gp ? at(pile).update({ "system.currency": { gp: gp - 1, sp: sp + 10 } }) : undefined;
  }],
  rename: [1, ({ chance, at, pile }) => goodsOf(at(pile))[0]?.update({ name: chance.pick(NAMES) })],
  spend: [2, async ({ at, person }) => goodsOf(at(person))[0]?.update({ "system.quantity": 0 })],
  openPile: [1, ({ client, pile }) => carrierOf(client, pile)?.update({ "flags.item-piles.data.closed": true })],
  moveToken: [1, ({ chance, client, pile }) => (pile.startsWith("Actor") ? undefined : client.fromUuidSync(pile)?.update({ x: chance.below(900) }))],
};

const carrierOf = (client, uuid) => client.fromUuidSync(uuid);

const BAG = Object.entries(ACTS).flatMap(([name, [weight]]) => Array(weight).fill(name));

for (const { seed, version, order } of [{ seed: 1, version: 12 }, { seed: 2, version: 13, order: "docs" }, { seed: 3, version: 14 }]) {
  test(`500 legal acts raise no alarm, reloaded and armed again meanwhile (${version}, seed ${seed})`, async () => {
    const table = await LootTable.open({ version, seed, latency: [0, 120], facts: order ? { itemPilesOrder: order } : {} });
    try {
      const done = await live(table, new Chance(seed));
      await table.pass(20_000);
      assert.equal(done.acts, 500);
      assert.ok(done.reloads >= 3, "it was not reloaded");
      assert.deepEqual([table.queue.pending, table.queue.phantoms], [[], []], table.log.slice(-3000));
      assert.ok((table.log.match(/arrived/g) ?? []).length > 200, "hardly anything moved");

      // And it is still awake.
      await table.settle(game.itempiles.API.addItems(table.at(table.bench.gm, SAFE).uuid, [pearl(2)]));
      await table.pass();
      await table.settle(table.at(table.bench.gm, SAFE).items.getName("Lake pearl").delete());
      await table.pass();
      assert.equal(table.queue.pending.length, 1);
    } finally {
      table.dispose();
    }
  });
}

/** Who and what an act may touch: acts at the same time must not touch the same, or they would really lose something. */
const ALL = { piles: PILES, people: PEOPLE };
const APART = [{ piles: [CHEST, MERCHANT, NET], people: [OTTAR] }, { piles: [SAFE], people: [MIRELLE] }];

/** Five hundred acts by everybody, some at the same time, with reloads between. */
async function live(table, chance) {
  const done = { acts: 0, reloads: 0 };
  while (done.acts < 500) {
    const grounds = done.acts < 499 && chance.is(0.2) ? APART : [ALL];
    await table.settle(Promise.all(grounds.map((ground) => act(table, chance, chance.pick(BAG), ground))));
    done.acts += grounds.length;
    await table.pass(chance.between(0, 1500));
    if (done.acts < 97 * (done.reloads + 1)) continue;
    await table.reload();
    await table.arm();
    done.reloads += 1;
  }
  return done;
}

async function act(table, chance, name, { piles, people }) {
  const client = table.client(chance.pick([GM, OTHER_GM, PLAYER]));
  const at = (uuid) => {
    const found = client.fromUuidSync(uuid);
    return found?.documentName === "Token" ? found.actor : found;
  };
  const known = piles.filter((uuid) => at(uuid));
  if (known.length === 0) return;
  const context = {
    chance, client, at, API: client.game.itempiles.API, piles: known, people, pile: chance.pick(known), person: chance.pick(people), hasMerchant: known.includes(MERCHANT),
  };
  const [, run] = ACTS[name];
  if (client.name !== PLAYER || !["openPile", "moveToken"].includes(name)) await run(context);
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { CHEST, GM, LootTable, MERCHANT, MIRELLE, NET, OTHER_GM, OTTAR, PLAYER, SAFE, pearl } from "./loot-table.mjs";

const CAUSERS = [PLAYER, OTHER_GM, GM];
const CHEST_GOODS = [["Lake pearl", 3], ["Silver tankard", 1], ["7 GP", 700]];

/** Every row of the list of losses: who did what, and what must be on the list. `to` is who is to get it back. */
const LOSSES = [
  {
    title: "a pile is deleted with what lies in it",
    lose: (t, client) => t.at(client, CHEST).delete(),
    pending: CHEST_GOODS, to: "Rescued Loot", cause: "pile deleted",
  },
  {
    title: "all tokens of a scene are deleted at once",
    lose: (t, client) => t.at(client, "Scene.taproom000000000").deleteEmbeddedDocuments("Token", [], { deleteAll: true }),
    pending: [...CHEST_GOODS, ["Lake pearl", 10], ["100 GP", 10000]], to: "Rescued Loot", cause: "pile deleted",
  },
  {
    title: "a scene with a pile is deleted", by: [OTHER_GM, GM],
    lose: (t, client) => t.at(client, "Scene.jetty00000000000").delete(),
    pending: [["Lake pearl", 5]], to: "Rescued Loot", cause: "scene deleted",
  },
  {
    title: "the base actor of an unlinked pile is deleted",
    lose: (t, client) => t.at(client, "Actor.pilebase00000000").delete(),
    pending: CHEST_GOODS, to: "Rescued Loot", cause: "base actor deleted",
  },
  {
    title: "a linked pile's actor is deleted",
    lose: (t, client) => t.at(client, SAFE).delete(),
    pending: [["Signet ring", 1]], to: "Rescued Loot", cause: "actor deleted",
  },
  {
    title: "an item is deleted in a pile",
    lose: (t, client) => t.at(client, CHEST).actor.items.getName("Lake pearl").delete(),
    pending: [["Lake pearl", 3]], to: "Sunken chest", cause: "item deleted",
  },
  {
    title: "an item of the base actor is deleted, and every pile made from it has it no more",
    lose: (t, client) => t.at(client, "Actor.pilebase00000000").items.getName("Silver tankard").delete(),
    pending: [["Silver tankard", 1]], to: "Sunken chest", cause: "item deleted",
  },
  {
    title: "items are removed by a macro",
    lose: (t, client) => client.game.itempiles.API.removeItems(t.at(client, CHEST), [{ _id: "pearl00000000000", quantity: 2 }]),
    pending: [["Lake pearl", 2]], to: "Sunken chest", cause: "removeItems", isTold: true,
  },
  {
    title: "a merchant's stock is thrown away",
    lose: (t, client) => client.game.itempiles.API.refreshMerchantInventory(t.at(client, MERCHANT), [{ name: "Eel pie", type: "consumable", system: { quantity: 4 } }]),
    pending: [["Lake pearl", 10]], to: "Reed merchant", cause: "refreshInventory", isTold: true,
  },
  {
    title: "what a split does not share out vanishes",
    before: (t) => {
      t.faults.leftoversVanish = true;
    },
    lose: (t, client) => client.game.itempiles.API.splitItemPileContent(t.at(client, NET), [t.at(client, OTTAR), t.at(client, MIRELLE)]),
    pending: [["Lake pearl", 1]], to: "Rescued Loot", isGoneSince: true,
  },
  {
    title: "a pile goes as empty while filtered goods lie in it",
    before: async (t) => {
      t.world.module("item-piles").filters.push({ path: "system.subType", filters: "natural" });
      await t.at(t.bench.gm, NET).actor.createEmbeddedDocuments("Item", [{ name: "Heron beak", type: "weapon", system: { subType: "natural" } }]);
      await t.pass();
    },
    lose: (t, client) => client.game.itempiles.API.transferAllItems(t.at(client, NET), t.at(client, OTTAR)),
    pending: [["Heron beak", 1]], to: "Rescued Loot", cause: "pile deleted", isByExecutor: true,
  },
  {
    title: "a quantity is lowered",
    lose: (t, client) => t.at(client, CHEST).actor.items.getName("Lake pearl").update({ "system.quantity": 1 }),
    pending: [["Lake pearl", 2]], to: "Sunken chest", cause: "quantity lowered",
  },
  {
    title: "coins are taken out",
    lose: (t, client) => t.at(client, CHEST).actor.update({ "system.currency.gp": 2 }),
    pending: [["5 GP", 500]], to: "Sunken chest", cause: "actor changed",
  },
  {
    title: "a pile is pointed at another actor",
    lose: (t, client) => t.at(client, CHEST).update({ actorId: "otherbase0000000" }),
    pending: [["Silver tankard", 1]], to: "Sunken chest", cause: "token changed",
  },
  {
    title: "a pile is linked to its actor, and its own goods are gone",
    lose: (t, client) => t.at(client, CHEST).update({ actorLink: true }),
    pending: [["Lake pearl", 3], ["7 GP", 700]], to: "Sunken chest", cause: "token changed",
  },
  {
    title: "a pile's delta is restored",
    lose: (t, client) => t.at(client, CHEST).update({ delta: { _id: "chestdelta000000", name: null, type: null, img: null, system: {}, items: [], effects: [], ownership: null, flags: {} } }, { diff: false, recursive: false }),
    pending: [["Lake pearl", 3], ["7 GP", 700]], to: "Sunken chest", cause: "token changed",
  },
  {
    title: "a drop breaks off after the source was reduced",
    before: (t) => {
      t.faults.dropBreaksOff = true;
    },
    lose: (t, client) => client.game.itempiles.API.dropItem(t.at(client, OTTAR), { itemId: "cork000000000000", quantity: 1, position: { x: 1, y: 1 } }).catch(() => {}),
    pending: [["Lucky cork", 1]], to: "Ottar Reed", cause: "drop", isByExecutor: true,
  },
  {
    title: "goods vanish on their way to a player",
    before: (t) => {
      t.faults.inTransit = 2;
    },
    lose: (t, client) => client.game.itempiles.API.transferItems(t.at(client, CHEST), t.at(client, OTTAR), [{ _id: "pearl00000000000", quantity: 3 }]),
    pending: [["Lake pearl", 2]], to: "Ottar Reed", isTold: true,
  },
];

const goods = ({ pending }) => pending.map(({ item, shortfall }) => [item, shortfall]);
const sorted = (list) => list.map(String).sort();

for (const each of LOSSES) {
  for (const who of each.by ?? CAUSERS) {
    test(`${each.title}, by ${who}`, () => checkLoss(each, who));
  }
  for (const version of [13, 14]) test(`${each.title}, by us (${version})`, () => checkLoss(each, GM, { version }));
}

async function checkLoss({ before, lose, pending, to, cause, isTold, isByExecutor, isGoneSince }, who, options = {}) {
  const table = await LootTable.open(options);
  try {
    await before?.(table);
    const start = table.whispers.length;
    await table.settle(lose(table, table.client(who)));
    assert.deepEqual(table.queue.pending, [], "judged before it could arrive");
    await table.pass();

    const { queue } = table;
    assert.deepEqual(sorted(goods(queue)), sorted(pending));
    assert.deepEqual(queue.phantoms, []);
    for (const row of queue.pending) {
      assert.equal(row.recipient, to);
      if (cause) assert.equal(row.cause, cause);
      if (!isByExecutor && (isTold || !isGoneSince)) assert.equal(row.looter, who);
      assert.match(row.eventId, /^lw-\d+-[0-9a-z]{6}$/);
      assert.ok(table.log.includes(row.eventId), "the log does not name the event");
    }
    assert.ok(table.toasts.some((toast) => toast.startsWith("error: ")), "no toast");
    assert.equal(table.whispers.length, start + 1);
    assert.deepEqual(table.whispers.at(-1).whisper, ["agamemaster00000", "secondgm00000000"]);

    const { answer } = await table.restore();
    assert.deepEqual(answer.failed, []);
    assert.deepEqual(sorted(answer.restored.map(({ item, qty }) => [item, qty])), sorted(pending));
    assert.deepEqual(table.queue.pending, []);
  } finally {
    table.dispose();
  }
}

test("a player cannot delete a scene, and nothing is recorded of the attempt", async () => {
  const table = await LootTable.open();
  try {
    await assert.rejects(table.settle(table.at(table.client(PLAYER), "Scene.jetty00000000000").delete()));
    await table.pass();
    assert.deepEqual(table.queue.pending, []);
  } finally {
    table.dispose();
  }
});

const REVERTS = [
  ["by Item Piles", (t, client) => client.game.itempiles.API.revertFromItemPiles(t.at(client, CHEST)), CHEST],
  ["by the token's flags", (t, client) => t.at(client, CHEST).update({ "flags.item-piles.data.enabled": false }), CHEST],
  ["by the actor's flags", (t, client) => t.at(client, SAFE).update({ "flags.item-piles.data.enabled": false }), SAFE],
];

for (const [how, revert, uuid] of REVERTS) {
  for (const who of CAUSERS) {
    test(`a pile with goods in it is none any more, ${how}, by ${who}: told, nothing to grant`, async () => {
      const table = await LootTable.open();
      try {
        await table.settle(revert(table, table.client(who)));
        await table.pass();
        const { pending, phantoms } = table.queue;
        assert.deepEqual(pending, []);
        assert.deepEqual(phantoms.map(({ kind, outcome, cause }) => [kind, outcome, cause]), [["phantom", "reverted", "pile reverted"]]);
        assert.ok(phantoms[0].contents.length > 0);
        assert.ok(table.toasts.some((toast) => toast.startsWith("warning: ")));

        const { answer } = await table.restore({ eventIds: [phantoms[0].eventId] });
        assert.match(answer.failed[0].reason, /phantom/);
        const carrier = table.at(table.bench.gm, uuid);
        await table.settle(carrier.update({ "flags.item-piles.data.enabled": true }));
        await table.pass();
        assert.deepEqual(table.queue.phantoms, [], "a pile again, and still on the list");
      } finally {
        table.dispose();
      }
    });
  }
}

test("equipment of a kind the system does not know is a phantom, landed or lost", async () => {
  const table = await LootTable.open();
  try {
    globalThis.pf1 = { config: { equipmentTypes: { armor: {}, shield: {} } } };
    const odd = (name) => ({ name, type: "equipment", system: { quantity: 1, subType: "racialThing" } });
    const [landing, lost] = await table.settle(table.at(table.bench.gm, CHEST).actor.createEmbeddedDocuments("Item", [odd("Scaled skin"), odd("Gills")]));
    await table.pass();
    const { API } = game.itempiles;
    await table.settle(API.transferItems(table.at(table.bench.gm, CHEST), table.at(table.bench.gm, OTTAR), [{ _id: landing.id }]));
    table.faults.inTransit = 1;
    await table.settle(API.transferItems(table.at(table.bench.gm, CHEST), table.at(table.bench.gm, OTTAR), [{ _id: lost.id }]));
    await table.pass();
    const { pending, phantoms } = table.queue;
    assert.deepEqual(pending, []);
    assert.deepEqual(phantoms.map(({ item, outcome, recipient }) => [item, outcome, recipient]), [["Scaled skin", "landed", "Ottar Reed"], ["Gills", "lost", "Ottar Reed"]]);

    const { answer } = await table.restore({ ackPhantoms: [phantoms[0].eventId, "lw-0-nosuch"] });
    assert.deepEqual(answer.ackedPhantoms, [phantoms[0].eventId]);
    assert.deepEqual(answer.failed, [{ eventId: "lw-0-nosuch", reason: "no such phantom" }]);
    assert.deepEqual(table.queue.phantoms.map(({ item }) => item), ["Gills"]);
  } finally {
    delete globalThis.pf1;
    table.dispose();
  }
});

test("a looted corpse that is cleared away raises no alarm over its claws and feats", async () => {
  const table = await LootTable.open();
  try {
    const chest = table.at(table.bench.gm, CHEST);
    await table.settle(chest.actor.createEmbeddedDocuments("Item", [{ name: "Dodge", type: "feat", system: {} }]));
    await table.settle(game.itempiles.API.transferEverything(chest, table.at(table.bench.gm, OTTAR)));
    await table.pass();
    assert.equal(game.scenes.active.tokens.has("chest00000000000"), false, "the pile did not go by itself: this test proves nothing");
    assert.deepEqual([table.queue.pending, table.queue.phantoms], [[], []]);
    assert.match(table.log, /Dodge, no loot, gone from Sunken chest/);
  } finally {
    table.dispose();
  }
});

test("losses of one moment are one toast and one whisper, alike goods one record", async () => {
  const table = await LootTable.open();
  try {
    const { actor } = table.at(table.bench.gm, NET);
    await table.settle(actor.createEmbeddedDocuments("Item", [pearl(2)]));
    await table.pass();
    const toasts = table.toasts.length;
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    assert.deepEqual(goods(table.queue), [["Lake pearl", 7]]);
    assert.equal(table.toasts.length, toasts + 1);
  } finally {
    table.dispose();
  }
});

test("a loss that the Rescue Log cannot hold is told to the GM, not only to the console", async () => {
  const table = await LootTable.open();
  try {
    await table.settle(table.journal.delete());
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    assert.match(table.toasts.at(-1), /^error: AAGM.Loot.unwritten/);
  } finally {
    table.dispose();
  }
});

test("a loss is noticed though the tab's storage is full", async () => {
  const table = await LootTable.open();
  try {
    table.memory.set = () => {
      throw new Error("the quota is used up");
    };
    await table.settle(table.at(table.bench.gm, NET).delete());
    await table.pass();
    assert.deepEqual(goods(table.queue), [["Lake pearl", 5]]);
  } finally {
    table.dispose();
  }
});

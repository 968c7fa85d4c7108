/** A world with piles, an armed watchdog, and everybody who can lose loot in it. */

import { registerLootSettings } from "../../module/scripts/loot/macros.js";
import { Bench } from "./bench.mjs";

export const GM = "Gamemaster";
export const OTHER_GM = "Second GM";
export const PLAYER = "Ottar's player";

const OWNED = { default: 0, ottarsplayer0000: 3 };
const PILE = { enabled: true, type: "pile", deleteWhenEmpty: "default" };

export const pearl = (quantity = 3) => ({ name: "Lake pearl", type: "loot", system: { quantity } });
export const spear = () => ({ name: "Eel spear", type: "weapon", system: { quantity: 1 } });

const pile = (data = {}) => ({ "item-piles": { data: { ...PILE, ...data } } });

function docs() {
  return {
    Actor: [
      { _id: "ottar00000000000", name: "Ottar Reed", type: "character", ownership: OWNED, system: { currency: { gp: 20 } }, items: [{ _id: "cork000000000000", name: "Lucky cork", type: "equipment", system: { quantity: 2 } }] },
      { _id: "mirelle000000000", name: "Mirelle", type: "character", ownership: OWNED, system: { currency: { gp: 50, sp: 30 } } },
      { _id: "pilebase00000000", name: "Sunken chest", type: "npc", ownership: OWNED, items: [{ _id: "tankard000000000", name: "Silver tankard", type: "loot", system: { quantity: 1 } }] },
      { _id: "otherbase0000000", name: "Empty chest", type: "npc", ownership: OWNED },
      { _id: "linkedpile000000", name: "Innkeeper's safe", type: "npc", ownership: OWNED, prototypeToken: { actorLink: true }, flags: pile({ type: "container" }), items: [{ _id: "safering00000000", name: "Signet ring", type: "equipment", system: { quantity: 1 } }] },
    ],
    Scene: [
      {
        _id: "taproom000000000", name: "Taproom", active: true,
        tokens: [
          {
            _id: "chest00000000000", name: "Sunken chest", actorId: "pilebase00000000", actorLink: false, flags: pile(),
            delta: { _id: "chestdelta000000", system: { currency: { gp: 7 } }, items: [{ _id: "pearl00000000000", ...pearl() }, { _id: "claw000000000000", name: "Claw", type: "attack", system: {} }] },
          },
          { _id: "merchant00000000", name: "Reed merchant", actorId: "otherbase0000000", actorLink: false, flags: pile({ type: "merchant" }), delta: { _id: "merchantdelta000", system: { currency: { gp: 100 } }, items: [{ _id: "stockpearl000000", ...pearl(10) }] } },
        ],
      },
      { _id: "jetty00000000000", name: "Jetty", tokens: [{ _id: "jettypile0000000", name: "Net", actorId: "otherbase0000000", actorLink: false, flags: pile(), delta: { _id: "jettydelta000000", items: [{ _id: "jettypearl000000", ...pearl(5) }] } }] },
    ],
  };
}

export const CHEST = "Scene.taproom000000000.Token.chest00000000000";
export const MERCHANT = "Scene.taproom000000000.Token.merchant00000000";
export const NET = "Scene.jetty00000000000.Token.jettypile0000000";
export const SAFE = "Actor.linkedpile000000";
export const OTTAR = "Actor.ottar00000000000";
export const MIRELLE = "Actor.mirelle000000000";

/** The world, the bench and the watchdog. */
export class LootTable {
  memory = new Map();

  static async open(options = {}) {
    const { isArmed = true, ...rest } = options;
    const table = new LootTable(rest);
    if (isArmed) {
      await table.settle(table.loot.setUp());
      await table.arm();
    }
    return table;
  }

  constructor(options) {
    const users = [
      { _id: "agamemaster00000", name: GM, role: 4 },
      { _id: "secondgm00000000", name: OTHER_GM, role: 4 },
      { _id: "ottarsplayer0000", name: PLAYER, role: 1 },
    ];
    this.bench = new Bench({ system: "sim-pf1", modules: ["sim-item-piles"], users, docs: docs(), protect: { names: ["ItemPile Rescue Log"] }, ...options });
    this.world = this.bench.world;
    registerLootSettings();
    this.faults = this.world.module("item-piles")?.faults;
    this.loot = this.bench.newWatchdog("00000000000000aa", this.memory);
    this.bench.dispatchContext.loot = this.loot;
  }

  dispose() {
    this.bench.dispose();
  }

  settle(promise) {
    return this.bench.settle(promise);
  }

  get journal() {
    return game.journal.find(({ name }) => name === "ItemPile Rescue Log");
  }

  arm() {
    return this.settle(this.loot.toggle(this.journal?.id ?? "none"));
  }

  /** A page's reload: nothing is told to the old watchdog, and the new one finds what the tab's storage kept. */
  async reload() {
    const kept = new Map(this.memory);
    if (this.loot.isArmed) await this.settle(this.loot.toggle(""));
    this.memory.clear();
    for (const [key, text] of kept) this.memory.set(key, text);
    this.loot = this.bench.newWatchdog("00000000000000ab", this.memory);
    this.bench.dispatchContext.loot = this.loot;
  }

  client(name) {
    return this.world.client(name);
  }

  /** A document as a client sees it. */
  at(client, uuid) {
    return client.fromUuidSync(uuid);
  }

  /** Let every window pass. */
  async pass(ms = 9000) {
    await this.bench.clock.advance(ms);
  }

  get queue() {
    return this.loot.pending();
  }

  get log() {
    return this.journal.pages.find(({ name }) => name === "Session Log").text.content;
  }

  get toasts() {
    return this.bench.gm.ui.notifications.shown.map(({ type, message }) => `${type}: ${message}`);
  }

  get whispers() {
    return game.messages.contents.filter(({ whisper }) => whisper.length);
  }

  /** Give back as the relay has it done. */
  async restore(params = {}) {
    const id = this.bench.newId();
    const answer = await this.bench.call("loot.restore", { ...params, rp: { id } });
    return { answer, point: this.bench.relay.point(id) };
  }
}

/**
 * A table for one test, put away after it.
 * @param {(table: LootTable) => Promise<void>} run
 * @param {object} [options]  As of `LootTable.open()`.
 */
export async function within(run, options) {
  const table = await LootTable.open(options);
  try {
    await run(table);
  } finally {
    table.dispose();
  }
}

/** Two pearls vanish on their way to Ottar. */
export async function lose(table, quantity = 2) {
  table.faults.inTransit = quantity;
  const { API } = game.itempiles;
  await table.settle(API.transferItems(table.at(table.bench.gm, CHEST), table.at(table.bench.gm, OTTAR), [{ _id: "pearl00000000000", quantity: 3 }]));
  await table.pass();
  const [row] = table.queue.pending;
  return row;
}

export const ottar = () => game.actors.get("ottar00000000000");
/** How many lake pearls an actor has. */
export const pearlsOf = (actor) => actor.items.filter(({ name }) => name === "Lake pearl").reduce((sum, item) => sum + item.system.quantity, 0);

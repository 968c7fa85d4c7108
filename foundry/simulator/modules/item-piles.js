/**
 * Item Piles, as far as loot and its losses go. Work is done by the active game master's client; hooks are told to all.
 *
 * Source: FOUNDRY_FACTS 4.
 */
import { getProperty } from "../core/objects.js";

const QUANTITY = "system.quantity";
const CHANNEL = "module.item-piles";

/** Item types that are no loot, by system. */
const FILTERS = { pf1: ["attack", "buff", "class", "feat", "race", "spell"], dnd5e: ["feat", "spell", "class", "background"], pf2e: ["condition", "effect", "feat", "spell"] };

/** The actor behind a token, a document or a uuid. */
function actorOf(client, target) {
  const document = typeof target === "string" ? client.fromUuidSync(target) : (target?.document ?? target);
  return document?.documentName === "Token" ? document.actor : document;
}

/** A pile's settings: the token's copy counts on a scene. */
function pileData(actor) {
  const carrier = actor?.token ?? actor;
  return carrier?.flags?.["item-piles"]?.data ?? null;
}

/** Runs the work, on the active game master's client only. */
class Executor {
  #client;
  #api;

  constructor(client, api) {
    this.#client = client;
    this.#api = api;
  }

  #actor(uuid) {
    return actorOf(this.#client, uuid);
  }

  /** Call a "pre" hook: only here, and it may refuse. */
  #allowed(hook, ...args) {
    return this.#client.Hooks.call(`item-piles-${hook}`, ...args) !== false;
  }

  #broadcast(hook, ...args) {
    const carried = args.map((arg) => (arg?.uuid ? { $uuid: arg.uuid } : arg));
    this.#client.socket.emit(CHANNEL, { hook, args: carried });
    this.#client.Hooks.callAll(`item-piles-${hook}`, ...args);
  }

  /** The code's order of the last two arguments, or the documentation's. */
  #tail(userId, interactionId = null) {
    return this.#client.facts.itemPilesOrder === "docs" ? [interactionId, userId] : [userId, interactionId];
  }

  async addItems(targetUuid, items, userId) {
    const target = this.#actor(targetUuid);
    if (!this.#allowed("preAddItems", target, items, [], ...this.#tail(userId))) return false;
    const added = await this.#add(target, items);
    this.#broadcast("addItems", target, added, ...this.#tail(userId));
    return added;
  }

  async #add(target, items) {
    const made = await target.createEmbeddedDocuments("Item", items.map((item) => ({ ...item, _id: undefined })));
    return made.map((item) => ({ item: item.toObject(), quantity: Number(getProperty(item, QUANTITY) ?? 1) }));
  }

  async removeItems(targetUuid, items, userId) {
    const target = this.#actor(targetUuid);
    if (!this.#allowed("preRemoveItems", target, items, [], ...this.#tail(userId))) return false;
    const removed = await this.#remove(target, items);
    this.#broadcast("removeItems", target, removed, ...this.#tail(userId));
    await this.#deleteIfEmpty(target);
    return removed;
  }

  /** Take quantities out; what reaches zero is deleted. */
  async #remove(target, items) {
    const removed = [];
    for (const { _id, quantity } of items) {
      const item = target.items.get(_id);
      if (!item) continue;
      const held = Number(getProperty(item, QUANTITY) ?? 1);
      const taken = Math.min(held, quantity ?? held);
      removed.push({ item: { ...item.toObject(), system: { ...item.toObject().system, quantity: taken } }, quantity: taken });
      if (taken === held) await item.delete();
      else await item.update({ [QUANTITY]: held - taken });
    }
    return removed;
  }

  async transferItems(sourceUuid, targetUuid, items, userId) {
    const [source, target] = [this.#actor(sourceUuid), this.#actor(targetUuid)];
    if (!this.#allowed("preTransferItems", source, target, items, ...this.#tail(userId))) return false;
    const moved = await this.#move(source, target, items);
    this.#broadcast("transferItems", source, target, moved, ...this.#tail(userId));
    await this.#deleteIfEmpty(source);
    return moved;
  }

  async transferAllItems(sourceUuid, targetUuid, userId) {
    const [source, target] = [this.#actor(sourceUuid), this.#actor(targetUuid)];
    if (!this.#allowed("preTransferAllItems", source, target, ...this.#tail(userId))) return false;
    const items = this.#api.getActorItems(source).map((item) => ({ _id: item.id }));
    const moved = await this.#move(source, target, items);
    this.#broadcast("transferAllItems", source, target, moved, ...this.#tail(userId));
    await this.#deleteIfEmpty(source);
    return moved;
  }

  async #move(source, target, items) {
    const removed = await this.#remove(source, items);
    await this.#add(target, removed.map(({ item }) => item));
    return removed;
  }

  /** Trades and gifts are transfers under other names. */
  async giveItem(sourceUuid, targetUuid, items, userId) {
    const [source, target] = [this.#actor(sourceUuid), this.#actor(targetUuid)];
    if (!this.#allowed("preGiveItem", source, target, items, ...this.#tail(userId))) return false;
    const moved = await this.#move(source, target, items);
    this.#broadcast("giveItem", source, target, moved, ...this.#tail(userId));
    return moved;
  }

  async tradeItems(sellerUuid, buyerUuid, items, userId) {
    const [seller, buyer] = [this.#actor(sellerUuid), this.#actor(buyerUuid)];
    if (!this.#allowed("preTradeItems", seller, buyer, items, userId)) return false;
    const moved = await this.#move(seller, buyer, items);
    this.#broadcast("tradeItems", seller, buyer, moved, userId);
    return moved;
  }

  async createItemPile({ sceneId, position, items = [], tokenOverrides = {}, data = {} }, userId) {
    const client = this.#client;
    const scene = client.game.scenes.get(sceneId) ?? client.canvas.scene;
    const settings = { enabled: true, type: "pile", deleteWhenEmpty: "default", ...data };
    const creation = { name: "Item Pile", type: client.schema.typesOf("Actor").at(client.game.system.id === "pf1" ? 1 : 0), flags: { "item-piles": { data: settings } } };
    if (!this.#allowed("preCreateItemPile", creation, tokenOverrides, items, position)) return false;
    const actor = await client.classOf("Actor").create(creation);
    const token = { name: actor.name, actorId: actor.id, actorLink: false, ...position, flags: { "item-piles": { data: settings } }, ...tokenOverrides };
    const [made] = await scene.createEmbeddedDocuments("Token", [token]);
    if (items.length) await made.actor.createEmbeddedDocuments("Item", items);
    this.#broadcast("createItemPile", made, { items });
    return { tokenUuid: made.uuid, actorUuid: made.actor.uuid, userId };
  }

  async deleteItemPile(targetUuid) {
    const token = this.#actor(targetUuid)?.token;
    if (!token) return false;
    if (!this.#allowed("preDeleteItemPile", token)) return false;
    const { uuid } = token;
    await token.delete();
    this.#broadcast("deleteItemPile", uuid);
    return uuid;
  }

  /** A merchant's stock is thrown away and bought anew. */
  async refreshMerchantInventory(targetUuid, items, userId) {
    const target = this.#actor(targetUuid);
    if (!this.#allowed("preRefreshInventory", target, items)) return false;
    await target.deleteEmbeddedDocuments("Item", this.#api.getActorItems(target).map((item) => item.id));
    await target.createEmbeddedDocuments("Item", items);
    this.#broadcast("refreshInventory", target, items, userId);
    return true;
  }

  async #deleteIfEmpty(actor) {
    const data = pileData(actor);
    if (data?.type !== "pile" || data.deleteWhenEmpty === false || !actor.token || !this.#api.isItemPileEmpty(actor)) return;
    await actor.token.delete();
  }
}

const REMOTE = ["addItems", "removeItems", "transferItems", "transferAllItems", "giveItem", "tradeItems", "createItemPile", "deleteItemPile", "refreshMerchantInventory"];

/** Build `game.itempiles.API` of one client. */
function buildApi(client) {
  const kindIs = (target, type) => pileData(actorOf(client, target))?.type === type;
  const api = {
    ITEM_QUANTITY_ATTRIBUTE: QUANTITY,
    ITEM_PRICE_ATTRIBUTE: "system.price",
    ITEM_FILTERS: [{ path: "type", filters: (FILTERS[client.game.system.id] ?? []).join(",") }],
    CURRENCIES: ["pp", "gp", "sp", "cp"].map((name) => ({ name, type: "attribute", data: { path: `system.currency.${name}` } })),
    isValidItemPile: (target) => Boolean(pileData(actorOf(client, target))?.enabled),
    isItemPileLootable: (target) => api.isValidItemPile(target) && ["pile", "container"].includes(pileData(actorOf(client, target)).type),
    isItemPileContainer: (target) => kindIs(target, "container"),
    isItemPileMerchant: (target) => kindIs(target, "merchant"),
    isItemPileVault: (target) => kindIs(target, "vault"),
    isItemPileEmpty: (target) => !api.getActorItems(target).length && !api.getActorCurrencies(target).some(({ quantity }) => quantity > 0),
    getActorItems(target) {
      const filtered = FILTERS[client.game.system.id] ?? [];
      return actorOf(client, target).items.filter((item) => !filtered.includes(item.type));
    },
    getActorCurrencies(target) {
      const actor = actorOf(client, target);
      return api.CURRENCIES.map((currency) => ({ ...currency, quantity: Number(getProperty(actor, currency.data.path) ?? 0) }));
    },
  };
  return api;
}

/** Make the module. */
export function itemPiles() {
  return {
    id: "item-piles",
    title: "Simulated Item Piles",
    version: "3.3.4",
    setup(client) {
      const api = buildApi(client);
      const executor = new Executor(client, api);
      const waiting = new Map();
      const isExecutor = () => client.game.users.activeGM?.id === client.userId && client.leadsUser;
      const asUuid = (value) => value?.document?.uuid ?? value?.uuid ?? value;

      for (const method of REMOTE) {
        api[method] = (...args) => {
          const carried = [...args.map(asUuid), client.userId];
          if (isExecutor()) return executor[method](...carried);
          if (!client.game.users.activeGM) return Promise.reject(new Error("Item Piles requires a connected GM"));
          const call = client.randomID();
          const answered = new Promise((resolve) => waiting.set(call, resolve));
          client.socket.emit(CHANNEL, { call, method, args: carried });
          return answered;
        };
      }

      client.socket.on(CHANNEL, async ({ call, method, args, hook, answers, result }) => {
        if (hook) {
          const resolved = args.map((arg) => (arg?.$uuid ? client.fromUuidSync(arg.$uuid, { strict: false }) : arg));
          client.Hooks.callAll(`item-piles-${hook}`, ...resolved);
        } else if (answers) {
          waiting.get(answers)?.(result);
          waiting.delete(answers);
        } else if (isExecutor()) {
          const done = await executor[method](...args).catch((error) => client.report(error));
          client.socket.emit(CHANNEL, { answers: call, result: done ?? null });
        }
      });

      client.Hooks.once("ready", () => {
        client.game.itempiles = { API: api, hooks: {}, ...api };
        client.Hooks.callAll("item-piles-ready");
      });
    },
  };
}

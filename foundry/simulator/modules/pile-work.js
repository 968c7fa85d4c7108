/** What Item Piles does to piles, on the active game master's client. Source: FOUNDRY_FACTS 4. */
import { getProperty } from "../core/objects.js";

export const QUANTITY = "system.quantity";
export const CHANNEL = "module.item-piles";
export const COINS = ["pp", "gp", "sp", "cp"];

const coinPath = (name) => `system.currency.${name}`;
const quantityOf = (item) => Number(getProperty(item, QUANTITY) ?? 1);

/** The actor behind a token, a document or a uuid. */
export function actorOf(client, target) {
  const document = typeof target === "string" ? client.fromUuidSync(target) : (target?.document ?? target);
  return document?.documentName === "Token" ? document.actor : document;
}

/** A pile's settings: the token's copy counts on a scene. */
export function pileData(actor) {
  const carrier = actor?.token ?? actor;
  return carrier?.flags?.["item-piles"]?.data ?? null;
}

/** Runs the work, on the active game master's client only. */
export class Executor {
  #client;
  #api;
  #faults;

  /**
   * @param {object} faults What goes wrong: `inTransit`, units lost by the next move; `dropBreaksOff`, after the source was reduced;
   *   `leftoversVanish`, what a split does not share out.
   */
  constructor(client, api, faults) {
    this.#client = client;
    this.#api = api;
    this.#faults = faults;
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

  /** Goods of one name and type go on one stack. */
  async #add(target, items) {
    const added = [];
    for (const item of items) {
      const stack = target.items.find((held) => held.name === item.name && held.type === item.type);
      const quantity = quantityOf(item);
      if (stack) await stack.update({ [QUANTITY]: quantityOf(stack) + quantity });
      const [made] = stack ? [stack] : await target.createEmbeddedDocuments("Item", [{ ...item, _id: undefined }]);
      added.push({ item: made.toObject(), quantity });
    }
    return added;
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
    await this.#add(target, removed.map(({ item }) => this.#lessLost(item)).filter((item) => quantityOf(item) > 0));
    return removed;
  }

  #lessLost(item) {
    const lost = Math.min(quantityOf(item), this.#faults.inTransit);
    this.#faults.inTransit -= lost;
    return lost ? { ...item, system: { ...item.system, quantity: quantityOf(item) - lost } } : item;
  }

  async transferEverything(sourceUuid, targetUuid, userId) {
    const [source, target] = [this.#actor(sourceUuid), this.#actor(targetUuid)];
    if (!this.#allowed("preTransferEverything", source, target, ...this.#tail(userId))) return false;
    const moved = await this.#move(source, target, this.#api.getActorItems(source).map((item) => ({ _id: item.id })));
    await this.#pay(source, target, Object.fromEntries(COINS.map((name) => [name, Number(getProperty(source, coinPath(name)) ?? 0)])));
    this.#broadcast("transferEverything", source, target, moved, [], ...this.#tail(userId));
    await this.#deleteIfEmpty(source);
    return moved;
  }

  /** Move coins; what is owed may be more than there is of one kind. */
  async #pay(from, to, coins) {
    const taken = {};
    const given = {};
    for (const [name, count] of Object.entries(coins)) {
      if (!count) continue;
      taken[coinPath(name)] = Number(getProperty(from, coinPath(name)) ?? 0) - count;
      given[coinPath(name)] = Number(getProperty(to, coinPath(name)) ?? 0) + count;
    }
    if (!Object.keys(taken).length) return;
    await from.update(taken);
    await to.update(given);
  }

  /** Share every stack out; what does not divide stays. */
  async splitItemPileContent(sourceUuid, targetUuids, userId) {
    const source = this.#actor(sourceUuid);
    const targets = targetUuids.map((uuid) => this.#actor(uuid));
    if (!this.#allowed("preSplitItemPileContent", source, targets, userId)) return false;
    for (const item of this.#api.getActorItems(source)) {
      const share = Math.floor(quantityOf(item) / targets.length);
      if (share) for (const target of targets) await this.#move(source, target, [{ _id: item.id, quantity: share }]);
      if (this.#faults.leftoversVanish) await source.items.get(item.id)?.delete();
    }
    this.#broadcast("splitItemPileContent", source, targets.map((target) => target.uuid), userId);
    await this.#deleteIfEmpty(source);
    return true;
  }

  /** Put something down: into a new pile, in the order of steps that can break off half way. */
  async dropItem(sourceUuid, { itemId, quantity, position }, userId) {
    const source = this.#actor(sourceUuid);
    const item = source.items.get(itemId);
    const itemData = { ...item.toObject(), system: { ...item.toObject().system, quantity: quantity ?? quantityOf(item) } };
    if (!this.#allowed("preDropItem", source, undefined, position, itemData)) return false;
    await this.#remove(source, [{ _id: itemId, quantity }]);
    if (this.#faults.dropBreaksOff) throw new Error("the drop broke off");
    const made = await this.createItemPile({ position, items: [{ ...itemData, _id: undefined }] }, userId);
    this.#broadcast("dropItem", source, this.#client.fromUuidSync(made.tokenUuid), itemData, position);
    return made;
  }

  async turnIntoItemPiles(targetUuid) {
    return this.#mark(targetUuid, "turnIntoItemPiles", { enabled: true, type: "pile", deleteWhenEmpty: false });
  }

  async revertFromItemPiles(targetUuid) {
    return this.#mark(targetUuid, "revertFromItemPiles", { enabled: false });
  }

  async #mark(uuid, hook, data) {
    const actor = this.#actor(uuid);
    const carrier = actor.token ?? actor;
    await carrier.update({ flags: { "item-piles": { data } } });
    this.#broadcast(hook, [carrier.uuid]);
    return true;
  }

  /** Trades and gifts are transfers under other names. */
  async giveItem(sourceUuid, targetUuid, items, userId) {
    const [source, target] = [this.#actor(sourceUuid), this.#actor(targetUuid)];
    if (!this.#allowed("preGiveItem", source, target, items, ...this.#tail(userId))) return false;
    const moved = await this.#move(source, target, items);
    this.#broadcast("giveItem", source, target, moved, ...this.#tail(userId));
    return moved;
  }

  async tradeItems(sellerUuid, buyerUuid, items, price, userId) {
    const [seller, buyer] = [this.#actor(sellerUuid), this.#actor(buyerUuid)];
    if (!this.#allowed("preTradeItems", seller, buyer, items, userId)) return false;
    const moved = await this.#move(seller, buyer, items);
    await this.#pay(buyer, seller, price ?? {});
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


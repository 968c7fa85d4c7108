/** Follow everything that changes what piles hold, and keep the book. */

/** @import { Arrival, Movement, Verdict } from "./ledger.js" */
/** @import { Entry, Stock } from "./goods.js" */
/** @import { Timers } from "../timers.js" */
import { Ledger, WINDOW, compareStocks } from "./ledger.js";
import { actorOf, allHolders, holderOf, pileData, tokensOf } from "./piles.js";
import { MODULE_ID } from "../identity.js";
import { isPlain } from "../recorder/values.js";
import { parseStored } from "../stored.js";
import { readArguments } from "./shapes.js";
import { stockOf } from "./goods.js";

/** Hooks of Item Piles that say what went where; what they list first is the source. */
const MOVEMENTS = Object.freeze([
  "transferItems", "transferAllItems", "transferEverything", "tradeItems", "giveItem", "dropItem", "removeItems", "refreshInventory",
]);
const LISTS_THE_NEW = "refreshInventory"; // what it lists came; everything else went

const AFTER_RELOAD = 120_000; // ms for which an open book is worth reading again

/**
 * @typedef {object} Known  A holder as it was last seen.
 * @property {string} uuid
 * @property {string} name
 * @property {boolean} isPile
 * @property {string|null} baseId  Of an unlinked token: its base actor.
 * @property {Stock} stock
 */

/** @typedef {{ cause: string, userId: string|null, isGone?: boolean, isNew?: boolean, isSilent?: boolean }} Why */

/**
 * @typedef {object} WatchParts
 * @property {() => number} now  Milliseconds that go on over a reload.
 * @property {Timers} timers
 * @property {() => boolean} isUndoing  Our own rollback is at work: what it takes back is not lost.
 * @property {(verdicts: Verdict[]) => void} judged
 * @property {(arrival: Arrival & { pile: Known|null }) => void} came  pile: where it came to, if that is one.
 * @property {(pile: Known) => void} reverted  A pile with goods in it is none any more.
 * @property {(uuid: string) => void} piledAgain
 * @property {{ load: () => string|null, save: (text: string|null) => void }} memory  Of this tab; outlives a reload.
 */

/** One arming of the watchdog. */
export class LootWatch {
  #parts;
  #ledger = new Ledger();
  /** @type {Map<string, Known>} */
  #known = new Map();
  /** @type {{ from: string, kin: string, left: number, until: number }[]}  What is being dropped, by whom, how much of it is still to go. */
  #drops = [];
  /** @type {[string, number][]} */
  #hooks = [];
  #cancel = () => {};

  /** @param {WatchParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  start() {
    for (const holder of allHolders()) this.#known.set(holder.uuid, knownOf(holder));
    this.#readAgain();
    this.#listen("createItem", (item, _options, userId) => this.#item(item, { cause: "created", userId, isNew: true }));
    this.#listen("updateItem", (item, _changes, _options, userId) => this.#item(item, { cause: "quantity lowered", userId }));
    this.#listen("deleteItem", (item, _options, userId) => this.#item(item, { cause: "item deleted", userId }));
    this.#listen("createActor", (actor, _options, userId) => this.#actor(actor, { cause: "created", userId, isNew: true }));
    this.#listen("updateActor", (actor, _changes, _options, userId) => this.#actor(actor, { cause: "actor changed", userId }));
    this.#listen("deleteActor", (actor, _options, userId) => this.#actor(actor, { cause: "actor deleted", userId, isGone: true }));
    this.#listen("createToken", (token, _options, userId) => this.#token(token, { cause: "created", userId, isNew: true }));
    this.#listen("updateToken", (token, _changes, _options, userId) => this.#token(token, { cause: "token changed", userId }));
    this.#listen("deleteToken", (token, _options, userId) => this.#token(token, { cause: "pile deleted", userId, isGone: true }));
    this.#listen("updateActorDelta", (delta, _changes, _options, userId) => this.#token(delta.parent, { cause: "token changed", userId }));
    this.#listen("createScene", (scene, _options, userId) => this.#scene(scene, { cause: "created", userId, isNew: true }));
    this.#listen("deleteScene", (scene, _options, userId) => this.#scene(scene, { cause: "scene deleted", userId, isGone: true }));
    for (const name of MOVEMENTS) this.#listen(`item-piles-${name}`, (...args) => this.#moved(name, args));
    this.#listen("item-piles-preDropItem", (...args) => this.#dropping(args));
    this.#plan();
  }

  /** What still waits for its verdict is forgotten with the watch. */
  stop() {
    this.#cancel();
    for (const [name, id] of this.#hooks.splice(0)) Hooks.off(/** @type {any} */ (name), id);
    this.#parts.memory.save(null);
  }

  /**
   * Listen; what goes wrong in here must not disturb whoever works, and what was seen must be kept.
   * @param {string} name
   * @param {(...args: any[]) => void} run
   */
  #listen(name, run) {
    const guarded = (/** @type {any[]} */ ...args) => {
      try {
        run(...args);
        this.#plan();
      } catch (thrown) {
        console.error(`AAGM | the loot watchdog failed at ${name}`, thrown);
      }
    };
    this.#hooks.push([name, Hooks.on(/** @type {any} */ (name), /** @type {any} */ (guarded))]);
  }

  #plan() {
    this.#cancel();
    const { due } = this.#ledger;
    this.#keep();
    if (due === null) return;
    const { timers, now } = this.#parts;
    this.#cancel = timers.after(Math.max(0, due - now()), () => this.#judge());
  }

  #judge() {
    const verdicts = this.#ledger.judge(this.#parts.now());
    this.#plan();
    if (verdicts.length) this.#parts.judged(verdicts);
  }

  /**
   * @param {any} item
   * @param {Why} why
   */
  #item(item, why) {
    const actor = item.parent;
    if (actor?.documentName !== "Actor" || actor.pack) return;
    const holder = holderOf(actor);
    const isOurs = why.isNew && item._source.flags?.[MODULE_ID]?.restoredFrom !== undefined;
    const known = this.#known.get(holder.uuid);
    if (known || pileData(holder)) this.#look(holder, { ...why, isNew: false, isSilent: isOurs });
    else {
      // An unlinked token that is no pile, seen for the first time: what it had before nobody knows.
      this.#known.set(holder.uuid, knownOf(holder));
      const entry = this.#known.get(holder.uuid)?.stock.get(item.id);
      if (entry && !isOurs) this.#arrived(holder.uuid, null, entry, item.uuid);
    }
    this.#followers(actor, why);
  }

  /**
   * @param {any} actor
   * @param {Why} why
   */
  #actor(actor, why) {
    if (actor.pack) return;
    const holder = holderOf(actor);
    if (!actor.isToken || this.#known.has(holder.uuid) || pileData(holder)) this.#look(holder, why);
    this.#followers(actor, why);
  }

  /**
   * Unlinked piles inherit from their base actor.
   * @param {any} actor
   * @param {Why} why
   */
  #followers(actor, { cause, userId, isGone }) {
    if (actor.isToken) return;
    const uuids = [...this.#known.values()].filter(({ baseId }) => baseId === actor.id).map(({ uuid }) => uuid);
    for (const uuid of uuids) {
      const token = fromUuidSync(/** @type {any} */ (uuid));
      if (token) this.#look(token, { cause: isGone ? "base actor deleted" : cause, userId });
    }
  }

  /**
   * @param {any} token
   * @param {Why} why
   */
  #token(token, why) {
    if (token.pack || !(token.parent && (this.#known.has(token.uuid) || (!token.actorLink && pileData(token))))) return;
    this.#look(token, why);
    if (token.actorLink) this.#known.delete(token.uuid); // its goods are the actor's now
  }

  /**
   * @param {any} scene
   * @param {Why} why
   */
  #scene(scene, why) {
    if (scene.pack) return;
    for (const token of tokensOf(scene)) this.#token(token, why);
  }

  /**
   * Compare a holder with what it was, and write down what differs.
   * @param {any} holder
   * @param {Why} why
   */
  #look(holder, { cause, userId, isGone = false, isSilent = false }) {
    const before = this.#known.get(holder.uuid) ?? null;
    const after = isGone ? { ...knownOf(holder), isPile: false, stock: new Map() } : knownOf(holder);
    const { left, came } = compareStocks(before?.stock ?? new Map(), after.stock);
    if (isGone) this.#known.delete(holder.uuid);
    else this.#known.set(holder.uuid, after);
    const at = this.#parts.now();
    if (!isSilent && !this.#parts.isUndoing()) {
      for (const entry of left) {
        const quantity = before?.isPile ? entry.quantity : this.#dropped(holder.uuid, entry, at);
        if (quantity <= 0) continue;
        const departed = { ...entry, quantity, source: foundry.utils.deepClone(entry.source) };
        const drop = before?.isPile ? {} : { cause: "drop" };
        this.#ledger.left({ at, from: holder.uuid, fromName: holder.name, entry: departed, cause, userId, isGone, ...drop });
      }
    }
    for (const entry of came) {
      if (!isSilent) this.#arrived(holder.uuid, after, entry, itemUuid(holder, entry));
    }
    if (before?.isPile && !after.isPile && !isGone && !this.#parts.isUndoing()) this.#parts.reverted({ ...before, stock: after.stock });
    if (before && !before.isPile && after.isPile) this.#parts.piledAgain(holder.uuid);
  }

  /**
   * @param {string} to
   * @param {Known|null} holder
   * @param {Entry} entry
   * @param {string|null} itemUuid
   */
  #arrived(to, holder, { id, key, kin, quantity }, itemUuid) {
    const arrival = { at: this.#parts.now(), to, id, key, kin, quantity, itemUuid };
    if (!this.#parts.isUndoing()) this.#ledger.came(arrival);
    this.#parts.came({ ...arrival, pile: holder?.isPile ? holder : null });
  }

  /**
   * @param {string} hook
   * @param {unknown[]} args
   */
  #moved(hook, args) {
    const { source, target, userId, what } = readArguments(args);
    if (!source) return;
    this.#ledger.moved({ at: this.#parts.now(), hook, from: source.uuid, to: target?.uuid ?? null, userId, what: hook === LISTS_THE_NEW ? null : what });
  }

  /**
   * Somebody who is no pile is about to put something down.
   * @param {unknown[]} args
   */
  #dropping(args) {
    const { source, what } = readArguments(args);
    if (!source || !what) return;
    if (!this.#known.has(source.uuid)) this.#known.set(source.uuid, knownOf(source));
    const until = this.#parts.now() + WINDOW;
    for (const { kin, quantity } of what) if (kin !== null) this.#drops.push({ from: source.uuid, kin, left: quantity, until });
  }

  /**
   * @param {string} uuid
   * @param {Entry} entry
   * @param {number} at
   * @returns {number}  How much of what left was dropped; the rest is the holder's own business.
   */
  #dropped(uuid, { kin, quantity }, at) {
    this.#drops = this.#drops.filter(({ until, left }) => until >= at && left > 0);
    const drop = this.#drops.find((each) => each.from === uuid && each.kin === kin);
    const dropped = Math.min(quantity, drop?.left ?? 0);
    if (drop) drop.left -= dropped;
    return dropped;
  }

  /** Keep the open book where a reload finds it. */
  #keep() {
    const { memory, now } = this.#parts;
    if (this.#ledger.departures.length === 0) return memory.save(null);
    const totals = Object.fromEntries(this.#ledger.departures.map(({ entry: { kin } }) => [kin, this.#total(kin)]));
    memory.save(JSON.stringify({ at: now(), book: this.#ledger, totals }));
  }

  /** Go on with a book that a reload left open; what the world has gained of a kind meanwhile has arrived. */
  #readAgain() {
    const { memory, now } = this.#parts;
    const saved = savedIn(parseStored(memory.load()));
    if (!saved || now() - saved.at > AFTER_RELOAD) return;
    this.#ledger.goOn(saved.book);
    for (const [kin, total] of Object.entries(saved.totals)) {
      const quantity = this.#total(kin) - total;
      if (quantity > 0) this.#ledger.came({ at: saved.at, to: "", id: "", key: "", kin, quantity, itemUuid: null });
    }
  }

  /** @param {string} kin */
  #total(kin) {
    let total = 0;
    for (const { stock } of this.#known.values()) for (const entry of stock.values()) if (entry.kin === kin) total += entry.quantity;
    return total;
  }
}

/**
 * @param {unknown} value  What a tab kept.
 * @returns {Saved|null}  Null where it is no book.
 *
 * @typedef {{ at: number, book: import("./ledger.js").Book, totals: Record<string, number> }} Saved
 */
function savedIn(value) {
  if (!isPlain(value) || !isPlain(value.book) || !isPlain(value.totals)) return null;
  const { departures, arrivals, movements } = value.book;
  const areAll = (/** @type {unknown} */ list, /** @type {(each: any) => boolean} */ is) =>
    Array.isArray(list) && list.every((each) => isPlain(each) && Number.isFinite(each.at) && is(each));
  const isBook =
    areAll(departures, ({ entry }) => isPlain(entry) && isPlain(entry.source) && typeof entry.kin === "string" && Number.isFinite(entry.quantity)) &&
    areAll(arrivals, ({ quantity }) => Number.isFinite(quantity)) &&
    areAll(movements, ({ what }) => what === null || (Array.isArray(what) && what.every(isPlain)));
  return isBook && Number.isFinite(value.at) ? /** @type {Saved} */ (/** @type {unknown} */ (value)) : null;
}

/**
 * @param {any} holder
 * @returns {Known}
 */
function knownOf(holder) {
  const { uuid, name } = holder;
  const baseId = holder.documentName === "Token" && !holder.actorLink ? holder.actorId : null;
  return { uuid, name, isPile: pileData(holder) !== null, baseId, stock: stockOf(actorOf(holder)) };
}

/**
 * @param {any} holder
 * @param {Entry} entry
 * @returns {string|null}
 */
function itemUuid(holder, { id }) {
  return actorOf(holder)?.items.get(id)?.uuid ?? null;
}

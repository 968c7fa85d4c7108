/** The Loot Watchdog: armed by a macro, it notices what gets lost in Item Piles and keeps it in the Rescue Log. */

/** @import { Arrival, Verdict } from "./ledger.js" */
/** @import { Known } from "./watch.js" */
/** @import { LootRecord, Recipient } from "./records.js" */
/** @import { Recorder } from "../recorder/recorder.js" */
/** @import { Timers } from "../timers.js" */
import { PLACEHOLDER, lootMacros, provisionMacros } from "./macros.js";
import { actorOf, holderOf } from "./piles.js";
import { notice } from "../notices.js";
import { block, line, sentence, tell } from "./telling.js";
import { briefOf, merged, recordOf, revertedRecord } from "./records.js";
import { chestOf, setUpLog } from "./setup.js";
import { COINS, fingerprint, kindOf } from "./goods.js";
import { LootWatch } from "./watch.js";
import { RescueLog } from "./rescue-log.js";
import { restoreLoot } from "./restore.js";

const LATE = 60_000; // ms in which an arrival still takes a loss back

/**
 * @typedef {object} WatchdogParts
 * @property {Recorder} recorder
 * @property {Timers} timers
 * @property {() => number} now  Milliseconds that go on over a reload.
 * @property {() => string} memberName  "AAGM-K"
 * @property {string} tabInstance
 * @property {Storage|null} storage  Of this tab.
 */

/** @typedef {{ eventId: string, pileUuid: string, itemId: string|undefined, recipientUuid: string|null, kin: string, at: number }} Loss */

/** What the macros and the relay's loot methods work on. */
export class LootWatchdog {
  #parts;
  #log;
  /** @type {LootWatch|null} */
  #watch = null;
  #journalHook = 0;
  #undoing = 0;
  #isProvisioned = false;
  /** @type {Loss[]}  Pending ones that something may bring back. */
  #losses = [];

  /** @param {WatchdogParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#log = new RescueLog({ key: () => this.#key, options: () => parts.recorder.exemption });
  }

  get #key() {
    return `${this.#parts.memberName().toLowerCase()}-loot-rescue`;
  }

  get isArmed() {
    return this.#watch !== null;
  }

  /**
   * Run our own rollback: what it takes back is not lost.
   * @template T
   * @param {() => Promise<T>} run
   * @returns {Promise<T>}
   */
  async quietly(run) {
    this.#undoing += 1;
    try {
      return await run();
    } finally {
      this.#undoing -= 1;
    }
  }

  /** Make the macros, once a page, if this is the tab that does. */
  async provision() {
    if (this.#isProvisioned || !isActiveGm()) return;
    this.#isProvisioned = true;
    await provisionMacros(lootMacros(this.#parts.memberName()), this.#parts.recorder.exemption);
  }

  /** Make journal and chest, and put the journal's id into the macro. */
  async setUp() {
    if (!game.user.isGM) return this.#say("warn", "AAGM.Loot.gmOnly");
    const { memberName, recorder } = this.#parts;
    const made = await setUpLog(this.#log, { memberName: memberName(), key: this.#key, options: () => recorder.exemption });
    this.#say(made.isPlaced ? "info" : "warn", made.isPlaced ? "AAGM.Loot.ready" : "AAGM.Loot.otherId", { macro: made.macro ?? "", setup: lootMacros(memberName())[1].name });
    return made;
  }

  /**
   * Arm or disarm.
   * @param {string} journalId  What stands in the macro: an id, or a uuid.
   * @returns {Promise<boolean>}  Is it armed now?
   */
  async toggle(journalId) {
    if (this.isArmed) {
      this.#disarm();
      this.#say("info", "AAGM.Loot.disarmed");
      return false;
    }
    const obstacle = this.#obstacle(String(journalId));
    if (obstacle) {
      this.#say("warn", obstacle, { setup: lootMacros(this.#parts.memberName())[1].name });
      return false;
    }
    await this.#arm();
    this.#say("info", isActiveGm() ? "AAGM.Loot.armed" : "AAGM.Loot.armedNotActive");
    return true;
  }

  /**
   * @param {string} journalId
   * @returns {string|null}  The key of the sentence that says why it cannot be armed.
   */
  #obstacle(journalId) {
    if (!game.user.isGM) return "AAGM.Loot.gmOnly";
    if (journalId.includes(PLACEHOLDER)) return "AAGM.Loot.notSetUp";
    if (!game.modules.get("item-piles")?.active) return "AAGM.Loot.noItemPiles";
    const id = journalId.replace(/^JournalEntry\./, "");
    return this.#log.journal?.id === id ? null : "AAGM.Loot.noJournal";
  }

  async #arm() {
    const { timers, now, tabInstance, storage } = this.#parts;
    const key = `aagm.loot-${game.world.id}`;
    this.#losses = Object.values(this.#log.queue.pending).map((record) => lossOf(record, now()));
    this.#watch = new LootWatch({
      timers,
      now,
      isUndoing: () => this.#undoing > 0,
      judged: (verdicts) => void this.#log.inTurn(() => this.#judged(verdicts)).catch(this.#complain),
      came: (arrival) => this.#came(arrival),
      reverted: (pile) => void this.#log.inTurn(() => this.#reverted(pile)).catch(this.#complain),
      piledAgain: (uuid) => void this.#log.inTurn(() => this.#piledAgain(uuid)).catch(this.#complain),
      memory: {
        load: () => storage?.getItem(key) ?? null,
        save: (text) => {
          try {
            if (text === null) storage?.removeItem(key);
            else storage?.setItem(key, text);
          } catch {
            // full or forbidden: the book is open as long as the page
          }
        },
      },
    });
    this.#watch.start();
    this.#journalHook = Hooks.on("updateJournalEntry", () => this.#otherTab());
    await this.#log.inTurn(() => this.#log.merge({ armed: { tab: tabInstance, userId: game.user.id } }));
  }

  #disarm() {
    this.#watch?.stop();
    this.#watch = null;
    Hooks.off("updateJournalEntry", this.#journalHook);
  }

  /** Two tabs that watch would write everything twice: the last one armed does it. */
  #otherTab() {
    const { armed } = this.#log.own;
    if (!armed || armed.tab === this.#parts.tabInstance || !this.isArmed) return;
    this.#disarm();
    this.#say("info", "AAGM.Loot.armedElsewhere", { user: game.users.get(armed.userId)?.name ?? "" });
  }

  /** @param {Verdict[]} verdicts */
  async #judged(verdicts) {
    const { recorder, now } = this.#parts;
    const options = recorder.exemption;
    const chest = recipient(await chestOf(this.#log));
    /** @type {LootRecord[]} */
    const lost = [];
    /** @type {LootRecord[]} */
    const phantoms = [];
    /** @type {string[]} */
    const lines = [];
    for (const verdict of verdicts) {
      const { departure, movement, missing } = verdict;
      const kind = kindOf(departure.entry.source);
      const to = recipientOf(verdict, chest);
      if (kind === "loot" && missing > 0) lost.push(recordOf(verdict, "item", to));
      else if (kind === "odd" && (movement || missing > 0)) phantoms.push(recordOf(verdict, "phantom", to));
      else if (kind === "none" && movement?.to) phantoms.push(recordOf(verdict, "phantom", to));
      else lines.push(plain(verdict, to));
    }
    const keyOf = (/** @type {LootRecord} */ { itemData }) => fingerprint(itemData);
    const pending = merged(lost, keyOf);
    const marked = merged(phantoms, keyOf);
    this.#losses.push(...pending.map((record) => lossOf(record, now())));
    if (pending.length || marked.length) await this.#log.merge({ pending: byId(pending), phantoms: byId(marked) });
    await this.#log.append([...lines.map(line), ...[...pending, ...marked].map(block)].join(""));
    await tell(pending, { isPhantom: false, options });
    await tell(marked, { isPhantom: true, options });
  }

  /** @param {Arrival & { pile: Known|null }} arrival */
  #came({ to, pile, id, kin, quantity }) {
    const now = this.#parts.now();
    const returns = (/** @type {Loss} */ lost) =>
      (pile && lost.pileUuid === to && (lost.itemId === id || (kin === COINS && lost.kin === COINS))) ||
      (lost.recipientUuid === to && lost.kin === kin && now - lost.at <= LATE);
    const loss = this.#losses.find(returns);
    if (loss) void this.#log.inTurn(() => this.#returned(loss, quantity)).catch(this.#complain);
  }

  /**
   * @param {Loss} loss
   * @param {number} quantity
   */
  async #returned({ eventId }, quantity) {
    const record = this.#log.queue.pending[eventId];
    if (!record || record.status === "granting") return;
    const shortfall = record.shortfall - quantity;
    if (shortfall > 0) {
      await this.#log.patch(eventId, { shortfall, deliveredQty: record.deliveredQty + quantity });
      return;
    }
    this.#losses = this.#losses.filter((loss) => loss.eventId !== eventId);
    await this.#log.remove("pending", [eventId]);
    await this.#log.append(line(`${eventId}: it is there again: ${sentence(record)}`));
  }

  /** @param {Known} pile */
  async #reverted({ uuid, name, stock }) {
    const goods = [...stock.values()].filter(({ source }) => kindOf(source) !== "none");
    if (goods.length === 0) return;
    const record = revertedRecord({ uuid, name, contents: goods.map(({ source }) => source.name) });
    await this.#log.merge({ phantoms: byId([record]) });
    await this.#log.append(line(`${record.eventId}: ${sentence(record)}`));
    await tell([record], { isPhantom: true, options: this.#parts.recorder.exemption });
  }

  /** @param {string} uuid */
  async #piledAgain(uuid) {
    const { phantoms } = this.#log.queue;
    const ids = Object.keys(phantoms).filter((id) => phantoms[id].outcome === "reverted" && phantoms[id].pileUuid === uuid);
    if (ids.length === 0) return;
    await this.#log.remove("phantoms", ids);
    await this.#log.append(ids.map((id) => line(`${id}: ${phantoms[id].pileName} is a pile again`)).join(""));
  }

  #complain = (/** @type {unknown} */ error) => {
    console.error("AAGM | the loot watchdog could not write the Rescue Log", error);
    this.#say("error", "AAGM.Loot.unwritten", { reason: error instanceof Error ? error.message : String(error) });
  };

  /** What waits, in short. */
  pending() {
    const { pending, phantoms } = this.#log.queue;
    return {
      pending: Object.values(pending).map(briefOf),
      phantoms: Object.values(phantoms).map(briefOf),
      legacyCount: this.#log.legacyCount,
      armed: this.isArmed,
    };
  }

  /** @param {{ eventIds?: string[], ackPhantoms?: string[] }} wanted */
  restore(wanted) {
    return restoreLoot(this.#log, wanted);
  }

  /**
   * The GM says that a restore which was begun never arrived: it may be granted again.
   * @param {string} eventId
   */
  clearMark(eventId) {
    return this.#log.inTurn(async () => {
      if (this.#log.queue.pending[eventId]?.status !== "granting") return false;
      await this.#log.patch(eventId, { status: "pending" });
      return true;
    });
  }

  /**
   * @param {"info"|"warn"|"error"} level
   * @param {string} key
   * @param {Record<string, string>} [data]
   */
  #say(level, key, data = {}) {
    notice(level, game.i18n.format(key, { name: `${this.#parts.memberName()} Loot Watchdog`, ...data }));
  }
}

function isActiveGm() {
  return game.users.activeGM?.id === game.user.id;
}

/** @param {LootRecord[]} records */
function byId(records) {
  return Object.fromEntries(records.map((record) => [record.eventId, record]));
}

/**
 * @param {LootRecord} record
 * @param {number} at
 * @returns {Loss}
 */
function lossOf({ eventId, kind, pileUuid, recipientUuid, itemData }, at) {
  const kin = kind === "currency" ? COINS : `${itemData.type} ${itemData.name}`;
  return { eventId, pileUuid, itemId: itemData._id, recipientUuid, kin, at };
}

/**
 * @param {any|null} document
 * @returns {Recipient}
 */
function recipient(document) {
  return document ? { uuid: document.uuid, name: document.name } : null;
}

/**
 * Whom it was for: where Item Piles said it went, else who dropped it, else the pile, else the chest.
 * @param {Verdict} verdict
 * @param {Recipient} chest
 * @returns {Recipient}
 */
function recipientOf({ departure, movement }, chest) {
  for (const uuid of [movement?.to, departure.isGone ? null : departure.from]) {
    const found = uuid ? /** @type {any} */ (fromUuidSync(/** @type {any} */ (uuid))) : null;
    const holder = found && holderOf(found);
    if (holder && actorOf(holder)) return recipient(holder);
  }
  return chest;
}

/**
 * @param {Verdict} verdict
 * @param {Recipient} to
 * @returns {string}  A line for what came to its place, or is no loot.
 */
function plain({ departure, movement, missing }, to) {
  const { entry, fromName, cause } = departure;
  const goods = `${entry.quantity} × ${entry.source.name}`;
  if (missing > 0) return `${goods}, no loot, gone from ${fromName} (${cause})`;
  return movement?.to ? `${goods} from ${fromName} arrived at ${to?.name}` : `${goods} from ${fromName} arrived (${cause})`;
}

/** One recording at a time: runs a request, follows the document hooks meanwhile, keeps open for what comes late. */

/** @import { FoundryDocument } from "./documents.js" */
/** @import { DEFAULT_LIMITS, RecordedPoint, RollbackPart, Uncovered } from "../wire.js" */
/** @import { EntryStream } from "./stream.js" */
/** @import { OwnHand } from "./own-hand.js" */
/** @import { ProtectedDocuments } from "../protected-documents.js" */
/** @import { Timers } from "../timers.js" */
import { AagmError, HandlerThrew, ProtectedDocument, TimeLimit, toWireError } from "../errors.js";
import { Marks, isUndoWrite } from "./marks.js";
import { mergeEntries, resolveIntents } from "./merge.js";
import { partnersOfActivation, partnersOfDelete } from "./partners.js";
import { isPageHidden } from "../page.js";
import { isPlain } from "./values.js";
import { nameOf } from "./documents.js";
import { touchedBy } from "./leaves.js";
import { Recording } from "./recording.js";

const REMEMBERED = 20; // recordings whose late confirmations still find them

/**
 * @typedef {object} RecorderParts
 * @property {EntryStream} stream
 * @property {Timers} timers
 * @property {ProtectedDocuments} protectedDocuments
 * @property {OwnHand} ownHand
 * @property {string} tabInstance
 * @property {() => typeof DEFAULT_LIMITS} limits
 * @property {(what: Uncovered) => void} uncovered  Tells of what happened outside any recording.
 */

/** The recorder of this tab. Idle, its hooks return at once. */
export class Recorder {
  #parts;
  /** @type {Promise<unknown>} */
  #chain = Promise.resolve();
  /** @type {Recording|null}  The one that is open: running, or its tail. */
  #current = null;
  /** @type {Map<string, Recording>} */
  #recordings = new Map();
  /** @type {Set<string>}  Points whose request goes on after its limit. */
  #runaways = new Set();
  #tailEnd = 0;
  #cancelTail = () => {};
  /** @type {(() => void)[]} */
  #whenClosed = [];
  #marks;

  /** @param {RecorderParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#marks = new Marks(parts.tabInstance);
  }

  /** Options of a write of our own that is neither recorded nor kept from protected documents (the Rescue Log's). */
  get exemption() {
    return this.#marks.exemption;
  }

  /**
   * Run a request and record what it writes. A failing one does not hold up the next.
   * @param {{ rp: RecordedPoint, method: string }} what
   * @param {() => unknown} run
   * @returns {Promise<Record<string, any> & { rollback: RollbackPart }>}
   * @throws {AagmError}  With `data.rollback`.
   */
  runRecorded({ rp, method }, run) {
    const turn = this.#chain.then(() => this.#record(rp, method, run));
    this.#chain = turn.catch(() => {});
    return turn;
  }

  /**
   * @param {RecordedPoint} rp
   * @param {string} method
   * @param {() => unknown} run
   */
  async #record(rp, method, run) {
    const recording = this.#begin(rp);
    recording.isUndo = method === "rollback.apply";
    recording.echo.clear();
    try {
      const result = await this.#withinLimit(recording, method, run);
      if (recording.vetoed.size) throw new ProtectedDocument([...recording.vetoed]);
      await this.#end(recording);
      const rollback = this.#rollbackPart(recording);
      return isPlain(result) ? { ...result, rollback } : { value: result ?? null, rollback };
    } catch (thrown) {
      recording.failed = toWireError(thrown).message;
      await this.#end(recording);
      throw withRollback(thrown, this.#rollbackPart(recording));
    }
  }

  /** @param {RecordedPoint} rp */
  #begin(rp) {
    const { stream } = this.#parts;
    this.#cancelTail();
    if (this.#current?.isOpen && this.#current.rp.id !== rp.id) this.#close(this.#current);
    const recording = this.#current?.isOpen ? this.#current : new Recording(rp, stream);
    recording.rp = rp;
    recording.phase = "running";
    recording.vetoed.clear();
    recording.suspect = [...this.#runaways].find((id) => id !== rp.id);
    this.#current = recording;
    this.#recordings.delete(rp.id);
    this.#recordings.set(rp.id, recording);
    for (const id of [...this.#recordings.keys()].slice(0, -REMEMBERED)) this.#recordings.delete(id);
    return recording;
  }

  /**
   * @param {Recording} recording
   * @param {string} method
   * @param {() => unknown} run
   */
  #withinLimit(recording, method, run) {
    const { timers, limits } = this.#parts;
    const seconds = recording.rp.limitSeconds ?? limits().writeSeconds;
    return new Promise((resolve, reject) => {
      const { id } = recording.rp;
      const cancel = timers.after(seconds * 1000, () => {
        this.#runaways.add(id);
        const error = new TimeLimit({ method, seconds, hidden: isPageHidden() });
        /** @type {any} */ (error.data).runaway = true;
        this.#close(recording, { failed: error.message, runaway: true });
        reject(error);
      });
      const settled = (/** @type {() => void} */ tell) => {
        cancel();
        this.#runaways.delete(id);
        tell();
      };
      Promise.resolve()
        .then(run)
        .then((value) => settled(() => resolve(value)), (error) => settled(() => reject(error)));
    });
  }

  /**
   * The request is done; what it set going may not be. Where the relay takes streams the answer need not wait.
   * @param {Recording} recording
   */
  async #end(recording) {
    if (recording.phase !== "running") return;
    const { timers, limits } = this.#parts;
    recording.phase = "tail";
    this.#tailEnd = timers.now() + limits().settleMaxMs;
    const closed = new Promise((resolve) => this.#whenClosed.push(() => resolve(undefined)));
    this.#waitForQuiet(recording);
    if (recording.raw !== null) await closed;
  }

  /** @param {Recording} recording */
  #waitForQuiet(recording) {
    const { timers, limits } = this.#parts;
    this.#cancelTail();
    const left = this.#tailEnd - timers.now();
    this.#cancelTail = timers.after(Math.max(0, Math.min(limits().settleMs, left)), () => {
      if (recording.hasPending && timers.now() < this.#tailEnd) this.#waitForQuiet(recording);
      else this.#close(recording);
    });
  }

  /**
   * @param {Recording} recording
   * @param {{ failed?: string, runaway?: boolean }} [ending]
   */
  #close(recording, ending) {
    this.#cancelTail();
    recording.close(recording.failed === undefined ? ending : { failed: recording.failed, ...ending });
    if (this.#current === recording) this.#current = null;
    for (const tell of this.#whenClosed.splice(0)) tell();
  }

  /**
   * @param {Recording} recording
   * @returns {RollbackPart}
   */
  #rollbackPart({ rp, raw, suspect }) {
    const { stream } = this.#parts;
    const marks = suspect === undefined ? {} : { suspect };
    if (raw === null) return { streamed: stream.lastSeq(rp.id), ...marks };
    stream.handedOver(rp.id);
    return { entries: mergeEntries(resolveIntents(raw).entries).map(({ entry }) => entry), ...marks };
  }

  /**
   * A document event keeps the tail open.
   * @param {Recording} recording
   */
  #stir(recording) {
    if (recording.phase === "tail") this.#waitForQuiet(recording);
  }

  /**
   * Run one of the hooks below for the open recording; what goes wrong in it is said in the point, not hidden.
   * @param {"update"|"create"|"delete"} op
   * @param {FoundryDocument} document
   * @param {any} options
   * @param {(recording: Recording, how: { tag: string, side: boolean, own: boolean }) => void} intend
   * @returns {false|undefined}  False keeps the write from happening.
   */
  #before(op, document, options, intend) {
    const recording = this.#current;
    if (!recording || this.#marks.isExempt(options)) return undefined;
    if (this.#parts.protectedDocuments.includes(document)) {
      recording.vetoed.add(nameOf(document.documentName, document._source) ?? document.uuid);
      return false;
    }
    try {
      const side = recording.isUndo && !isUndoWrite(options);
      // A script that still runs writes itself; what comes after the answer may be the GM's.
      const own = recording.phase === "tail" && this.#parts.ownHand.isActing;
      intend(recording, { tag: this.#marks.tag(options ?? {}, recording.rp.id), side, own });
      this.#stir(recording);
    } catch (thrown) {
      console.error("AAGM | the recorder failed before a write", thrown);
      recording.uncovered({ ...told(op, document), why: "noHook" });
    }
    return recording.vetoed.has(document.uuid) ? false : undefined;
  }

  /**
   * What the running rollback's own writes changed in a document, other listeners' additions included.
   * @param {string} uuid
   * @returns {import("../wire.js").Change[]}
   */
  echo(uuid) {
    return this.#current?.echo.get(uuid) ?? [];
  }

  preCreate = (/** @type {FoundryDocument} */ document, /** @type {any} */ _data, /** @type {any} */ options) => {
    if (this.#current === null) return undefined;
    return this.#before("create", document, options, (recording, how) => {
      recording.intendCreate(document, { ...how, keepId: options.keepId === true });
    });
  };

  preUpdate = (/** @type {FoundryDocument} */ document, /** @type {any} */ changes, /** @type {any} */ options) => {
    if (this.#current === null) return undefined;
    return this.#before("update", document, options, (recording, how) => {
      for (const partner of partnersOfActivation(document, changes)) recording.expect(partner);
      const own = how.own || this.#parts.ownHand.didUpdate(document, changes, options);
      recording.intendUpdate(document, changes, { ...how, recursive: options.recursive !== false, own });
    });
  };

  preDelete = (/** @type {FoundryDocument} */ document, /** @type {any} */ options) => {
    if (this.#current === null) return undefined;
    return this.#before("delete", document, options, (recording, how) => {
      const { protectedDocuments } = this.#parts;
      const partners = partnersOfDelete(document, options);
      for (const partner of partners) {
        if (!("document" in partner) || partner.op !== "delete" || !protectedDocuments.includes(partner.document)) continue;
        recording.vetoed.add(document.uuid); // it would go with the folder, and never come back
        return;
      }
      for (const partner of partners) {
        if ("document" in partner) recording.expect(partner);
        else void this.#expectUnloaded(recording, partner);
      }
      recording.intendDelete(document, how);
    });
  };

  /**
   * A document of a pack that goes with its folder is asked for at once: the request leaves before the deletion's.
   * @param {Recording} recording
   * @param {import("./partners.js").Unloaded} partner
   */
  async #expectUnloaded(recording, { pack, id, as }) {
    const document = await pack.getDocument(id).catch(() => null);
    if (document) recording.expect(as(document));
    else {
      const documentName = pack.documentName;
      const uuid = `Compendium.${pack.collection}.${documentName}.${id}`;
      recording.uncovered({ op: "delete", uuid, documentName, why: "server" });
    }
  }

  didCreate = (/** @type {FoundryDocument} */ document, /** @type {any} */ options, /** @type {string} */ userId) => {
    if (this.#isIdle(options)) return;
    this.#after("create", document, options, userId, (recording, tag) => recording.confirmCreate(document, { tag }));
  };

  didUpdate = (
    /** @type {FoundryDocument} */ document,
    /** @type {any} */ changes,
    /** @type {any} */ options,
    /** @type {string} */ userId,
  ) => {
    if (this.#isIdle(options)) return;
    const touched = touchedBy(changes ?? document._source, { recursive: options?.recursive !== false });
    const confirm = (/** @type {Recording} */ recording, /** @type {string|null} */ tag) =>
      recording.confirmUpdate(document, touched, { tag });
    this.#after("update", document, options, userId, confirm, touched);
  };

  didDelete = (/** @type {FoundryDocument} */ document, /** @type {any} */ options, /** @type {string} */ userId) => {
    if (this.#isIdle(options)) return;
    this.#after("delete", document, options, userId, (recording, tag) => recording.confirmDelete(document, { tag }));
  };

  /** @param {any} options */
  #isIdle(options) {
    return this.#current === null && this.#marks.read(options).pointId === undefined && this.#runaways.size === 0;
  }

  /**
   * @param {"update"|"create"|"delete"} op
   * @param {FoundryDocument} document
   * @param {any} options
   * @param {string} userId
   * @param {(recording: Recording, tag: string|null) => boolean} confirm
   * @param {Map<string, any>} [touched]
   */
  #after(op, document, options, userId, confirm, touched) {
    if (this.#marks.isExempt(options)) return;
    const { pointId, tag, isForeign } = this.#marks.read(options);
    if (isForeign) return; // recorded by another tab
    const recording = tag === null ? this.#current : (this.#recordings.get(pointId ?? "") ?? null);
    const isOurs = userId === game.user.id;
    if (recording === null) {
      if (isOurs && this.#runaways.size) this.#parts.uncovered({ ...told(op, document), why: "runaway", ...this.#suspect() });
      return;
    }
    try {
      if (confirm(recording, tag ?? (isOurs ? "" : null))) this.#stir(recording);
      else if (this.#parts.protectedDocuments.includes(document)) {
        if (isOurs) recording.uncovered({ ...told(op, document), why: "protected" });
      } else if (isOurs) {
        recording.unannounced(op, document, touched);
        this.#stir(recording);
      } else if (isGm(userId)) recording.uncovered({ ...told(op, document), why: "other-client" });
    } catch (thrown) {
      console.error("AAGM | the recorder failed after a write", thrown);
      recording.uncovered({ ...told(op, document), why: "noHook" });
    }
  }

  #suspect() {
    const [suspect] = this.#runaways;
    return { suspect };
  }
}

/**
 * @param {"update"|"create"|"delete"} op
 * @param {FoundryDocument} document
 */
function told(op, document) {
  const { uuid, documentName, _source } = document;
  return { op, uuid, documentName, name: nameOf(documentName, _source) };
}

/** @param {string} userId */
function isGm(userId) {
  return game.users.get(userId)?.isGM ?? false;
}

/**
 * @param {unknown} thrown
 * @param {RollbackPart} rollback
 * @returns {AagmError}
 */
function withRollback(thrown, rollback) {
  const { message, data } = toWireError(thrown);
  const error = thrown instanceof AagmError ? thrown : new HandlerThrew(message, { stack: data?.stack, cause: thrown });
  error.data = { ...error.data, rollback };
  return error;
}

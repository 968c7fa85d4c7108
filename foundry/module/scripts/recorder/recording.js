/**
 * What one recorded request did to documents, while it does it.
 *
 * A pre hook makes an intent and keeps the source as it is; the post hook confirms it with what the source has become.
 * What has no post hook by the end is looked up: it happened without one, or not at all.
 */

/** @import { Change, RecordedPoint, Uncovered } from "../wire.js" */
/** @import { EntryStream } from "./stream.js" */
/** @import { Intent } from "./intents.js" */
/** @import { FoundryDocument, Source } from "./documents.js" */
/** @import { Partner } from "./partners.js" */
import { Entries } from "./entries.js";
import { Intents } from "./intents.js";
import { Ledger } from "./ledger.js";
import { childCollections, copyBody, deltaOf, deltaToken, describe, hashDocument, hashWhole, nameOf } from "./documents.js";
import { isWorldClock } from "./own-hand.js";
import { cloneJson, equalJson } from "./values.js";
import { diffBody, diffChildren, diffDelta, guessBody } from "./diff-document.js";
import { foldChanges } from "./merge.js";
import { findWithin, isThere } from "./lookup.js";
import { guessedKeys, lookUp } from "./closing.js";
import { touchedBy } from "./leaves.js";
import { withoutStats } from "./paths.js";

/** One recording; `rp.id` names the point it belongs to. */
export class Recording {
  /** @type {"running"|"tail"|"closed"} */
  phase = "running";
  /** @type {string|undefined} */
  suspect;
  /** @type {string|undefined}  Why the request threw: whoever never gets its answer learns it from the recording's end. */
  failed;
  /** A rollback: what others write meanwhile they write in answer to it. */
  isUndo = false;
  /** @type {Map<string, Change[]>}  What a rollback's own writes changed, with what other listeners put in. */
  echo = new Map();
  /** @type {Set<string>}  Protected documents a write was kept from. */
  vetoed = new Set();
  #pending = new Intents();
  #ledger = new Ledger();
  #answered = new Set();
  #entries;

  /**
   * @param {RecordedPoint} rp
   * @param {EntryStream} stream
   */
  constructor(rp, stream) {
    this.rp = rp;
    this.#entries = new Entries(rp, stream);
  }

  get isOpen() {
    return this.phase !== "closed";
  }

  get hasPending() {
    return this.#pending.size > 0;
  }

  /** @returns {any[]|null}  Every raw entry, where the relay does not keep them. */
  get raw() {
    return this.#entries.raw;
  }

  /**
   * @param {FoundryDocument} document
   * @param {Source} changes
   * @param {{ tag: string, recursive: boolean, own: boolean, side: boolean }} how
   */
  intendUpdate(document, changes, { tag, recursive, own, side }) {
    const token = deltaToken(document);
    if (token) return this.#intendDelta(token, document.documentName, { tag, side, own });
    this.#seeQuiet(document);
    const { documentName, _source: source } = document;
    const touched = touchedBy(changes, { recursive });
    const children = childCollections(documentName);
    const collections = [...touched.keys()].filter((key) => children.has(key));
    const before = copyBody(documentName, source, collections);
    const guess = guessBody(documentName, before, changes, { touched, recursive });
    for (const key of collections) {
      const isSame = equalJson(withoutStats(changes[key]), withoutStats(before[key])); // a whole toObject() was passed
      if (!isSame) guess.push({ path: key, before: before[key] });
    }
    const head = this.#head(document, { own, side });
    this.#intend({ op: "update", head, tag, before, collections, guess });
  }

  /**
   * @param {FoundryDocument} document  Not stored yet.
   * @param {{ tag: string, keepId: boolean, side: boolean, own: boolean }} how
   */
  intendCreate(document, { tag, keepId, side, own }) {
    const token = deltaToken(document);
    if (token) return this.#intendDelta(token, document.documentName, { tag, side, own });
    const head = this.#head(document, { side, own });
    const hasId = keepId && document._source._id;
    const gone = hasId ? this.#pending.expectedDelete(document.uuid) : undefined;
    if (gone) this.#follow(gone, lookUp(gone));
    // Where the id is taken it will be refused, or what has the id goes first; it is not what this makes.
    const isTaken = hasId && isThere(document);
    if (!hasId || isTaken) head.uuid = null;
    this.#intend({ op: "create", head, tag, before: {}, collections: [], guess: [], isTaken });
  }

  /**
   * @param {FoundryDocument} document
   * @param {{ tag: string, side: boolean, own: boolean }} how
   */
  intendDelete(document, { tag, side, own }) {
    const token = deltaToken(document);
    if (token) return this.#intendDelta(token, document.documentName, { tag, side, own });
    this.#seeQuiet(document);
    this.#seeDeltas(document);
    const head = this.#head(document, { side, own });
    const expected = this.#pending.expectedDelete(document.uuid);
    if (expected) {
      this.#pending.remove(expected); // it is asked for after all, perhaps much later: what counts is how it is now
      this.#entries.drop([expected]);
    }
    this.#intend({ op: "delete", head, tag, before: cloneJson(document._source), collections: [], guess: [] });
  }

  /** @param {Partner} partner  What the server will probably do besides. */
  expect(partner) {
    const { op, document } = partner;
    this.#seeQuiet(document);
    const head = this.#head(document, { partner: true });
    if (op === "delete") {
      this.#seeDeltas(document);
      this.#intend({ op, head, tag: null, before: cloneJson(document._source), collections: [], guess: [] });
      return;
    }
    const before = copyBody(document.documentName, document._source);
    const guess = Object.entries(partner.after).map(([path, after]) => ({ path, before: before[path], after }));
    this.#intend({ op, head, tag: null, before, collections: [], guess });
  }

  /**
   * What happened to a document without a word is told before the next write hides it.
   * @param {FoundryDocument} document
   */
  #seeQuiet(document) {
    for (const intent of this.#pending.expectedUpdates(document.uuid)) this.#follow(intent, lookUp(intent, {}, document));
  }

  /**
   * So is what happened to the deltas in a document that goes: nobody is told of one whose actor went first.
   * @param {FoundryDocument} document
   */
  #seeDeltas(document) {
    for (const intent of this.#pending.deltasIn(document.uuid)) {
      this.#follow(intent, lookUp(intent, {}, findWithin(document, /** @type {string} */ (intent.uuid))));
    }
  }

  /**
   * A deletion of what lies in it that came too late went nowhere: the document took that along.
   * @param {FoundryDocument} document  Just deleted.
   */
  #seeDeletes(document) {
    for (const intent of this.#pending.deletesIn(document.uuid)) {
      this.#pending.remove(intent);
      if (findWithin(document, /** @type {string} */ (intent.uuid))) this.#entries.drop([intent]);
      else this.#entries.confirm(intent, {});
    }
  }

  /**
   * @param {Intent} intent
   * @param {import("./closing.js").Verdict} found
   */
  #follow(intent, found) {
    if (found.kind === "unknown" || found.kind === "dropped") return;
    this.#pending.remove(intent);
    if (found.kind === "delta") this.#tellUpdate(intent, found.changes, found.document);
    else if (found.kind === "changed") this.#confirmBody(intent, found.document, found.touched);
    else {
      if (intent.op === "delete" && intent.uuid) this.#ledger.deleted(intent.uuid);
      this.#entries.confirm(intent, found.news);
    }
  }

  /**
   * A change inside an unlinked token's actor is a change of the token's delta.
   * @param {FoundryDocument} token
   * @param {string} type  What the hook named.
   * @param {{ tag: string, side: boolean, own: boolean }} how
   */
  #intendDelta(token, type, { tag, side, own }) {
    const before = { actorLink: false, delta: cloneJson(deltaOf(token)) };
    const head = { ...this.#head(token, { side, own }), types: [type === "ActorDelta" ? "Actor" : type] };
    const guess = [{ path: "delta", before: withoutStats(before.delta) }];
    this.#intend({ op: "update", head, tag, before, collections: [], guess, isDelta: true });
  }

  /**
   * @param {FoundryDocument} document
   * @param {{ own?: boolean, partner?: boolean, side?: boolean }} [marks]
   */
  #head(document, { own = false, partner = false, side = false } = {}) {
    const head = /** @type {Intent["head"]} */ (describe(document));
    if (this.phase === "tail") head.tail = true;
    if (own || isWorldClock(document)) head.own = true;
    if (partner) head.partner = true;
    if (side) head.side = true;
    return head;
  }

  /** @param {Pick<Intent, "op"|"head"|"tag"|"before"|"collections"|"guess"> & { isDelta?: boolean, isTaken?: boolean }} parts */
  #intend(parts) {
    const { op, head, guess, before } = parts;
    /** @type {Intent} */
    const intent = { isDelta: false, isTaken: false, ...parts, uuid: head.uuid, seq: null, isDropped: false };
    if (op !== "update" || guess.length) {
      const told = op === "update" ? { changes: guess } : op === "delete" ? { data: before } : {};
      intent.seq = this.#entries.push({ op, ...head, confirmed: false, ...told });
    }
    this.#pending.add(intent);
  }

  /**
   * @param {FoundryDocument} document
   * @param {Map<string, any>} touched
   * @param {{ tag: string|null }} how
   * @returns {boolean}  Was it expected?
   */
  confirmUpdate(document, touched, { tag }) {
    const token = deltaToken(document);
    const intent = this.#pending.find("update", (token ?? document).uuid, tag);
    if (!intent) return false;
    if (tag !== null) this.#answered.add(tag);
    if (intent.isDelta) return this.#confirmDelta(intent, /** @type {any} */ (token ?? document));
    this.#pending.remove(intent);
    // A write without a pre hook comes in the place of what the server was expected to do, and says nothing of that.
    this.#confirmBody(intent, document, intent.tag === null ? new Map([...guessedKeys(intent), ...touched]) : touched);
    return true;
  }

  /**
   * @param {Intent} intent
   * @param {FoundryDocument} document
   * @param {Map<string, any>} touched
   */
  #confirmBody(intent, document, touched) {
    const { documentName, _source: source } = document;
    const changes = diffBody(documentName, intent.before, source, touched);
    const children = childCollections(documentName);
    for (const [key, childName] of children) {
      if (!touched.has(key)) continue;
      if (!intent.collections.includes(key)) {
        this.uncovered({ op: "update", uuid: document.uuid, documentName, name: document.name, why: "noHook" });
        continue;
      }
      const { uuid, pack, userId } = /** @type {any} */ (intent.head);
      for (const entry of diffChildren({ uuid, pack, userId }, childName, intent.before[key] ?? [], source[key] ?? [])) {
        this.#entries.push({ ...entry, ...this.#marks(intent) });
      }
    }
    if (!changes.length) return this.#entries.drop([intent]);
    this.#tellUpdate(intent, changes, document);
  }

  /** @param {Intent} intent */
  #marks({ head: { tail, own } }) {
    return { ...(tail && { tail }), ...(own && { own }) };
  }

  /**
   * @param {Intent} intent
   * @param {Change[]} changes
   * @param {FoundryDocument} document
   */
  #tellUpdate(intent, changes, document) {
    const { documentName, _source: source } = document;
    this.#ledger.updated(document.uuid, changes);
    const { side, partner } = intent.head;
    if (this.isUndo && !side && !partner) this.echo.set(document.uuid, foldChanges(this.echo.get(document.uuid) ?? [], changes));
    this.#entries.confirm(intent, { uuid: document.uuid, name: nameOf(documentName, source), changes, hash: hashDocument(documentName, source) });
  }

  /**
   * @param {Intent} intent
   * @param {FoundryDocument} token
   * @returns {boolean}
   */
  #confirmDelta(intent, token) {
    const changes = diffDelta(intent.before, { actorLink: false, delta: deltaOf(token) });
    if (!changes.length) return true; // not there yet, or nothing to do: closing decides
    this.#pending.remove(intent);
    this.#tellUpdate(intent, changes, token);
    return true;
  }

  /**
   * @param {FoundryDocument} document
   * @param {{ tag: string|null }} how
   * @returns {boolean}
   */
  confirmCreate(document, { tag }) {
    const token = deltaToken(document);
    if (token) return this.#confirmInDelta(token, tag);
    const { uuid, documentName, _source: source } = document;
    const intent =
      this.#pending.find("create", uuid, tag) ??
      this.#pending.findCreate({ tag, documentName, parentUuid: document.parent?.uuid ?? null });
    if (!intent) return false;
    if (tag !== null) this.#answered.add(tag);
    this.#pending.remove(intent);
    const hashed = hashWhole(uuid, documentName, source);
    this.#ledger.created(uuid, hashed.children);
    this.#entries.confirm(intent, { uuid, name: nameOf(documentName, source), ...hashed });
    return true;
  }

  /**
   * @param {FoundryDocument} document
   * @param {{ tag: string|null }} how
   * @returns {boolean}
   */
  confirmDelete(document, { tag }) {
    const token = deltaToken(document);
    if (token) return this.#confirmInDelta(token, tag);
    const intent = this.#pending.find("delete", document.uuid, tag);
    if (!intent) return false;
    if (tag !== null) this.#answered.add(tag);
    this.#pending.remove(intent);
    this.#seeQuiet(document);
    this.#seeDeltas(document);
    this.#seeDeletes(document);
    this.#ledger.deleted(document.uuid);
    // Something may have come to the document first: it comes back as it was when it went.
    this.#entries.confirm(intent, equalJson(intent.before, document._source) ? {} : { data: cloneJson(document._source) });
    return true;
  }

  /**
   * @param {FoundryDocument} token
   * @param {string|null} tag
   */
  #confirmInDelta(token, tag) {
    const intent = this.#pending.find("update", token.uuid, tag);
    if (!intent?.isDelta) return false;
    if (tag !== null) this.#answered.add(tag);
    return this.#confirmDelta(intent, token);
  }

  /**
   * A post hook of this user that had no pre hook (`noHook`, the server's own work): what can still be kept, is.
   * @param {"update"|"create"|"delete"} op
   * @param {FoundryDocument} document
   * @param {Map<string, any>} [touched]  Of an update.
   */
  unannounced(op, document, touched) {
    this.#seeQuiet(document);
    const { uuid, documentName, _source: source } = document;
    const head = this.#head(document, { side: this.isUndo });
    const changes = touched && !deltaToken(document) ? this.#ledger.cover(uuid, source, touched) : null;
    if (changes) {
      this.#ledger.updated(uuid, changes);
      this.#entries.push({ op, ...head, changes, hash: hashDocument(documentName, source) });
    } else if (op === "update" || deltaToken(document)) {
      this.uncovered({ op, uuid, documentName, name: nameOf(documentName, source), why: "noHook" });
    } else if (this.#ledger.knows(op, uuid)) return; // told twice
    else if (op === "create") {
      const hashed = hashWhole(uuid, documentName, source);
      this.#ledger.created(uuid, hashed.children);
      this.#entries.push({ op, ...head, ...hashed });
    } else {
      this.#ledger.deleted(uuid);
      this.#entries.push({ op, ...head, data: cloneJson(source) });
    }
  }

  /** @param {Uncovered} what */
  uncovered(what) {
    this.#entries.uncovered(what);
  }

  /**
   * Look up what no post hook told of, then end.
   * @param {{ failed?: string, runaway?: boolean }} [ending]
   */
  close(ending = {}) {
    if (this.phase === "closed") return;
    const dropped = [];
    for (const intent of this.#pending) {
      const wasDeleted = intent.uuid !== null && this.#ledger.knows("delete", intent.uuid);
      const found = lookUp(intent, { wasBatchAnswered: this.#answered.has(intent.tag), wasDeleted });
      if (found.kind === "dropped") dropped.push(intent);
      this.#follow(intent, found);
    }
    this.#entries.drop(dropped);
    this.phase = "closed";
    this.#entries.close({ ...ending, ...(this.suspect && { suspect: this.suspect }) });
  }
}

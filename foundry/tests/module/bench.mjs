/** The module's recorder and undo on a simulated world, with a relay's end that keeps what it is sent. */

import { createWorld } from "../../simulator/index.js";
import { makeDispatch } from "../../module/scripts/handlers/index.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { installHooks } from "../../module/scripts/recorder/hooks.js";
import { mergeEntries, resolveIntents } from "../../module/scripts/recorder/merge.js";
import { OwnHand } from "../../module/scripts/recorder/own-hand.js";
import { Recorder } from "../../module/scripts/recorder/recorder.js";
import { EntryStream } from "../../module/scripts/recorder/stream.js";
import { LootWatchdog } from "../../module/scripts/loot/watchdog.js";
import { ProtectedDocuments } from "../../module/scripts/protected-documents.js";
import { DEFAULT_LIMITS } from "../../module/scripts/wire.js";

/** The far end of a connection: takes frames, acknowledges at once when it is told to. */
export class RelayEnd {
  isOpen = true;
  frames = [];
  notifications = [];
  raw = new Map(); // pointId -> Map of seq -> entry
  closed = new Map(); // pointId -> the last rollback.closed
  #parts = new Map();

  constructor({ onFrame = () => {} } = {}) {
    this.onFrame = onFrame;
  }

  sendText(text) {
    const { method, params } = JSON.parse(text);
    if (method !== "rollback.entry") throw new Error(`unexpected ${method}`);
    this.frames.push({ size: text.length, ...params });
    for (const entry of params.entries) this.#take(params.pointId, entry);
    this.onFrame(params);
  }

  #take(pointId, entry) {
    if ("part" in entry) {
      const pieces = [...(this.#parts.get(entry.seq) ?? []), entry.json];
      this.#parts.set(entry.seq, pieces);
      if (pieces.length < entry.parts) return;
      entry = JSON.parse(pieces.join(""));
    }
    if (!this.raw.has(pointId)) this.raw.set(pointId, new Map());
    this.raw.get(pointId).set(entry.seq, entry);
  }

  notify(method, params) {
    this.notifications.push({ method, params });
    if (method === "rollback.closed") this.closed.set(params.pointId, params);
  }

  /** A point as the relay would write it. */
  point(pointId) {
    const { entries, uncovered } = resolveIntents(this.raw.get(pointId)?.values() ?? []);
    return { id: pointId, entries: mergeEntries(entries).map(({ entry }) => entry), uncovered, closed: this.closed.get(pointId) };
  }
}

/** A world whose GM has the module's recorder, without the socket. */
export class Bench {
  #points = 0;
  #uninstall;

  constructor(options = {}) {
    const { streaming = true, limits = {}, protect, force = false, ...rest } = options;
    this.world = createWorld(rest);
    this.gm = this.world.gm.install(globalThis);
    this.force = force;
    forgetTypes();
    this.clock = this.world.clock;
    this.relay = new RelayEnd();
    this.uncovered = [];
    this.stream = new EntryStream((flush) => this.clock.setTimeout(flush, 0));
    if (streaming) this.stream.attach(this.relay);
    this.protectedDocuments = new ProtectedDocuments();
    this.protectedDocuments.replace(protect);
    this.timers = {
      now: () => this.clock.now(),
      after: (ms, run) => {
        const id = this.clock.setTimeout(run, ms);
        return () => this.clock.clearTimeout(id);
      },
    };
    this.ownHand = new OwnHand(() => this.clock.now());
    this.recorder = new Recorder({
      stream: this.stream,
      timers: this.timers,
      protectedDocuments: this.protectedDocuments,
      ownHand: this.ownHand,
      tabInstance: "00000000000000aa",
      limits: () => ({ ...DEFAULT_LIMITS, ...limits }),
      uncovered: (what) => this.uncovered.push(what),
    });
    this.#uninstall = installHooks(this.recorder);
    this.loot = this.newWatchdog("00000000000000aa", new Map());
    this.dispatchContext = {
      loot: this.loot,
      protectedDocuments: this.protectedDocuments,
      isFamilyRelay: () => false,
      recorder: this.recorder,
    };
    this.dispatch = makeDispatch(this.dispatchContext);
  }

  /** The Loot Watchdog of a tab; what it remembers over a reload is in `memory`. */
  newWatchdog(tabInstance, memory) {
    const storage = { getItem: (key) => memory.get(key) ?? null, setItem: (key, text) => memory.set(key, text), removeItem: (key) => memory.delete(key) };
    const { recorder, timers } = this;
    return new LootWatchdog({ recorder, timers, now: () => this.clock.now(), memberName: () => "AAGM-K", tabInstance, storage });
  }

  dispose() {
    this.#uninstall();
    this.world.dispose();
  }

  /** Let time go on until the promise has settled. */
  settle(promise) {
    return this.clock.settle(promise);
  }

  newId() {
    this.#points += 1;
    return `rp-${String(this.#points).padStart(6, "0")}`;
  }

  /** Call a method of the module as the relay does, and wait until its recording is closed. */
  async call(method, params) {
    const result = await this.settle(this.dispatch(method)(params));
    if (params.rp) await this.close();
    return result;
  }

  /** Let the tail pass. */
  async close() {
    await this.clock.advance(2600);
    this.stream.flush();
  }

  /** Record what a function does; the point it makes. A throw is kept in `error`. */
  async record(run, { id = this.newId() } = {}) {
    const outcome = {};
    try {
      outcome.result = await this.settle(this.recorder.runRecorded({ rp: { id }, method: "eval" }, run));
    } catch (error) {
      outcome.error = error;
    }
    await this.close();
    return { ...this.relay.point(id), ...outcome };
  }

  /** Take a point back; the redo point, with a row an entry. */
  async undo(point, { force = this.force } = {}) {
    const id = this.newId();
    const entries = point.entries.filter(({ own }) => !own);
    const { applied } = await this.call("rollback.apply", { pointId: point.id, entries, rp: { id }, force });
    return { ...this.relay.point(id), applied };
  }
}

/** Rows that failed. */
export function failures({ applied }) {
  return applied.filter(({ ok }) => !ok);
}

/** The answer of `rollback.check` to what the relay expects of a point. */
export async function check(bench, { entries }) {
  const expected = entries.flatMap(({ op, uuid, hash, children, changes }) =>
    op === "create"
      ? [{ uuid, hash, children: children ?? [], exists: true }]
      : changes.map(({ path, after }) => ({ uuid, path, value: after, exists: true })));
  const { found } = await bench.call("rollback.check", { expected });
  return found.map(({ uuid, exists, path }) => [uuid, exists, path]);
}

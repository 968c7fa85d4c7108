/** A world whose GM has the module's recorder and no socket: plug-ins are tried on it. */
import { makeDispatch } from "../../module/scripts/handlers/index.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { installHooks } from "../../module/scripts/recorder/hooks.js";
import { mergeEntries, resolveIntents } from "../../module/scripts/recorder/merge.js";
import { OwnHand } from "../../module/scripts/recorder/own-hand.js";
import { Recorder } from "../../module/scripts/recorder/recorder.js";
import { EntryStream } from "../../module/scripts/recorder/stream.js";
import { ProtectedDocuments } from "../../module/scripts/protected-documents.js";
import { DEFAULT_LIMITS } from "../../module/scripts/wire.js";
import { canonical, createWorld, diffWorlds } from "../index.js";

const TAIL_MS = DEFAULT_LIMITS.settleMaxMs + 500;

export class PluginBench {
  #points = 0;
  #stream;
  #dispatch;
  #uninstall;
  #macro = null;
  #raw = new Map(); // by point, then by seq
  #parts = new Map(); // by seq, of the running point

  /** @param {object} options Options of `createWorld()`. */
  constructor(options) {
    this.world = createWorld(options);
    this.client = this.world.gm.install(globalThis, { timers: true });
    const { clock } = this.world;
    this.#stream = new EntryStream((flush) => clock.setTimeout(flush, 0));
    this.#stream.attach({ isOpen: true, notify: () => {}, sendText: (text) => this.#take(JSON.parse(text).params) });
    const timers = {
      now: () => clock.now(),
      after: (ms, run) => {
        const id = clock.setTimeout(run, ms);
        return () => clock.clearTimeout(id);
      },
    };
    const protectedDocuments = new ProtectedDocuments();
    const recorder = new Recorder({
      stream: this.#stream,
      timers,
      protectedDocuments,
      ownHand: new OwnHand(() => clock.now()),
      tabInstance: "00000000000000c4",
      limits: () => DEFAULT_LIMITS,
      uncovered: () => {},
    });
    forgetTypes();
    this.#uninstall = installHooks(recorder);
    const loot = { quietly: (undo) => undo() }; // nothing is watched here
    this.#dispatch = makeDispatch({ protectedDocuments, recorder, loot, isFamilyRelay: () => false });
  }

  dispose() {
    this.#uninstall();
    this.world.dispose();
  }

  settle(promise) {
    return this.world.clock.settle(promise);
  }

  /** Let everything that was set going come to its end. */
  async quiet() {
    await this.world.clock.advance(TAIL_MS);
    this.#stream.flush();
  }

  /** Make the macro, or have it called or written otherwise; it is the only one of its name. */
  async writeMacro(name, command) {
    for (const other of this.client.game.macros.filter((macro) => macro.name === name && macro !== this.#macro)) await other.delete();
    if (this.#macro) await this.#macro.update({ name, command });
    else this.#macro = await this.client.classOf("Macro").create({ name, type: "script", command });
  }

  /** Record a method of the module; what it gave, and what it touched. */
  async record(method, params) {
    this.#points += 1;
    const rp = { ...params.rp, id: `rp-${String(this.#points).padStart(6, "0")}` };
    const outcome = {};
    try {
      outcome.result = await this.settle(this.#dispatch(method)({ ...params, rp }));
      delete outcome.result.rollback;
    } catch (error) {
      outcome.error = error?.message ?? String(error);
    }
    await this.quiet();
    const { entries, uncovered } = resolveIntents(this.#raw.get(rp.id)?.values() ?? []);
    return { ...outcome, entries: mergeEntries(entries).map(({ entry }) => entry), uncovered };
  }

  /** Keep what the recorder tells; entries that come in pieces are put together. */
  #take({ pointId, entries }) {
    if (!this.#raw.has(pointId)) this.#raw.set(pointId, new Map());
    for (const entry of entries) {
      let whole = entry;
      if ("part" in entry) {
        const pieces = [...(this.#parts.get(entry.seq) ?? []), entry.json];
        this.#parts.set(entry.seq, pieces);
        if (pieces.length < entry.parts) continue;
        this.#parts.delete(entry.seq);
        whole = JSON.parse(pieces.join(""));
      }
      this.#raw.get(pointId).set(entry.seq, whole);
    }
  }

  /** Take a recorded run back; the rows that failed. */
  async undo({ entries }) {
    const { result, error } = await this.record("rollback.apply", { pointId: "rp-000000", entries: entries.filter(({ own }) => !own) });
    if (error) return [{ error }];
    return result.applied.filter(({ ok }) => !ok);
  }

  documents() {
    return canonical(this.world, { ignore: ["FogExploration"] });
  }

  /** Uuids of the documents that are not as they were. */
  differences(before) {
    return diffWorlds(before, this.documents()).map(({ uuid }) => uuid);
  }
}

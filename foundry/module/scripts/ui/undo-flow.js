/** A card's button: look first, ask where something is in the way, then do it. It draws nothing. */

/** @import { RollbackRequest } from "../wire.js" */

/**
 * @typedef {{ id: string, summary: string, tabId?: string|null, kind?: string, captured?: string }} Named  A point.
 * @typedef {{ uuid: string, name?: string|null, path?: string, kind: string }} Conflict
 * @typedef {object} Preview  What the relay says a rollback would do.
 * @property {Named} [undoes]
 * @property {Named[]} [alsoUndoes]
 * @property {Named[]} [bringsBack]
 * @property {string} [also]
 * @property {Conflict[]|"not checked"} [conflicts]
 * @property {{ uuid: string, name?: string|null, says: string }[]} [leftAlone]
 * @property {string[]} [skipped]  Damaged files of points that it goes on without.
 * @typedef {object} Done  What it did.
 * @property {{ id: string, summary: string, state: string, failed: number, documents: { says: string, ok: boolean }[],
 *   moreDocuments?: number, error?: string }[]} rolledBack
 * @property {string|null} [redoPoint]
 * @property {"not checked"} [conflicts]
 * @property {boolean} [unsaved]
 * @property {{ says: string }[]} [leftAlone]
 * @property {string[]} [skipped]
 * @typedef {{ kind: "idle" }
 *   | { kind: "looking" }
 *   | { kind: "asking", preview: Preview }
 *   | { kind: "running" }
 *   | { kind: "done", done: Done }
 *   | { kind: "kept" }
 *   | { kind: "refused", reason: string, fix?: string }
 *   | { kind: "failed", message: string }} UndoState
 * @typedef {"rollback"|"redo"} Action
 * @typedef {{ force?: boolean, keep?: boolean, only?: boolean, own?: boolean }} How
 */

/** One card's way from its button to what came of it. */
export class UndoFlow {
  /** @type {(request: RollbackRequest & { own?: boolean }) => Promise<any>} */
  #ask;
  #changed;
  #pointId;
  /** @type {Action} */
  #action = "rollback";
  /** @type {UndoState} */
  #state = { kind: "idle" };

  /**
   * @param {object} parts
   * @param {string} parts.pointId
   * @param {(request: RollbackRequest & { own?: boolean }) => Promise<any>} parts.ask  The relay.
   * @param {() => void} parts.changed
   */
  constructor({ pointId, ask, changed }) {
    this.#pointId = pointId;
    this.#ask = ask;
    this.#changed = changed;
  }

  get state() {
    return this.#state;
  }

  get action() {
    return this.#action;
  }

  get isBusy() {
    return ["looking", "running"].includes(this.#state.kind);
  }

  /**
   * Do it at once when nothing else goes with it and nothing is in the way; else ask.
   * @param {Action} action
   */
  async begin(action) {
    if (this.isBusy) return;
    this.#action = action;
    this.#become({ kind: "looking" });
    await this.#guarded(async () => {
      const preview = await this.#ask({ pointId: this.#pointId, action: "check" });
      if (preview.refused) this.#refuse(preview);
      else if (this.#isQuestion(preview)) this.#become({ kind: "asking", preview });
      else await this.#run({});
    });
  }

  /**
   * The GM has decided.
   * @param {How} how
   */
  async confirm(how) {
    if (this.#state.kind === "asking") await this.#guarded(() => this.#run(how));
  }

  /** Leave everything as it is. */
  cancel() {
    if (this.#state.kind === "asking") this.#become({ kind: "kept" });
  }

  /** @param {Preview} preview */
  #isQuestion({ alsoUndoes = [], bringsBack = [], conflicts = [], leftAlone = [] }) {
    if (conflicts === "not checked" || conflicts.length) return true;
    if (this.#action === "redo") return leftAlone.length > 0; // what it brings back is what was asked for
    return alsoUndoes.length + bringsBack.length + leftAlone.length > 0;
  }

  /** @param {How} how */
  async #run(how) {
    this.#become({ kind: "running" });
    const chosen = Object.fromEntries(Object.entries(how).filter(([, value]) => value));
    const answer = await this.#ask({ pointId: this.#pointId, action: this.#action, ...chosen });
    if (!answer.refused) this.#become(chosen.keep && isNothing(answer) ? { kind: "kept" } : { kind: "done", done: answer });
    else if (Array.isArray(answer.conflicts) && answer.conflicts.length) this.#become({ kind: "asking", preview: answer });
    else this.#refuse(answer);
  }

  /** @param {{ reason: string, fix?: string }} answer  A family relay gives no fix. */
  #refuse({ reason, fix }) {
    this.#become({ kind: "refused", reason, ...(fix && { fix }) });
  }

  /** @param {() => Promise<void>} work */
  async #guarded(work) {
    try {
      await work();
    } catch (thrown) {
      const { message = String(thrown), data } = /** @type {any} */ (thrown);
      this.#become({ kind: "failed", message: [message, data?.fix].filter(Boolean).join(" ") });
    }
  }

  /** @param {UndoState} state */
  #become(state) {
    this.#state = state;
    this.#changed();
  }
}

/**
 * Was nothing taken back, since all of it was to be kept?
 * @param {Done} done
 */
function isNothing({ rolledBack }) {
  return rolledBack.every(({ documents, moreDocuments = 0, failed, error }) => !error && failed === documents.length + moreDocuments);
}

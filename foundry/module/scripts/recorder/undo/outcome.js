/** One row an entry: what became of it. */

/** @import { AppliedRow, OperationEntry } from "../../wire.js" */

/** Said when a write had to leave out the pre hooks, because another module refused or edited it. */
export const PAST = "put back past another module's listener";

/** Collects what tasks say, and lays it out by entry. */
export class Outcome {
  /** @type {Map<number, { ok: boolean, error?: string, note?: string }>} */
  #bySeq = new Map();
  /** @type {Map<number, string>}  What policy holds back, whatever else goes well. */
  #refused = new Map();

  /**
   * @param {{ seqs: number[] }} task
   * @param {string} [note]
   */
  done(task, note) {
    for (const seq of task.seqs) {
      const known = this.#bySeq.get(seq);
      if (!known) this.#bySeq.set(seq, note === undefined ? { ok: true } : { ok: true, note });
      else if (note !== undefined && known.note === undefined) known.note = note;
    }
  }

  /**
   * @param {{ seqs: number[] }} task
   * @param {unknown} error
   */
  failed(task, error) {
    const text = error instanceof Error ? error.message : String(error);
    for (const seq of task.seqs) this.#bySeq.set(seq, { ...this.#bySeq.get(seq), ok: false, error: text });
  }

  /**
   * @param {{ seqs: number[] }} task
   * @param {string} sentence
   */
  refused(task, sentence) {
    for (const seq of task.seqs) this.#refused.set(seq, sentence);
  }

  /**
   * A second look found it as it should be.
   * @param {{ seqs: number[] }} task
   * @param {string} [note]
   */
  mended(task, note) {
    for (const seq of task.seqs) this.#bySeq.set(seq, note === undefined ? { ok: true } : { ok: true, note });
  }

  /** @param {{ seqs: number[] }} task */
  isFailed(task) {
    return task.seqs.some((seq) => this.#bySeq.get(seq)?.ok === false);
  }

  /**
   * @param {OperationEntry[]} entries
   * @returns {AppliedRow[]}
   */
  rows(entries) {
    return entries.map(({ seq, uuid, op }) => {
      const found = this.#bySeq.get(seq) ?? { ok: true, note: "nothing of it was left" };
      const refused = this.#refused.get(seq);
      return { seq, uuid, op, ...found, ...(found.ok && refused !== undefined && { ok: false, error: refused }) };
    });
  }
}

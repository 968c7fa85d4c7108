/** One row an entry: what became of it. */

/** @import { AppliedRow, OperationEntry } from "../../wire.js" */

/** Collects what tasks say, and lays it out by entry. */
export class Outcome {
  /** @type {Map<number, { ok: boolean, error?: string, note?: string }>} */
  #bySeq = new Map();

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
   * A second look found it as it should be.
   * @param {{ seqs: number[] }} task
   */
  mended(task) {
    for (const seq of task.seqs) this.#bySeq.set(seq, { ok: true });
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
      return { seq, uuid, op, ...found };
    });
  }
}

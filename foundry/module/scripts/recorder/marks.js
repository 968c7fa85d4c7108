/** Marks in an operation's options: they travel with it to every client's post hooks. */

const RP_KEY = "_aagmRp"; // the family's
const BATCH_KEY = "_aagmBatch";
const EXEMPT_KEY = "_aagmExempt";
const UNDO_KEY = "_aagmUndo";

/** Options of every write a rollback makes itself. */
export const UNDO_MARK = Object.freeze({ [UNDO_KEY]: true });

/**
 * @param {any} options
 * @returns {boolean}
 */
export function isUndoWrite(options) {
  return options?.[UNDO_KEY] === true;
}

/** The marks of one tab. */
export class Marks {
  #tabInstance;
  #exemption;
  #batches = 0;

  /** @param {string} tabInstance */
  constructor(tabInstance) {
    this.#tabInstance = tabInstance;
    this.#exemption = `${tabInstance}.exempt.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  }

  /** Options of a write that is not to be recorded. */
  get exemption() {
    return { [EXEMPT_KEY]: this.#exemption };
  }

  /** @param {any} options */
  isExempt(options) {
    return options?.[EXEMPT_KEY] === this.#exemption;
  }

  /**
   * Mark the batch. The object may be shared by all of it, or be a copy for each document.
   * @param {any} options
   * @param {string} pointId
   * @returns {string}  The batch.
   */
  tag(options, pointId) {
    if (options[RP_KEY] === pointId && options[BATCH_KEY]?.startsWith(this.#tabInstance)) return options[BATCH_KEY];
    const tag = `${this.#tabInstance}.${++this.#batches}`;
    options[RP_KEY] = pointId;
    options[BATCH_KEY] = tag;
    return tag;
  }

  /**
   * @param {any} options  As a post hook gets them.
   * @returns {{ pointId: string|undefined, tag: string|null, isForeign: boolean }}  isForeign: another tab records it.
   */
  read(options) {
    const tag = options?.[BATCH_KEY] ?? null;
    return { pointId: options?.[RP_KEY], tag, isForeign: tag !== null && !tag.startsWith(this.#tabInstance) };
  }
}

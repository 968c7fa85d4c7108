/** Tell whoever asked to be told. */

/** Listeners by topic; one that throws stops no other. */
export class Events {
  /** @type {Map<string, Set<(data: any) => void>>} */
  #listeners = new Map();

  /**
   * @param {string} topic
   * @param {(data: any) => void} listener
   * @returns {() => void}  Unsubscribes.
   */
  on(topic, listener) {
    const known = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, known.add(listener));
    return () => known.delete(listener);
  }

  /**
   * @param {string} topic
   * @param {unknown} data
   * @returns {boolean}  Was anybody listening?
   */
  emit(topic, data) {
    const listeners = [...(this.#listeners.get(topic) ?? [])];
    for (const listener of listeners) {
      try {
        listener(data);
      } catch (thrown) {
        console.error(`AAGM | a listener of ${topic} failed`, thrown);
      }
    }
    return listeners.length > 0;
  }
}

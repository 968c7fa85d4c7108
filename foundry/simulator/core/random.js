/** Seeded chance: the same seed gives the same ids and latencies. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Make a generator of numbers in [0, 1).
 * @param {number|string} seed
 */
export function createRandom(seed) {
  let state = 2166136261;
  for (const char of String(seed)) state = Math.imul(state ^ char.charCodeAt(0), 16777619) >>> 0;
  return function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Make `randomID` over a generator of chance: alphanumerics, 16 by default. */
export function createRandomId(random) {
  return function randomID(length = 16) {
    let id = "";
    for (let i = 0; i < length; i += 1) id += LETTERS[Math.floor(random() * LETTERS.length)];
    return id;
  };
}

/** Seeded choices and random values for documents. */

import { createRandom } from "../../simulator/core/random.js";

const WORDS = ["eel", "reed", "sluice", "lantern", "barge", "tide", "cork", "mud", "Anführer", "ünder", "lake", "bell"];
/** Names of members that only programs use. */
export const KEYS = ["alpha", "beta", "gamma", "delta", "note", "x1"];

/** Choices that the same seed makes again. */
export class Chance {
  constructor(seed) {
    this.random = createRandom(`programs/${seed}`);
  }

  below(n) {
    return Math.floor(this.random() * n);
  }

  between(low, high) {
    return low + this.below(high - low + 1);
  }

  is(probability) {
    return this.random() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  some(list, most) {
    const rest = [...list];
    const out = [];
    for (let n = Math.min(rest.length, this.between(1, most)); n > 0; n--) out.push(rest.splice(this.below(rest.length), 1)[0]);
    return out;
  }

  text() {
    return `${this.pick(WORDS)} ${this.pick(WORDS)} ${this.below(100)}`;
  }

  id() {
    return Array.from({ length: 16 }, () => "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"[this.below(57)]).join("");
  }

  /** Any JSON value, objects among them. */
  value(depth = 2) {
    const kind = this.below(depth > 0 ? 9 : 5);
    if (kind === 0) return this.between(-50, 50);
    if (kind === 1) return this.text();
    if (kind === 2) return this.is(0.5);
    if (kind === 3) return null;
    if (kind === 4) return this.below(1000) / 8;
    if (kind === 5) return Array.from({ length: this.below(4) }, () => this.value(depth - 1));
    if (kind === 6) return {};
    return this.object(depth - 1);
  }

  object(depth = 1) {
    const out = {};
    for (let n = this.between(1, 3); n > 0; n--) out[this.pick(KEYS)] = this.value(depth);
    return out;
  }

  key() {
    return this.pick(KEYS);
  }
}

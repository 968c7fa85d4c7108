/** `foundry.utils.Collection`: a Map that iterates over its values. */
export class Collection extends Map {
  get contents() {
    return Array.from(this.values());
  }

  [Symbol.iterator]() {
    return this.values();
  }

  /** @param {{strict?: boolean}} [options] strict: throw when the key is unknown. */
  get(key, options) {
    const value = Map.prototype.get.call(this, key);
    if (value === undefined && options?.strict && !this.has(key)) {
      throw new Error(`The key ${key} does not exist in the ${this.constructor.name} Collection`);
    }
    return value;
  }

  /** Find the first member of that name, in collection order. */
  getName(name, { strict = false } = {}) {
    const found = this.find((member) => member.name === name);
    if (found === undefined && strict) {
      throw new Error(`An entry with name ${name} does not exist in the collection`);
    }
    return found;
  }

  find(condition) {
    let i = 0;
    for (const value of this.values()) {
      if (condition(value, i, this)) return value;
      i += 1;
    }
    return undefined;
  }

  filter(condition) {
    return this.contents.filter((value, i) => condition(value, i, this));
  }

  forEach(visit) {
    for (const value of this.values()) visit(value);
  }

  map(transform) {
    return this.contents.map((value, i) => transform(value, i, this));
  }

  reduce(reducer, initial) {
    return this.contents.reduce((total, value, i) => reducer(total, value, i, this), initial);
  }

  some(condition) {
    return this.find(condition) !== undefined;
  }

  toJSON() {
    return this.map((value) => (value?.toJSON ? value.toJSON() : value));
  }
}

/** `foundry.data`: fields that settings may be registered with, and the operators of generation 14. */
import { deepClone, isPlain } from "../core/objects.js";

class DataField {
  constructor(options = {}) {
    Object.assign(this, { required: false, nullable: false, initial: undefined, ...options });
    this.options = options;
  }

  clean(value) {
    if (value === undefined || (value === null && !this.nullable)) return deepClone(this.initial);
    return value === null ? null : this._cast(value);
  }

  _cast(value) {
    return value;
  }

  validate(value) {
    if (this.choices) {
      const choices = Array.isArray(this.choices) ? this.choices : Object.keys(this.choices);
      if (!choices.map(String).includes(String(value))) return new Error(`${value} is not a valid choice`);
    }
    return undefined;
  }
}

class StringField extends DataField {
  constructor(options = {}) {
    super({ initial: options.nullable ? null : "", ...options });
  }

  _cast(value) {
    return String(value);
  }

  validate(value) {
    if (this.blank === false && value === "") return new Error("may not be a blank string");
    return super.validate(value);
  }
}

class NumberField extends DataField {
  constructor(options = {}) {
    super({ initial: options.nullable === false ? 0 : null, nullable: true, ...options });
  }

  _cast(value) {
    const number = this.integer ? Math.round(Number(value)) : Number(value);
    return Math.min(this.max ?? Infinity, Math.max(this.min ?? -Infinity, number));
  }

  validate(value) {
    if (typeof value === "number" && Number.isNaN(value)) return new Error("must be a finite number");
    return super.validate(value);
  }
}

class BooleanField extends DataField {
  constructor(options = {}) {
    super({ initial: false, ...options });
  }

  _cast(value) {
    return value === "false" ? false : Boolean(value);
  }
}

class ObjectField extends DataField {
  constructor(options = {}) {
    super({ initial: {}, ...options });
  }
}

class ArrayField extends DataField {
  constructor(element, options = {}) {
    super({ initial: [], ...options });
    this.element = element;
  }

  _cast(value) {
    return Array.from(value).map((entry) => this.element?.clean(entry) ?? entry);
  }
}

class SchemaField extends DataField {
  constructor(fields, options = {}) {
    super(options);
    this.fields = fields;
    this.initial = Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, deepClone(field.initial)]));
  }

  _cast(value) {
    const given = isPlain(value) ? value : {};
    return Object.fromEntries(Object.entries(this.fields).map(([key, field]) => [key, field.clean(given[key])]));
  }
}

/** @param {import("./client.js").Client} client */
export function buildData(client) {
  const data = {
    fields: { DataField, StringField, NumberField, BooleanField, ObjectField, ArrayField, SchemaField },
    validation: {},
  };
  if (client.generation >= 14) data.operators = client.operators;
  return data;
}

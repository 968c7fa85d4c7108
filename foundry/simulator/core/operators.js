/**
 * The data operators of generation 14, and how they cross the wire.
 *
 * Source: FOUNDRY_FACTS 1.6.
 */

/** Remove the key this stands at. */
export class ForcedDeletion {
  toJSON() {
    return { $operator: "ForcedDeletion" };
  }
}

/** Put this value whole in place of what is there. */
export class ForcedReplacement {
  constructor(value) {
    this.value = value;
  }

  toJSON() {
    return { $operator: "ForcedReplacement", value: this.value };
  }
}

/** Tell whether a value is an operator. */
export function isOperator(value) {
  return value instanceof ForcedDeletion || value instanceof ForcedReplacement;
}

/** Carry a value over the wire: functions and undefined are lost, instances become plain, operators survive. */
export function overTheWire(value) {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : fromWire(text);
}

/** Read what came over the wire. */
export function fromWire(text) {
  return text.includes("\"$operator\"") ? JSON.parse(text, revive) : JSON.parse(text);
}

function revive(_key, value) {
  if (typeof value !== "object" || value === null || !("$operator" in value)) return value;
  return value.$operator === "ForcedDeletion" ? new ForcedDeletion() : new ForcedReplacement(value.value);
}

/**
 * Kinds of fields in the document tables.
 *
 * A field is `{kind, initial, …}`. Kinds: `string`, `number`, `boolean`, `object` (open), `array`, `any`,
 * `ref` (the id of a document, prepared as that document), `children` (an embedded collection), `delta`.
 */
import { deepClone, isPlain } from "../core/objects.js";
import { isOperator } from "../core/operators.js";

export const string = (initial = "") => ({ kind: "string", initial });
export const number = (initial = 0) => ({ kind: "number", initial });
export const boolean = (initial = false) => ({ kind: "boolean", initial });
export const object = (initial = {}) => ({ kind: "object", initial });
export const array = (initial = []) => ({ kind: "array", initial });
export const any = (initial = null) => ({ kind: "any", initial });
export const ref = (documentName) => ({ kind: "ref", initial: null, documentName });
export const children = (documentName) => ({ kind: "children", initial: [], documentName });
export const delta = () => ({ kind: "delta", initial: null, documentName: "ActorDelta" });

/** Give a value the type of its field; operators and nulls pass. */
export function cast(field, value) {
  if (value === null || value === undefined || isOperator(value)) return value;
  switch (field.kind) {
    case "string":
      return typeof value === "string" ? value : String(value);
    case "number":
      return castNumber(value);
    case "boolean":
      return typeof value === "boolean" ? value : value === "true" || (value !== "false" && Boolean(value));
    case "ref":
      return typeof value === "object" ? (value.id ?? value._id ?? null) : String(value);
    default:
      return value;
  }
}

function castNumber(value) {
  if (typeof value === "number") return value;
  const number = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
  return number;
}

/** Complete an open object with the members of its initial value that it lacks. */
export function complete(initial, value) {
  if (!isPlain(value)) return value;
  const full = { ...value };
  for (const [key, fallback] of Object.entries(initial)) {
    if (!Object.hasOwn(full, key)) full[key] = deepClone(fallback);
    else if (isPlain(fallback) && isPlain(full[key])) full[key] = complete(fallback, full[key]);
  }
  return full;
}

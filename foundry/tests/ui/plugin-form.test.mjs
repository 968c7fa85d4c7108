import assert from "node:assert/strict";
import test from "node:test";
import { argsOf, fieldOf, fieldsOf, takesMore } from "../../module/scripts/ui/plugin-form.js";

const SCHEMA = {
  required: ["name", "sure", "data"],
  properties: {
    name: { type: "string", description: "What it is called." },
    note: { type: "string" },
    count: { type: "integer" },
    depth: { type: "number" },
    sure: { type: "boolean" },
    wet: { type: "boolean" },
    tide: { enum: ["ebb", 2, null] },
    only: { const: "this" },
    odd: { enum: [{ a: 1 }] },
    data: { type: "object" },
    any: {},
    free: true,
  },
  additionalProperties: false,
};

const fields = fieldsOf(SCHEMA);
const filled = (values) => argsOf(fields, (name) => values[name] ?? (["sure", "wet"].includes(name) ? false : ""));

test("each kind of argument has its kind of field", () => {
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ["name", "text"], ["note", "text"], ["count", "number"], ["depth", "number"], ["sure", "flag"], ["wet", "flag"],
      ["tide", "choice"], ["only", "choice"], ["odd", "json"], ["data", "json"], ["any", "json"], ["free", "json"],
    ],
  );
  assert.equal(fields[0].hint, "What it is called.");
  assert.deepEqual(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name), ["name", "sure", "data"]);
});

test("what was filled in becomes arguments; what was not is left out, but for what is needed", () => {
  const { args, faults } = filled({ name: " Eel ", count: "3", depth: "0.5", wet: true, tide: "2", data: '{"a":[1]}' });
  assert.deepEqual(args, { name: " Eel ", count: 3, depth: 0.5, sure: false, wet: true, tide: null, data: { a: [1] } });
  assert.deepEqual(faults, {});
  assert.deepEqual(filled({}).args, { name: "", sure: false });
});

test("what is no number and no JSON is a fault of its field", () => {
  const { args, faults } = filled({ count: "three", data: "{" });
  assert.deepEqual(faults, { count: "number", data: "json" });
  assert.equal("count" in args || "data" in args, false);
});

test("a schema that takes more has a field for it", () => {
  assert.equal(takesMore(SCHEMA), false);
  assert.equal(takesMore({}), true);
  assert.deepEqual(fieldsOf({}), []);
});

test("a refusal is shown at the field that it is about", () => {
  assert.equal(fieldOf("#/properties/name/pattern"), "name");
  assert.equal(fieldOf("#/properties/a~1b/items/type"), "a/b");
  assert.equal(fieldOf("#/required"), null);
  assert.equal(fieldOf(), null);
});

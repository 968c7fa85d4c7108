import assert from "node:assert/strict";
import test from "node:test";

import { evaluate } from "../../module/scripts/handlers/eval.js";
import { CAPS, cut, serialize } from "../../module/scripts/serializer.js";

const value = (input) => serialize(input).value;

test("plain values come out as they are, with their type named", () => {
  assert.deepEqual(serialize({ a: [1, "two", null, true] }), { valueType: "Object", value: { a: [1, "two", null, true] } });
  assert.deepEqual(serialize(null), { valueType: "null", value: null });
  assert.deepEqual(serialize([]), { valueType: "array", value: [] });
  assert.deepEqual(serialize(undefined), { valueType: "undefined", value: "[undefined]" });
});

test("what JSON cannot hold is told in words", () => {
  assert.equal(value(12n), "12n");
  assert.equal(value(NaN), "[NaN]");
  assert.equal(value(Symbol("s")), "[Symbol(s)]");
  assert.equal(value(function bar() {}), "[function bar]");
  assert.equal(value(/a+/gi), "/a+/gi");
  assert.equal(value(new Date(0)), "1970-01-01T00:00:00.000Z");
  assert.equal(value(new Date(NaN)), "[invalid date]");
  const error = value(new TypeError("no"));
  assert.equal(error.__error, "TypeError");
  assert.equal(error.message, "no");
});

test("sets, maps and documents become plain", () => {
  assert.deepEqual(value(new Set([1, 2])), [1, 2]);
  assert.deepEqual(value(new Map([["a", 1]])), [["a", 1]]);
  const document = { documentName: "Actor", uuid: "Actor.a", toObject: () => ({ name: "Mira" }) };
  assert.deepEqual(value(document), { __doc: "Actor", __uuid: "Actor.a", name: "Mira" });
});

test("a circle, a throwing getter and a hostile key do no harm", () => {
  const circle = { name: "c" };
  circle.self = circle;
  assert.deepEqual(value(circle), { name: "c", self: "[Circular]" });
  const shared = { n: 1 };
  assert.deepEqual(value([shared, shared]), [{ n: 1 }, { n: 1 }]);
  assert.deepEqual(value({ get bad() { throw new Error("boom"); } }), { bad: "[getter threw: boom]" });
  const hostile = value(JSON.parse('{"__proto__": {"x": 1}}'));
  assert.deepEqual(Object.keys(hostile), ["__proto__"]);
  assert.equal({}.x, undefined);
});

test("each cap holds and says what was left out", () => {
  assert.equal(value(Array(502).fill(0)).length, CAPS.array + 1);
  assert.equal(value(Array(502).fill(0)).at(-1), "[… 2 more]");
  assert.equal(value("x".repeat(CAPS.text + 5)).endsWith("[… 5 more characters]"), true);
  const wide = Object.fromEntries(Array.from({ length: 303 }, (_, i) => [`k${i}`, i]));
  assert.equal(value(wide).__truncatedKeys, 3);
  let deep = { end: true };
  for (let i = 0; i < 10; i++) deep = { deep };
  assert.match(JSON.stringify(value(deep)), /\[max depth: Object\]/);
});

test("a cut never halves a surrogate pair", () => {
  assert.equal(cut("ab😀cd", 3).startsWith("ab["), true);
  assert.equal(cut("ab😀cd", 4).startsWith("ab😀["), true);
});

test("code runs strict, may await, and its value is returned", async () => {
  assert.deepEqual(await evaluate({ code: "return await Promise.resolve(6 * 7)" }), {
    ok: true,
    valueType: "number",
    value: 42,
  });
  await assert.rejects(evaluate({ code: "undeclared = 1" }), /eval: execution threw: undeclared is not defined/);
});

test("a syntax error and a throw are told apart, with their stack", async () => {
  await assert.rejects(evaluate({ code: "return (" }), (error) => {
    assert.equal(error.code, -33002);
    assert.match(error.message, /^eval: syntax error/);
    return true;
  });
  await assert.rejects(evaluate({ code: "throw new Error('no ale')" }), (error) => {
    assert.equal(error.message, "eval: execution threw: no ale");
    assert.match(error.data.stack, /no ale/);
    return true;
  });
  await assert.rejects(evaluate({ code: " " }), { code: -32602 });
});

test("the console is captured with its lines, a throw included, and given back", async () => {
  const before = console.log;
  const told = [];
  console.log = (...args) => told.push(args);
  try {
    const mine = console.log;
    const result = await evaluate({ code: "console.log('hp', {a: 1}); throw new Error('x')", captureConsole: true });
    assert.equal(result.ok, false);
    assert.equal(result.thrown.message, "x");
    assert.deepEqual(result.console.map(({ level, source, msg }) => [level, source, msg]), [
      ["log", "console", 'hp {"a":1}'],
    ]);
    assert.deepEqual(told, [["hp", { a: 1 }]]);
    assert.equal(console.log, mine);
  } finally {
    console.log = before;
  }
});

test("an eval nobody waits for answers at once, unless it is recorded", async () => {
  const free = await evaluate({ code: "await new Promise(() => {})", awaitResult: false });
  assert.equal(free.valueType, "Promise");
  const recorded = await evaluate({ code: "return 1", awaitResult: false, rp: { id: "rp-000001" } });
  assert.equal(recorded.value, 1);
});

test("a thing whose members refuse to be looked at is still shown", () => {
  const touchy = new Proxy({ title: "The Sunken Inn" }, {
    get(target, key) {
      if (key === "documentName") throw new Error("not for you");
      return target[key];
    },
  });
  assert.deepEqual(serialize(touchy).value, { title: "The Sunken Inn" });
});

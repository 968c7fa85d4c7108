"""Pass a value through things that give it back, then act on it.

Each wrapper is an expression that is worth what is put in for ``E``.
"""

from __future__ import annotations

import random
import re

WRAPPERS = r"""
[E][0]
[E].at(-1)
[E].pop()
[E].shift()
[E].slice()[0]
[E].concat([])[0]
[E].reverse()[0]
[E].sort()[0]
[E].splice(0, 1)[0]
[E].find(() => true)
[E].findLast(() => true)
[E].filter(Boolean)[0]
[E].map(x => x)[0]
[1].map(() => E)[0]
[E].flatMap(x => [x])[0]
[E].flatMap(x => x)[0]
[[E]].flat()[0]
[[[E]]].flat(2)[0]
[E].reduce((a, b) => b, null)
[E, 1].reduce((a, b) => a)
[E].values().next().value
[E].entries().next().value[1]
[[1, E]].map(([a, b]) => b)[0]
[...[E]][0]
[...new Set([E])][0]
new Set([E]).values().next().value
new Map([[1, E]]).get(1)
[...new Map([[1, E]]).values()][0]
[...new Map([[1, E]])][0][1]
new Array(1).fill(E)[0]
Array.from([E])[0]
Array.from([1], () => E)[0]
Array.of(E)[0]
Array.prototype.slice.call([E])[0]
({a: E}).a
({a: E})["a"]
({["a" + "b"]: E}).ab
({...{a: E}}).a
({...[E]})[0]
Object.assign({}, {a: E}).a
Object.values({a: E})[0]
Object.entries({a: E})[0][1]
Object.fromEntries([["k", E]]).k
Object.create({k: E}).k
Object.freeze({k: E}).k
Reflect.get({k: E}, "k")
Object.getOwnPropertyDescriptor({k: E}, "k").value
({get k() { return E; }}).k
({k() { return E; }}).k()
({k: () => E}).k()
(x => x)(E)
((...r) => r[0])(E)
((a, {b} = {b: a}) => b)(E)
((a = E) => a)()
(function () { return arguments[0]; })(E)
(function () { return this; }).call(E)
(function () { return this; }).bind(E)()
(x => () => x)(E)()
(a => b => a)(E)(1)
(function f(n) { return n ? f(n - 1) : E; })(2)
(() => { const f = () => v; const v = E; return f(); })()
(() => { let v = 1; const f = () => v; v = E; return f(); })()
(() => { let v; for (const x of [E]) v = x; return v; })()
(() => { let v; [E].forEach(x => { v = x; }); return v; })()
(() => { let v; new Map([[1, E]]).forEach(x => { v = x; }); return v; })()
(() => { try { throw E; } catch (e) { return e; } })()
(() => { try { throw {k: E}; } catch ({k}) { return k; } })()
(() => { try { return E; } finally { Math.max(1, 2); } })()
(() => { let r; ({a: r} = {a: E}); return r; })()
(() => { let r; [r] = [E]; return r; })()
(() => { let r; [, r = E] = [1]; return r; })()
(() => { const {a: {b = 1} = {b: E}} = {}; return b; })()
(() => { const {a, ...r} = {a: 1, k: E}; return r.k; })()
(() => { const [, ...r] = [1, E]; return r[0]; })()
(() => { const o = {}; o["k" + 1] = E; return o.k1; })()
(() => { const o = {}; for (const k of ["a"]) o[k] = E; return o.a; })()
(() => { const o = {}; o.k ??= E; return o.k; })()
(() => { const o = {l: []}; o.l.push(E); return o.l[0]; })()
(() => { const l = []; l[l.length] = E; return l[0]; })()
(() => { const l = []; l.unshift(E); return l.pop(); })()
(() => { let v; const s = {set x(y) { v = y; }}; s.x = E; return v; })()
(() => { const m = new WeakMap(), k = {}; m.set(k, E); return m.get(k); })()
(() => { const m = new Map(); m.set("a", [E]); return m.get("a")[0]; })()
(() => { function F() { this.k = E; } return new F().k; })()
(() => { function F() {} F.prototype.k = E; return new F().k; })()
(() => { const f = () => 1; f.k = E; return f.k; })()
(() => { switch (1) { case 1: return E; } })()
(() => { a: { for (;;) { break a; } } return E; })()
(() => { const s = [E]; while (s.length) { const x = s.pop(); return x; } })()
(() => { const g = {*[Symbol.iterator]() { yield E; }}; return [...g][0]; })()
(() => { const o = {}; Object.defineProperty(o, "k", {value: E}); return o.k; })()
(() => { const o = {}; Object.defineProperty(o, "k", {get: () => E}); return o.k; })()
(() => { const o = {}; Reflect.set(o, "k", E); return o.k; })()
(() => { const q = {in: [E], out: []}; q.out.push(...q.in); return q.out[0]; })()
(class { static x = E; }).x
(class { static get x() { return E; } }).x
(class { static m() { return E; } }).m()
(class { static k; static { this.k = E; } }).k
new (class { x = E; })().x
new (class { #p = E; get v() { return this.#p; } })().v
new (class { constructor(x) { this.x = x; } })(E).x
new (class { m() { return E; } })().m()
new (class extends (class { m() { return E; } }) { m() { return super.m(); } })().m()
new (class extends (class { constructor(x) { this.x = x; } }) {})(E).x
new (class extends Map { m() { return E; } })().m()
new (class extends Array { m() { return E; } })().m()
(function* () { yield E; })().next().value
(function* () { return E; })().next().value
[...(function* () { yield* [E]; })()][0]
((function* () { const x = yield 1; return x; })().next().value && E)
((s, v) => v)`${E}`
(((s, ...v) => 0)`a${1}b${E}` || E)
(await Promise.resolve(E))
(await (async () => E)())
(await Promise.all([E]))[0]
(await Promise.race([E]))
(await Promise.allSettled([E]))[0].value
(await new Promise(r => r(E)))
(await new Promise(r => setTimeout(() => r(E), 1)))
(await Promise.resolve(1).then(() => E))
(await Promise.reject(1).catch(() => E))
(await (async function* () { yield E; })().next()).value
(await (async () => { for await (const x of [E]) return x; })())
(1, E)
(null ?? E)
(true && E)
(false || E)
(Math.random() < 2 ? E : null)
({a: {b: [E]}}).a.b[0]
[{a: E}].map(({a}) => a)[0]
Object.values(Object.fromEntries([E].map((x, i) => [i, x])))[0]
[...Array.from([E]).entries()].map(([i, x]) => x)[0]
foundry.utils.getProperty({a: {b: E}}, "a.b")
foundry.utils.mergeObject({a: 1}, {b: E}).b
""".strip().split("\n")

VALUES = (
    "game.actors.contents[0]",
    "game.actors.get('a').items.contents[0]",
    "canvas.scene.tokens.contents[0]",
    "(await fromUuid('Actor.a'))",
)

ACTS = (
    "E.update({name: 'x'})",
    "E.delete()",
    "E['upd' + 'ate']({})",
    "E.frobnicate()",
    "E.name = 'x'",
    "E.system.hp.value -= 1",
    "delete E.system.hp",
    "E.system.list.push(1)",
    "E.system.list.sort()",
    "E.setFlag('world', 'k', 1)",
    "Object.assign(E.system, {x: 1})",
    "foundry.utils.setProperty(E, 'name', 'x')",
    "[1].forEach(E.update)",
    "E.rollSkill('per')",
    "`${{toString: E.frobnicate}}`",
    "(E.frobnicate)`x`",
)

# A method, taken from its document first.
METHODS = (
    "E({name: 'x'})",
    "E.call(game.actors.contents[0], {})",
    "[1].map(E)",
    "Promise.resolve(1).then(E)",
    "Reflect.apply(E, null, [])",
    "new E()",
    "E`x`",
    "'x'.replace('x', E.bind(null))",
    "JSON.parse('1', E)",
    "setTimeout(E, 1)",
)


def put_in(wrapper: str, value: str) -> str:
    """Write *value* where the wrapper says ``E``."""
    return re.sub(r"\bE\b", lambda _: value, wrapper)


def disguised(chance: random.Random) -> str:
    """Write one eval that acts on a live object, after some detours."""
    if chance.random() < 0.7:
        value, act = chance.choice(VALUES), chance.choice(ACTS)
    else:
        value = chance.choice(VALUES) + chance.choice((".update", ".frobnicate"))
        act = chance.choice(METHODS)
    for _ in range(chance.randint(1, 4)):
        wrapper = chance.choice(WRAPPERS)
        if "await" in value:  # awaited first: not every wrapper is async
            return f"const subject = {value}; " + put_in(
                act, put_in(wrapper, "subject")
            )
        value = put_in(wrapper, value)
    return put_in(act, value)

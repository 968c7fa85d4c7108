//# write | alias
const f = game.actors.contents[0].update; f.call(game.actors.contents[0], {});
//# delete | getter
const o = { get x() { game.actors.contents[0].delete(); return 1; } }; return o;
//# write | proxy
const p = new Proxy({}, { get: (t, k) => game.actors.contents[0].update({}) }); return p.x;
//# write | proxy doc
const p = new Proxy(game.actors.contents[0], {}); return p.update({});
//# write | reflect apply
const a = game.actors.contents[0]; return Reflect.apply(a.update, a, [{}]);
//# write | map call
return Array.prototype.map.call([1], game.actors.contents[0].update);
//# delete | callback delete
const doc = game.actors.contents[0]; [1].forEach(doc.delete);
//# write | bind
const doc = game.actors.contents[0]; const b = doc.update.bind(doc); return b({});
//# unproven | bind unknown
const doc = game.actors.contents[0]; const b = doc.frob.bind(doc); return [1].map(b);
//# write | tagged
const doc = game.actors.contents[0]; return doc.update`x`;
//# write | tagged alias
const doc = game.actors.contents[0]; const t = (s, ...v) => v[0].update({}); return t`${doc}`;
//# write | generator
function* g() { yield game.actors.contents[0]; } for (const d of g()) d.update({});
//# write | generator method value
function* g() { const d = game.actors.contents[0]; yield d.update.bind(d); } for (const d of g()) d({});
//# write | toString hook
const d = game.actors.contents[0]; const o = { toString() { d.update({}); return "x"; } }; return `${o}`;
//# unproven | valueOf hook assigned
const d = game.actors.contents[0]; const o = {}; o.valueOf = d.frob; return o + 1;
//# unproven | toJSON
const d = game.actors.contents[0]; return { toJSON: d.frobnicate };
//# unproven | then
const d = game.actors.contents[0]; return { then: d.frobnicate };
//# write | Symbol.iterator
const d = game.actors.contents[0]; const o = { *[Symbol.iterator]() { yield d; } }; for (const x of o) x.update({});
//# unproven | Symbol.iterator fn
const d = game.actors.contents[0]; const o = { [Symbol.iterator]: d.frob }; return [...o];
//# delete | Symbol.toPrimitive
const d = game.actors.contents[0]; const o = { [Symbol.toPrimitive]() { return d.delete(); } }; return +o;
//# delete | async iterator
const d = game.actors.contents[0]; const o = { async *[Symbol.asyncIterator]() { yield d; } }; for await (const x of o) x.delete();
//# write | assign doc
game.actors.contents[0].name = "x";
//# write | assign nested
game.actors.contents[0].system.attributes.hp.value = 1;
//# write | assign config
CONFIG.debug.hooks = true;
//# write | assign config2
CONFIG.Actor.documentClass = class {};
//# write | assign proto
Actor.prototype.update = function () {};
//# unproven | assign proto alias
const p = Array.prototype; p.map = game.actors.contents[0].update;
//# unproven | array proto
[].__proto__.map = game.actors.contents[0].frob; return [1].map(1);
//# side-effect | hooks on
Hooks.on("updateActor", () => {});
//# delete | setTimeout
setTimeout(() => game.actors.contents[0].delete(), 0);
//# delete | setTimeout text
setTimeout("game.actors.contents[0].delete()", 0);
//# unproven | dynamic import
const m = await import("/x.js"); return m;
//# delete | new Function
return new Function("return game.actors.contents[0].delete()")();
//# unproven | Function
return Function("return 1")();
//# unproven | AsyncFunction
return (async () => {}).constructor("return game.actors.contents[0].delete()")();
//# unproven | constructor chain
return "".constructor.constructor("return 1")();
//# unproven | constructor chain 2
return [].filter.constructor("return 1")();
//# unproven | constructor computed
const k = ["con", "structor"].join(""); return [][k][k]("return 1")();
//# unproven | constructor opaque
const k = game.x.y.slice(0, 5) + "structor"; return [][k][k]("return 1")();
//# unproven | constructor opaque obj
const k = game.x.y.slice(0, 5) + "structor"; return ({})[k][k]("return 1")();
//# unproven | constructor opaque obj fields
const k = game.x.y.slice(0, 5) + "structor"; return ({ a: { b: () => 1 } })[k][k]("return 1")();
//# write | this
return (function () { return this; }).call(game.actors.contents[0]).update({});
//# write | arguments
return (function () { return arguments[0].update({}); })(game.actors.contents[0]);
//# unproven | arguments callee
return (function () { return arguments.callee.constructor("return 1")(); })();
//# unproven | label regex
a: { break a; } /x/.test("x"); game.actors.contents[0].delete();
//# delete | regex hides division
const a = 1, g = 1; const b = a
/game.actors.contents[0].delete()/g;
//# unproven | await quote
await /'/; game.actors.contents[0].delete() //'
//# delete | unicode escape ident
game.actors.contents[0].\u0064elete();
//# delete | unicode escape ident 2
game.actors.contents[0].d\u{65}lete();
//# delete | unicode string
game.actors.contents[0]["\x64elete"]();
//# delete | unicode global
\u0067ame.actors.contents[0].delete();
//# write | spread into calls
const d = game.actors.contents[0]; const args = [{}]; d.update(...args);
//# write | spread fn
const d = game.actors.contents[0]; const call = (f, ...a) => f.apply(d, a); call(...[d.update, {}]);
//# delete | default param
const d = game.actors.contents[0]; const f = (x = d.delete()) => x; f();
//# delete | default destruct
const { x = game.actors.contents[0].delete() } = {};
//# delete | setter
const d = game.actors.contents[0]; const o = { set x(v) { v.delete(); } }; o.x = d;
//# delete | setter class
class A { set x(v) { v.delete(); } } const o = new A(); o.x = game.actors.contents[0];
//# write | delete op
delete game.actors.contents[0].system.x;
//# unproven | delete shared
delete CONFIG.Actor;
//# unproven | sort in place
game.combat.turns.sort((a, b) => 1);
//# unproven | sort contents
game.actors.contents.sort((a, b) => 1);
//# unproven | reverse
canvas.tokens.placeables.reverse();
//# unproven | splice
game.actors.contents[0].system.list.splice(0, 1);
//# unproven | push live
game.actors.contents[0].system.list.push(1);
//# unproven | push alias
const { push } = []; push.call(game.actors.contents[0].system.list, 1);
//# unproven | push apply
Array.prototype.push.apply(game.actors.contents[0].system.list, [1]);
//# write | Object.assign live
Object.assign(game.actors.contents[0].system, { x: 1 });
//# write | Object.assign nested
const copy = { s: game.actors.contents[0].system }; Object.assign(copy.s, { x: 1 });
//# write | destruct assign
({ x: game.actors.contents[0].name } = { x: "foo" });
//# write | array destruct assign
[game.actors.contents[0].name] = ["x"];
//# write | for of assign
for (game.actors.contents[0].name of ["x"]);
//# write | for in assign
for (game.actors.contents[0].name in { x: 1 });
//# write | increment
game.actors.contents[0].system.x++;
//# write | compound
game.actors.contents[0].system.x += 1;
//# write | logical assign
game.actors.contents[0].system.x ??= 1;
//# write | alias of data
const hp = game.actors.contents[0].system.attributes.hp; hp.value = 1;
//# write | spread nested alias
const s = { ...game.actors.contents[0].system }; s.attributes.hp.value = 1;
//# unproven | mergeObject
foundry.utils.mergeObject(game.actors.contents[0].system, { x: 1 });
//# unproven | mergeObject nested
foundry.utils.mergeObject({ ...game.actors.contents[0].system }, { attributes: { hp: 1 } });
//# write | setProperty
foundry.utils.setProperty(game.actors.contents[0], "name", "x");
//# write | setProperty nested
foundry.utils.setProperty({ a: game.actors.contents[0] }, "a.name", "x");
//# delete | conditional
(Math.random() > 2 ? game.actors : game.items).contents[0].delete();
//# delete | comma
(0, game.actors.contents[0].delete)();
//# delete | optional call
game.actors.contents[0]?.delete?.();
//# delete | optional bracket
game.actors.contents[0]?.["delete"]?.({});
//# delete | const concat
const k = "de" + "lete"; game.actors.contents[0][k]();
//# delete | template
game.actors.contents[0][`${"de"}lete`]();
//# delete | array join
game.actors.contents[0][["de", "lete"].join("")]();
//# delete | reverse string
game.actors.contents[0]["eteled".split("").reverse().join("")]();
//# delete | from char code
game.actors.contents[0][String.fromCharCode(100, 101, 108, 101, 116, 101)]();
//# delete | atob
game.actors.contents[0][atob("ZGVsZXRl")]();
//# unproven | opaque key
game.actors.contents[0][game.x.y]();
//# unproven | iterate methods
for (const k in game.actors.contents[0]) game.actors.contents[0][k]();
//# unproven | Object.values methods
Object.values(ChatMessage).forEach(f => f({}));
//# write | getOwnPropertyDescriptor
Object.getOwnPropertyDescriptor(Actor.prototype, "update").value.call(game.actors.contents[0], {});
//# write | Reflect.get
const d = game.actors.contents[0]; Reflect.get(d, "update").call(d, {});
//# delete | nested closures
const mk = d => () => () => d.delete(); mk(game.actors.contents[0])()();
//# delete | returned closure map
const fs = game.actors.map(a => () => a.delete()); fs.forEach(f => f());
//# delete | reduce with method
game.actors.reduce((p, a) => p.then(() => a.delete()), Promise.resolve());
//# write | then method
Promise.resolve({}).then(game.actors.contents[0].update);
//# delete | class static block
class A { static { game.actors.contents[0].delete(); } }
//# delete | class field
class A { x = game.actors.contents[0].delete(); } new A();
//# delete | class extends call
class A extends (game.actors.contents[0].delete(), Object) {}
//# delete | class method
class A { m(d) { return d.delete(); } } new A().m(game.actors.contents[0]);
//# delete | private method
class A { #m(d) { return d.delete(); } go(d) { return this.#m(d); } } new A().go(game.actors.contents[0]);
//# unproven | static private
class A { static #f = game.actors.contents[0].frob; static go() { A.#f(); } } A.go();
//# delete | super
class B { m(d) { return d.delete(); } } class A extends B { m(d) { return super.m(d); } } new A().m(game.actors.contents[0]);
//# write | extends Actor
class A extends Actor { go() { return this.update({}); } } return A;
//# delete | object super
const b = { m() { return game.actors.contents[0].delete(); } }; const o = { __proto__: b }; o.m();
//# delete | with getter default
const { [game.actors.contents[0].delete()]: x } = {};
//# delete | computed key call
return { [game.actors.contents[0].delete()]: 1 };
//# unproven | throw catch
try { throw game.actors.contents[0].frob; } catch (f) { f(); }
//# delete | throw catch object
try { throw { f: game.actors.contents[0].delete }; } catch (e) { e.f(); }
//# delete | hoisting
go(); function go() { return d.delete(); } var d = game.actors.contents[0];
//# delete | late assign
let f = () => 1; const g = () => f(); const d = game.actors.contents[0]; f = () => d.delete(); g();
//# unproven | late assign through object
const o = { f: () => 1 }; const g = () => o.f(); const d = game.actors.contents[0]; o.f = d.frob; g();
//# unproven | shadow param
const d = game.actors.contents[0]; const g = d.frob; ((h = g) => { var g = Math.max; return h(1); })();
//# unproven | var hoist
function f(x) { var x; return x(); } f(game.actors.contents[0].frob);
//# unproven | shadowed builtin
const Math = { max: game.actors.contents[0].frob }; return Math.max(1);
//# unproven | shadowed String
const String = game.actors.contents[0].frob; return String("x");
//# write | map with local override
const d = game.actors.contents[0]; const o = {}; o.map = d.update.bind(d); [o].find(x => x).map({});
//# unproven | map override unknown
const d = game.actors.contents[0]; const o = {}; o.map = d.frob; [o].find(x => x).map({});
//# unproven | map override computed
const d = game.actors.contents[0]; const o = {}; o["ma" + "p"] = d.frob; o.map({});
//# unproven | data override
const d = game.actors.contents[0]; const o = d.toObject(); o.map = d.frob; o.map({});
//# write | data override deep
const d = game.actors.contents[0]; const o = d.toObject(); o.system.filter = d.update; o.system.filter({});
//# unproven | array override
const d = game.actors.contents[0]; const a = []; a.map = d.frob; a.map({});
//# unproven | fn property
const f = () => 1; f.go = game.actors.contents[0].frob; f.go();
//# unproven | fn.call override
const f = () => 1; f.call = game.actors.contents[0].frob; f.call({});
//# unproven | Map values
const m = new Map([["x", game.actors.contents[0].frob]]); m.get("x")();
//# delete | Map forEach
new Map([["x", game.actors.contents[0]]]).forEach(d => d.delete());
//# unproven | Set
new Set([game.actors.contents[0].frob]).forEach(f => f());
//# unproven | entries
Object.entries({ a: game.actors.contents[0].frob }).forEach(([k, f]) => f());
//# unproven | JSON reviver
JSON.parse("[1]", game.actors.contents[0].frob);
//# unproven | JSON replacer
JSON.stringify({}, game.actors.contents[0].frob);
//# unproven | Array.from mapper
Array.from([1], game.actors.contents[0].frob);
//# write | replace callback
"x".replace("x", game.actors.contents[0].update);
//# unproven | sort comparator
[2, 1].sort(game.actors.contents[0].frob);
//# unproven | Promise executor
new Promise(game.actors.contents[0].frob);
//# delete | Promise executor resolves doc
const d = await new Promise(r => r(game.actors.contents[0])); await d.delete();
//# delete | Promise then doc
await new Promise(r => r(game.actors.contents[0])).then(d => d.delete());
//# delete | async returns doc
const d = await (async () => game.actors.contents[0])(); d.delete();
//# delete | async promise call
const d = await (() => new Promise(r => r(game.actors.contents[0])))(); d.delete();
//# delete | promise all
const [d] = await Promise.all([fromUuid("x")]); d.delete();
//# delete | allSettled
const [r] = await Promise.allSettled([fromUuid("x")]); r.value.delete();
//# delete | race
const d = await Promise.race([fromUuid("x")]); d.delete();
//# delete | fromUuid then
fromUuid("x").then(d => d.delete());
//# delete | getDocuments
for (const d of await game.packs.get("x").getDocuments()) await d.delete();
//# delete | groupBy
Object.groupBy(game.actors, a => a.type).npc[0].delete();
//# write | Object.create
Object.create(game.actors.contents[0]).update({});
//# write | clone save
game.actors.contents[0].clone({}, { save: true });
//# write | clone save var
const o = { save: true }; game.actors.contents[0].clone({}, o);
//# write | clone spread
game.actors.contents[0].clone({}, { ...game.x });
//# unproven | execute
game.macros.getName("x").execute();
//# unproven | macros call
game.macros.contents[0].callScript();
//# delete | window alias
window["ga" + "me"].actors.contents[0].delete();
//# delete | globalThis destruct
const { game: g } = globalThis; g.actors.contents[0].delete();
//# delete | self
self.game.actors.contents[0].delete();
//# unproven | globalThis unknown
globalThis[game.x.y]("x");
//# unproven | global assign
foo = 1;
//# unproven | window assign
window.foo = 1;
//# side-effect | document title
document.title = "x";
//# side-effect | dom
document.querySelector("#x").remove();
//# side-effect | dom click
document.querySelector("button").click();
//# side-effect | innerHTML
document.body.innerHTML = "";
//# unproven | createElement innerHTML
const d = document.createElement("div"); d.innerHTML = "<img src=x onerror=x>"; return d.textContent;
//# unproven | Image
new Image().src = "http://x";
//# side-effect | location replace alias
const l = location; l.replace("x");
//# side-effect | location in array
[location].map(l => l.replace("x"));
//# side-effect | location in object
const o = { l: location }; o.l.assign("x");
//# side-effect | location passed
(l => l.replace("x"))(window.location);
//# side-effect | owner document
canvas.app.view.ownerDocument.defaultView.location.replace("x");
//# delete | eval indirect
(0, eval)("game.actors.contents[0].delete()");
//# unproven | eval alias
const e = eval; e("1");
//# write | settings set
game.settings.set("core", "x", 1);
//# write | settings storage
game.settings.storage.get("world").contents[0].update({});
//# side-effect | localStorage
localStorage.setItem("x", 1);
//# side-effect | localStorage prop
localStorage.x = 1;
//# unproven | localStorage leak
return Object.entries(localStorage);
//# unproven | localStorage leak 2
return JSON.stringify(localStorage);
//# unproven | localStorage leak 3
return { ...localStorage };
//# unproven | localStorage leak 4
return localStorage;
//# protected | aagm token
return localStorage.getItem("aagm.token-x");
//# protected | aagm token prop
return localStorage["aagm.token-x"];
//# unproven | draw
game.tables.contents[0].draw();
//# unproven | table roll
game.tables.contents[0].roll();
//# unproven | item use
game.actors.contents[0].items.contents[0].use();
//# unproven | roll skill
game.actors.contents[0].rollSkill("per");
//# write | combat
game.combat.nextTurn();
//# write | time
game.time.advance(60);
//# side-effect | pause
game.togglePause(true);
//# side-effect | toMessage
(await new Roll("1d6").evaluate()).toMessage();
//# side-effect | Roll toMessage direct
new Roll("1d6").toMessage();
//# unproven | module api
game.modules.get("x").api.go();
//# protected | aagm api
game.modules.get("aagm").api.send("x");
//# unproven | hidden in html comment
<!-- x
game.actors.contents[0].delete();
//# delete | finally
try {} finally { game.actors.contents[0].delete(); }
//# delete | switch
switch (1) { case game.actors.contents[0].delete(): break; }
//# delete | ternary chain
true ? false ? 1 : game.actors.contents[0].delete() : 2;
//# delete | in for header
for (let i = game.actors.contents[0].delete(); ;) break;
//# delete | do while
do ; while (game.actors.contents[0].delete());
//# delete | label fn
x: for (const a of game.actors) { a.delete(); continue x; }
//# delete | void
void game.actors.contents[0].delete();
//# delete | typeof
typeof game.actors.contents[0].delete();
//# write | new with method
new (game.actors.contents[0].update)({});
//# unproven | new Bound
const d = game.actors.contents[0]; new (d.frob.bind(d))();
//# write | documentClass
new CONFIG.Actor.documentClass({}).update({});
//# write | getDocumentClass
getDocumentClass("Actor").create({});
//# write | createDocuments
Actor.createDocuments([{}]);
//# write | implementation
Actor.implementation.create({});
//# write | foundry documents
foundry.documents.BaseActor.create({});
//# write | collections
game.collections.get("Actor").documentClass.create({});
//# write | modifyBatch
foundry.documents.modifyBatch([]);
//# write | database
CONFIG.DatabaseBackend.update(Actor, {});
//# side-effect | socket dispatch
SocketInterface.dispatch("modifyDocument", {});
//# side-effect | socket alias
const s = game.socket; s.emit("x");
//# side-effect | socket in fn
(s => s.emit("x"))(game.socket);
//# side-effect | keyboard
document.dispatchEvent(new KeyboardEvent("keydown"));
//# delete | iterator close
const it = { [Symbol.iterator]() { return { next: () => ({ done: false }), return: () => game.actors.contents[0].delete() }; } }; for (const x of it) break;
//# delete | instanceof hook
class A { static [Symbol.hasInstance](d) { return d.delete(); } } game.actors.contents[0] instanceof A;
//# unproven | species
class A extends Array { static get [Symbol.species]() { return game.actors.contents[0].frob; } } new A().map(x => x);
//# delete | structured
structuredClone({ get x() { return game.actors.contents[0].delete(); } });
//# delete | WeakRef
new WeakRef(game.actors.contents[0]).deref().delete();
//# unproven | Array.of call
Array.of(game.actors.contents[0].frob)[0]();
//# unproven | at
[game.actors.contents[0].frob].at(0)();
//# unproven | pop
[game.actors.contents[0].frob].pop()();
//# delete | flat
[[game.actors.contents[0]]].flat().forEach(d => d.delete());
//# delete | concat
[].concat(game.actors.contents[0]).forEach(d => d.delete());
//# delete | splice return
[game.actors.contents[0]].splice(0, 1)[0].delete();
//# delete | fill
new Array(1).fill(game.actors.contents[0])[0].delete();
//# delete | next value
[game.actors.contents[0]].values().next().value.delete();
//# delete | gen next
(function* () { yield game.actors.contents[0]; })().next().value.delete();
//# delete | gen return value
(function* () { return game.actors.contents[0]; })().next().value.delete();
//# delete | gen send
const g = (function* () { const d = yield 1; d.delete(); })(); g.next(); g.next(game.actors.contents[0]);
//# delete | yield star
function* a() { yield* game.actors; } for (const d of a()) d.delete();
//# delete | rest param
((...ds) => ds.forEach(d => d.delete()))(...game.actors);
//# delete | rest object
const { x, ...rest } = { x: 1, d: game.actors.contents[0] }; rest.d.delete();
//# delete | rest array
const [, ...r] = [1, game.actors.contents[0]]; r[0].delete();
//# delete | fn length trick
(function f(d) { return d ? d.delete() : f(game.actors.contents[0]); })();
//# delete | recursion
const rec = (d, n) => n ? rec(d, n - 1) : d.delete(); rec(game.actors.contents[0], 3);
//# delete | Y combinator
const Y = f => (x => x(x))(x => f(y => x(x)(y))); Y(self => d => d.delete())(game.actors.contents[0]);
//# delete | church
const pair = (a, b) => s => s(a, b); pair(1, game.actors.contents[0])((a, b) => b).delete();
//# delete | object dispatch
const h = { go: d => d.delete() }; h["go"](game.actors.contents[0]);
//# delete | object dispatch unknown
const h = { go: d => d.delete() }; h[game.x.y](game.actors.contents[0]);
//# delete | array of fns
[d => d.delete()][0](game.actors.contents[0]);
//# write | call chain
Function.prototype.call.call(game.actors.contents[0].update, game.actors.contents[0], {});
//# unproven | apply of call
Function.prototype.apply.call(game.actors.contents[0].frob, game.actors.contents[0], []);
//# unproven | bind call
Function.prototype.call.bind(game.actors.contents[0].frob)(game.actors.contents[0]);
//# delete | method on prototype
Actor.prototype.delete.call(game.actors.contents[0]);
//# unproven | __lookupGetter__
game.__lookupGetter__("x")();
//# delete | defineProperty getter
const o = {}; Object.defineProperty(o, "x", { get() { return game.actors.contents[0].delete(); } }); return o.x;
//# unproven | defineProperty live
Object.defineProperty(game, "x", { value: 1 });
//# unproven | freeze live
Object.freeze(game.actors.contents[0].system);
//# write | getPrototypeOf put
Object.getPrototypeOf(game.actors.contents[0]).x = 1;
//# delete | requestAnimationFrame
requestAnimationFrame(() => game.actors.contents[0].delete());
//# unproven | MutationObserver
new MutationObserver(() => 1);
//# unproven | FinalizationRegistry
new FinalizationRegistry(game.actors.contents[0].frob);
//# unproven | scheduler
scheduler.postTask(() => 1);
//# side-effect | unknown lib
socketlib.registerModule("x").executeAsGM("y");
//# unproven | jquery
$("#x").remove();
//# unproven | jquery get
$.get("http://x");
//# unproven | axios
axios.get("http://x");
//# unproven | Sequencer
new Sequence().effect().play();
//# unproven | warpgate
warpgate.spawn("x");
//# unproven | ItemPiles
game.itempiles.API.addItems("x");
//# unproven | midi
MidiQOL.applyTokenDamage([]);
//# side-effect | canvas
canvas.animatePan({ x: 1 });
//# side-effect | token control
canvas.tokens.placeables[0].control();
//# side-effect | ping
canvas.ping({ x: 1 });
//# side-effect | view
game.scenes.contents[0].view();
//# side-effect | activate
game.scenes.contents[0].activate();
//# side-effect | show
game.journal.contents[0].show();
//# side-effect | Dialog
Dialog.confirm({});
//# side-effect | DialogV2
foundry.applications.api.DialogV2.confirm({});
//# side-effect | new Dialog
new Dialog({}).render(true);
//# side-effect | upload
FilePicker.upload("data", "x", new File([], "x"));
//# side-effect | window open
window.open("x");
//# side-effect | xhr
new XMLHttpRequest();
//# side-effect | ws
new WebSocket("ws://x");
//# side-effect | beacon
navigator.sendBeacon("x", "y");
//# side-effect | alert
alert(1);
//# side-effect | history
history.back();
//# side-effect | reload
location.reload();
//# side-effect | reload2
foundry.utils.debouncedReload();
//# delete | raw text of a template as the name
game.actors.contents[0][(s => s.raw[0])`delete`]();
//# unproven | a name that never comes to be
const o = {}; game.actors.contents[0][o.x.y.z]();
//# unproven | a table normalizes itself
game.tables.contents[0].normalize();
//# unproven | an item that knows how to drop itself
game.actors.contents[0].items.contents[0].drop();
//# unproven | nothing is called back
const o = {}; [1].forEach(o.x);
//# unproven | a class that yields methods
class C { *[Symbol.iterator]() { yield game.actors.contents[0].frobnicate; } }
[...new C()].forEach(f => f());
//# delete | a class that yields documents
class C { *[Symbol.iterator]() { yield* game.actors; } }
for (const d of new C()) await d.delete();
//# unproven | a regular expression calls
/x/[Symbol.replace]("x", game.actors.contents[0].frobnicate);
//# unproven | a typed array calls
Uint8Array.from([1], game.actors.contents[0].frobnicate);

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { ProtectedDocuments } from "../../module/scripts/protected-documents.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { queryActor } from "../../module/scripts/handlers/query-actor.js";
import { queryJournal } from "../../module/scripts/handlers/query-journal.js";
import { queryMacro } from "../../module/scripts/handlers/query-macro.js";
import { queryScene } from "../../module/scripts/handlers/query-scene.js";
import { queryUser } from "../../module/scripts/handlers/query-user.js";
import { createWorld } from "../../simulator/index.js";
import { idOf, sunkenInn } from "../../simulator/worlds/sunken-inn.js";

let world;
const guarded = new ProtectedDocuments();

function open(options = {}) {
  const system = options.system ?? "sim-generic";
  world = createWorld({ ...sunkenInn({ system }), version: 12, clock: "real", ...options });
  world.gm.install(globalThis);
  forgetTypes();
  guarded.replace(undefined);
}

beforeEach(() => open());
afterEach(() => world.dispose());

const LODGER = `Scene.${idOf("Taproom")}.Token.${idOf("TokenDrowned Lodger")}`;

test("a token's uuid gives its own actor, whose uuid leads back to it", async () => {
  await (await fromUuid(LODGER)).actor.update({ "system.resource.value": 3 });
  const fields = ["system.resource.value"];
  const own = await queryActor({ actorId: LODGER, fields });
  assert.deepEqual(own, {
    actorId: LODGER,
    uuid: `${LODGER}.Actor.${idOf("Drowned Lodger")}`,
    name: "Drowned Lodger",
    token: LODGER,
    data: { "system.resource.value": 3 },
  });
  assert.deepEqual((await queryActor({ actorId: own.uuid, fields })).data, own.data);
  const base = await queryActor({ actorId: idOf("Drowned Lodger"), fields });
  assert.equal(base.data["system.resource.value"], 16);
  assert.equal(base.token, undefined);
});

test("a linked token's actor is the world's", async () => {
  const answer = await queryActor({ actorId: `Scene.${idOf("Taproom")}.Token.${idOf("TokenBrunna")}`, fields: ["name"] });
  assert.equal(answer.uuid, `Actor.${idOf("Brunna Saltcask")}`);
  assert.equal(answer.token, undefined);
});

test("a compendium's actor is read by its uuid, also in the older form", async () => {
  for (const actorId of [`Compendium.world.lake-bestiary.Actor.${idOf("Reed Heron")}`, `Compendium.world.lake-bestiary.${idOf("Reed Heron")}`]) {
    const answer = await queryActor({ actorId });
    assert.equal(answer.data.name, "Reed Heron");
    assert.equal(answer.pack, "world.lake-bestiary");
    assert.equal((await fromUuid(answer.uuid)).name, "Reed Heron");
  }
});

test("a field that the system works out is given and marked; one that does not exist is named", async () => {
  world.dispose();
  open({ system: "sim-pf1" });
  const actor = game.actors.getName("Ottar Reed");
  const fields = ["system.attributes.hp.value", "system.attributes.hp.offset", "system.hitpoints", "update", "name"];
  const answer = await queryActor({ actorId: actor.id, fields });
  assert.deepEqual(answer.data, {
    "system.attributes.hp.value": actor.system.attributes.hp.value,
    "system.attributes.hp.offset": -3,
    name: "Ottar Reed",
  });
  assert.deepEqual(answer.derived, ["system.attributes.hp.value"]);
  assert.deepEqual(answer.unknownFields, ["system.hitpoints", "update"]);
});

test("a field called like a trap is only a field", async () => {
  const answer = await queryActor({ actorId: idOf("Old Pike"), fields: ["__proto__", "constructor", "_id"] });
  assert.deepEqual(Object.keys(answer.data), ["_id"]);
  assert.deepEqual(answer.unknownFields, ["__proto__", "constructor"]);
});

test("what is no actor, or is not there, says so", async () => {
  await assert.rejects(queryActor({ actorId: "nobody" }), /not found: actor nobody/);
  await assert.rejects(queryActor({ actorId: `JournalEntry.${idOf("Ledger")}` }), /is no actor, it is a JournalEntry/);
  await assert.rejects(queryActor({ actorId: "Scene.none.Token.none" }), /not found/);
  await assert.rejects(queryActor({ actorId: "" }), /actorId is missing/);
});

test("scenes, macros and journals are read by uuid as well", async () => {
  const scene = await queryScene({ sceneId: `Scene.${idOf("Jetty")}` });
  assert.equal(scene.name, "Jetty at Night");
  const active = await queryScene({});
  assert.equal(active.uuid, `Scene.${idOf("Taproom")}`);
  assert.deepEqual(active.tokens.map(({ linked }) => linked).slice(0, 5), [true, true, true, true, false]);
  const macro = await queryMacro({ macroId: `Macro.${idOf("Ring the bell")}` });
  assert.equal(macro.command, "The bell rings under the water.");
  const menu = await queryJournal({ journalId: `Compendium.world.old-menus.JournalEntry.${idOf("Menu")}` }, { protectedDocuments: guarded });
  assert.equal(menu.pages[0].content, "<p>Eel, twice.</p>");
  await assert.rejects(queryMacro({ macroId: `Scene.${idOf("Jetty")}` }), /is no macro, it is a Scene/);
  await assert.rejects(queryScene({ sceneId: "none" }), /not found: scene none/);
});

test("a protected journal is not read out, neither by id, name, uuid nor one page of it", async () => {
  const journal = game.journal.getName("The Inn's Ledger");
  await journal.pages.getName("Rooms").setFlag("world", "runManaged", true);
  guarded.replace({ flags: [{ scope: "world", key: "runManaged" }], names: ["menu*"] });
  const ways = [
    { journalId: journal.id },
    { name: "The Inn's Ledger" },
    { journalId: journal.uuid, pageName: "Debts" },
    { journalId: `Compendium.world.old-menus.JournalEntry.${idOf("Menu")}` },
  ];
  for (const way of ways) {
    const answer = await queryJournal(way, { protectedDocuments: guarded });
    assert.equal(answer.blocked, true, JSON.stringify(way));
    assert.equal(answer.fix, "Leave it alone, and tell the game master.");
    assert.equal(answer.pages, undefined);
  }
});

test("what is not found, or found twice, comes with what to do", async () => {
  const asked = [
    () => queryActor({ actorId: "none" }),
    () => queryScene({ sceneId: "none" }),
    () => queryScene({ sceneId: "Scene.none" }),
    () => queryMacro({ macroId: "none" }),
    () => queryMacro({ name: "No such macro" }),
    () => queryJournal({ name: "No such journal" }, { protectedDocuments: guarded }),
    () => queryJournal({ name: "How it sank", pageName: "No such page" }, { protectedDocuments: guarded }),
    () => queryUser({ userId: "none" }),
    () => queryMacro({ name: "Ring the bell twice" }),
  ];
  for (const name of ["one", "two"]) await getDocumentClass("Macro").create({ name: "Ring the bell twice", type: "chat", command: name });
  for (const ask of asked) {
    await assert.rejects(async () => ask(), ({ data }) => data.fix.length > 10 && data.fix.endsWith("."), String(ask));
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence, expectNoHook, expectOrder } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(version, options = {}) {
  const world = createWorld({ ...sunkenInn(), version, ...options });
  return { world, gm: world.gm, game: world.gm.game, pike: world.gm.game.actors.getName("Old Pike") };
}

/** Run with the client's globals on globalThis. */
async function installed(client, run) {
  client.install(globalThis);
  try {
    return await run(globalThis);
  } finally {
    client.uninstall();
  }
}

test("each generation has its own document types", () => {
  const types = (version) => open(version).gm.CONST.ALL_DOCUMENT_TYPES;
  assert.equal(types(12).includes("MeasuredTemplate"), true);
  assert.equal(types(12).includes("CombatantGroup"), false);
  assert.equal(types(13).includes("JournalEntryCategory"), true);
  assert.equal(types(14).includes("MeasuredTemplate"), false);
  assert.equal(types(14).includes("Level"), true);
  assert.equal(open(14).gm.CONST.COMPENDIUM_DOCUMENT_TYPES.includes("ActiveEffect"), true);
});

test("versions: the whole string, the generation, and unknown ones are refused", () => {
  const { game } = open("13.345");
  assert.deepEqual([game.version, game.release.generation, game.release.build], ["13.345", 13, 345]);
  assert.throws(() => createWorld({ version: 11 }), /no profile/);
});

test("13: a replacement key replaces, a move is a movement that can be refused", async () => {
  const { world, gm, game, pike } = open(13);
  await pike.update({ "flags.world.map": { a: 1 } });
  await pike.update({ "flags.world.==map": { b: 2 } });
  assert.deepEqual(pike.flags.world.map, { b: 2 });

  const ottar = game.scenes.active.tokens.getName("Ottar");
  const heard = [];
  gm.Hooks.on("moveToken", (token, movement) => heard.push([token.name, movement.destination.x]));
  await ottar.update({ x: 50 });
  assert.deepEqual(heard, [["Ottar", 50]]);
  assert.equal(ottar._source._movementHistory.length, 1, "in combat a move is remembered");
  gm.Hooks.once("preMoveToken", () => false);
  const mark = world.log.mark;
  await ottar.update({ x: 99 });
  assert.equal(ottar.x, 50);
  expectNoHook(world.log, "updateToken", mark);
  gm.Hooks.on("preMoveToken", () => false);
  await ottar.update({ x: 1200, _movementHistory: [] }, { isUndo: true, animate: false });
  assert.deepEqual([ottar.x, ottar._source._movementHistory], [1200, []]);
  await ottar.update({ _movementHistory: [{ x: 1 }] });
  assert.deepEqual(ottar._source._movementHistory, []);
});

test("12: a replacement key is a key like any other, a move is an update like any other", async () => {
  const { game, pike } = open(12);
  await pike.update({ "flags.world.==map": { b: 2 } });
  assert.deepEqual(Object.keys(pike.flags.world), ["==map"]);
  await game.scenes.active.tokens.getName("Ottar").update({ x: 50 });
  assert.equal(game.scenes.active.tokens.getName("Ottar").x, 50);
});

test("14: operators delete and replace; the old keys still work and warn", async () => {
  const { gm, pike } = open(14);
  await installed(gm, async ({ _del, _replace, foundry }) => {
    await pike.update({ "flags.world": { a: 1, b: { c: 1 } } });
    await pike.update({ "flags.world.a": _del, "flags.world.b": _replace({ d: 2 }) });
    assert.deepEqual(pike._source.flags.world, { b: { d: 2 } });
    assert.ok(foundry.data.operators.ForcedDeletion);
    assert.deepEqual(gm.deprecations, []);
    await pike.update({ "flags.world.-=b": null });
    assert.deepEqual(pike._source.flags.world, {});
    assert.equal(gm.deprecations.length, 1);
    assert.deepEqual(foundry.utils.diffObject({ a: 1, b: 1 }, { b: 1 }, { bidirectional: true }), { a: new foundry.data.operators.ForcedDeletion() });
  });
  assert.deepEqual(divergence(gm), []);
});

test("14: operators reach the hooks and the other clients", async () => {
  const { world, gm, pike } = open(14, sunkenInn({ players: true }));
  const player = world.client("Ottar's player");
  const { ForcedReplacement } = gm.operators;
  const seen = [];
  player.Hooks.on("updateActor", (actor, changes) => seen.push(changes.flags.world instanceof ForcedReplacement));
  await pike.update({ "flags.world": { a: 1 } });
  await pike.update({ flags: { world: new ForcedReplacement({ b: 1 }) } });
  await world.clock.advance(0);
  assert.deepEqual(seen, [false, true]);
  assert.deepEqual(divergence(player), []);
});

test("14: a type changes only with its system replaced; before, with anything", async () => {
  const { gm, pike } = open(14);
  await assert.rejects(pike.update({ type: "character" }), /force-replaced/);
  const { ForcedReplacement } = gm.operators;
  await pike.update({ type: "character", system: new ForcedReplacement({ resource: { value: 1, max: 2 } }) });
  assert.deepEqual([pike.type, pike.system], ["character", { resource: { value: 1, max: 2 } }]);
  const old = open(12).pike;
  await old.update({ type: "character" });
  assert.equal(old.type, "character");
});

test("14: a batch of unrelated operations is stored whole or not at all", async () => {
  const { world, gm, game, pike } = open(14);
  await installed(gm, async ({ foundry }) => {
    const operations = (name) => [
      { action: "update", documentName: "Actor", updates: [{ _id: pike.id, name }] },
      { action: "create", documentName: "Item", data: [{ name: "Batch", type: "gear" }] },
      { action: "delete", documentName: "JournalEntry", ids: [game.journal.contents[0].id] },
    ];
    const mark = world.log.mark;
    const [updated, created, deleted] = await foundry.documents.modifyBatch(operations("Batched"));
    assert.deepEqual([updated[0].name, created[0].name, deleted.length], ["Batched", "Batch", 1]);
    expectOrder(world.log, ["preUpdateActor", "preCreateItem", "preDeleteJournalEntry", "stored", "updateActor", "createItem", "deleteJournalEntry"], mark);
    gm.Hooks.once("preCreateItem", () => false);
    const before = world.server.requests;
    assert.deepEqual(await foundry.documents.modifyBatch(operations("Cancelled")), [[], [], []]);
    assert.equal(world.server.requests, before);
    world.faults.add({ fault: "partialBatch", times: 1 });
    await assert.rejects(foundry.documents.modifyBatch(operations("Refused")), /refused/);
    assert.equal(pike.name, "Batched");
  });
});

test("14: a dry run calls the pre hooks and stores nothing", async () => {
  const { world, pike } = open(14);
  const mark = world.log.mark;
  assert.equal(await pike.update({ name: "Dry" }, { dryRun: true }), undefined);
  expectOrder(world.log, ["preUpdateActor"], mark);
  expectNoHook(world.log, "updateActor", mark);
  assert.equal(pike.name, "Old Pike");
});

test("14: unsaved documents have no uuid, status effects are a record", async () => {
  const { gm } = open(14);
  const Actor = gm.classOf("Actor");
  assert.equal(new Actor({ name: "New", type: "npc" }).uuid, null);
  assert.equal(Array.isArray(gm.CONFIG.statusEffects), false);
  const old = open(12).gm;
  assert.equal(new (old.classOf("Actor"))({ name: "New", type: "npc" }).uuid, "Actor.null");
  assert.equal(Array.isArray(old.CONFIG.statusEffects), true);
});

test("scene controls are an array in 12 and a record later, with the right callback", async () => {
  for (const version of [12, 13, 14]) {
    const { gm } = open(version);
    const pressed = [];
    gm.Hooks.on("getSceneControlButtons", (controls) => {
      if (Array.isArray(controls)) controls.find(({ name }) => name === "token").tools.push({ name: "mine", onClick: () => pressed.push("click") });
      else controls.tokens.tools.mine = { name: "mine", onChange: () => pressed.push("change") };
    });
    const { pressTool } = await import("../../simulator/ui/controls.js");
    const { controls } = gm.ui.controls;
    pressTool(controls, version === 12 ? "token" : "tokens", "mine");
    assert.deepEqual(pressed, [version === 12 ? "click" : "change"]);
  }
});

test("drag data is read at the place of the generation, and deprecated globals warn", async () => {
  const { dragEventOf } = await import("../../simulator/ui/controls.js");
  for (const version of [12, 13]) {
    const { gm, pike } = open(version);
    await installed(gm, async ({ foundry, TextEditor }) => {
      const editor = version === 12 ? TextEditor : foundry.applications.ux.TextEditor.implementation;
      assert.deepEqual(editor.getDragEventData(dragEventOf(pike)), { type: "Actor", uuid: pike.uuid });
      assert.deepEqual(editor.getDragEventData({ dataTransfer: { getData: () => "plain words" } }), {});
      assert.equal(gm.deprecations.filter(({ path }) => path === "TextEditor").length, version === 12 ? 0 : 1);
    });
  }
});

test("windows without a page are rendered in name, with the hooks of their classes", async () => {
  const { gm } = open(13);
  await installed(gm, async ({ foundry, Hooks }) => {
    const heard = [];
    for (const hook of ["renderLedger", "renderApplicationV2", "closeLedger"]) Hooks.on(hook, () => heard.push(hook));
    class Ledger extends foundry.applications.api.ApplicationV2 {
      static DEFAULT_OPTIONS = { id: "ledger-{id}", classes: ["ledger"], window: { title: "Ledger" }, actions: { turn() {} } };
    }
    const ledger = new Ledger({ classes: ["wet"], window: { resizable: true } });
    assert.deepEqual(ledger.options.classes, ["ledger", "wet"]);
    assert.deepEqual([ledger.options.window.title, ledger.options.window.resizable], ["Ledger", true]);
    assert.equal((await ledger.render()).rendered, false);
    await ledger.render({ force: true });
    assert.equal(foundry.applications.instances.get(ledger.id), ledger);
    await ledger.close();
    assert.equal(foundry.applications.instances.size, 0);
    assert.deepEqual(heard, ["renderLedger", "renderApplicationV2", "closeLedger"]);
  });
});

test("dialogs are answered by tests; a dismissed one rejects in 12 and gives null later", async () => {
  for (const version of [12, 13, 14]) {
    const { gm } = open(version);
    await installed(gm, async ({ foundry }) => {
      const { DialogV2 } = foundry.applications.api;
      const sure = DialogV2.confirm({ window: { title: "Sure?" } });
      await gm.ui.answer({ title: /Sure/, button: "yes" });
      assert.equal(await sure, true);
      const name = DialogV2.prompt({ window: { title: "Name?" }, ok: { callback: (_event, button) => button.form.elements.name.value } });
      await gm.ui.answer({ button: "ok", values: { name: "Ottar" } });
      assert.equal(await name, "Ottar");
      const dismissed = DialogV2.wait({ window: { title: "Gone" }, buttons: [{ action: "a", label: "A" }] });
      const outcome = dismissed.then((value) => ["value", value], (error) => ["error", error.message]);
      await gm.ui.answer({ title: "Gone", close: true });
      assert.deepEqual((await outcome)[0], version === 12 ? "error" : "value");
      const kept = DialogV2.wait({ window: { title: "Gone" }, rejectClose: false, buttons: [{ action: "a", label: "A" }] });
      await gm.ui.answer({ close: true });
      assert.equal(await kept, null);
      assert.equal("input" in DialogV2, version >= 13);
      await assert.rejects(gm.ui.answer({ title: "Nobody" }), /no dialog is open/);
    });
  }
});

test("the settings window lists what this user may change", async () => {
  const world = createWorld({ ...sunkenInn({ players: true }), version: 13 });
  for (const client of world.clients) {
    const { settings } = client.game;
    settings.register("core", "shared", { scope: "world", config: true, type: String, default: "" });
    settings.register("core", "own", { scope: "client", config: true, type: Boolean, default: false });
    settings.registerMenu("core", "menu", { name: "Menu", restricted: true, type: class Opened { render(force) { client.opened = force; } } });
  }
  const listed = async (client) => {
    const { settings, menus } = await new client.SettingsConfig()._prepareContext();
    return [settings.map(({ key }) => key), menus.length];
  };
  assert.deepEqual(await listed(world.gm), [["shared", "own"], 1]);
  assert.deepEqual(await listed(world.client("Ottar's player")), [["own"], 0]);
  new world.gm.SettingsConfig().openMenu("core.menu");
  assert.equal(world.gm.opened, true);
});

test("combat: turns in order of initiative, rounds go on", async () => {
  const { game } = open(13);
  const { combat } = game;
  assert.deepEqual(combat.turns.map((combatant) => combatant.token.name), ["Ottar", "Drowned Lodger", "Rat by the barrel"]);
  await combat.nextTurn();
  await combat.nextTurn();
  assert.equal(combat.combatant.token.name, "Rat by the barrel");
  await combat.nextTurn();
  assert.deepEqual([combat.round, combat.turn], [2, 0]);
});

test("tokens are selected on the canvas, and messages speak for them", () => {
  const { gm, game } = open(13);
  const token = gm.canvas.tokens.get(game.scenes.active.tokens.getName("Ottar").id);
  token.control();
  assert.deepEqual(gm.canvas.tokens.controlled, [token]);
  assert.equal(gm.classOf("ChatMessage").getSpeaker().alias, "Ottar");
  token.release();
  assert.equal(gm.canvas.tokens.controlled.length, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence, expectNoHook, expectOrder } from "../../simulator/index.js";
import { hostileMutator, hostileVeto } from "../../simulator/modules/hostile.js";
import { createRandom } from "../../simulator/core/random.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

function open(modules, options = {}) {
  const world = createWorld({ ...sunkenInn(), modules, ...options });
  return { world, gm: world.gm, pike: world.gm.game.actors.getName("Old Pike") };
}

test("the veto refuses by uuid, before or after a listener registered on ready", async () => {
  for (const [when, heard] of [["before", 0], ["after", 1]]) {
    const veto = hostileVeto({ when });
    const world = createWorld({ ...sunkenInn(), modules: [veto], start: false });
    let calls = 0;
    world.gm.Hooks.once("ready", () => world.gm.Hooks.on("preUpdateActor", () => { calls += 1; }));
    world.gm.start();
    await world.clock.advance(0);
    const pike = world.gm.game.actors.getName("Old Pike");
    veto.refuses.add(pike.uuid);
    assert.equal(await pike.update({ name: "No" }), undefined);
    assert.equal(calls, heard, when);
    assert.equal(pike.name, "Old Pike");
  }
});

test("the veto throws where it is told; the write goes on", async () => {
  const { world, pike } = open(["hostile-veto"]);
  world.module("hostile-veto").throwsIn.add("preUpdateActor");
  await pike.update({ name: "Yes" });
  assert.equal(pike.name, "Yes");
  assert.equal(world.gm.errors.length, 1);
});

test("the mutator edits changes and adds options, and its writes come late, chained", async () => {
  const mutator = hostileMutator();
  const { world, pike } = open([mutator]);
  mutator.mutate = (document, changes) => {
    if (changes.name) changes.img = "mutated.webp";
  };
  await pike.update({ name: "Changed" });
  assert.equal(pike.img, "mutated.webp");
  Object.assign(mutator, { delay: 50, chain: 2 });
  await pike.update({ name: "Again" });
  assert.equal(pike.flags["hostile-mutator"], undefined);
  await world.clock.advance(50);
  assert.ok(pike.flags["hostile-mutator"].n1);
  assert.equal(pike.flags["hostile-mutator"].n2, undefined);
  await world.clock.advance(50);
  assert.ok(pike.flags["hostile-mutator"].n2);
  await world.clock.advance(1000);
  assert.equal(pike.flags["hostile-mutator"].n3, undefined);
});

test("conditions come at zero and go with healing, as tail writes", async () => {
  const { world, pike } = open(["hostile-auto-conditions"]);
  const mark = world.log.mark;
  await pike.update({ "system.resource.value": 0 });
  assert.equal(pike.statuses.size, 0);
  await world.clock.advance(0);
  assert.deepEqual([...pike.statuses], ["unconscious"]);
  expectOrder(world.log, ["updateActor", "preCreateActiveEffect", "createActiveEffect"], mark);
  await pike.update({ "system.resource.value": 5 });
  await world.clock.advance(0);
  assert.equal(pike.effects.size, 0);
});

test("noise clicks about with the same user, and with another", async () => {
  const { world } = open(["hostile-noise"], sunkenInn({ players: true }));
  const noise = world.module("hostile-noise");
  const mark = world.log.mark;
  for (const client of world.clients) noise.start(client, 20, client.name);
  await world.clock.advance(200);
  noise.stop();
  const writers = new Set(world.log.since(mark, { client: "server", phase: "stored" }).map((entry) => entry.userId));
  assert.equal(writers.size, 2);
  assert.ok(noise.touched.size > 2);
  for (const client of world.clients) assert.deepEqual(divergence(client), []);
  await noise.click(world.gm, createRandom(1));
});

test("wrapped macros lose their value, the wrapped backend still works", async (t) => {
  const { world, gm, pike } = open(["macro-wrapper", "lib-wrapper-like"]);
  gm.install(globalThis);
  t.after(() => gm.uninstall());
  assert.equal(await gm.game.macros.getName("Count lodgers").execute(), undefined);
  await pike.update({ name: "Through" });
  assert.equal(pike.name, "Through");
  assert.deepEqual(world.module("lib-wrapper-like").calls, ["update Actor"]);
});

test("macros: names are bound, three are taken out of the scope, numbers refused, names are code", async () => {
  const { gm, pike } = open([]);
  const macro = await gm.classOf("Macro").create({ name: "Probe", type: "script", command: "return { keys: Object.keys(scope), actor: actor?.name, depth, macro: this.name };" });
  assert.deepEqual(await macro.execute({ actor: pike, depth: 3, speaker: {} }), { keys: ["depth"], actor: "Old Pike", depth: 3, macro: "Probe" });
  assert.throws(() => macro.execute({ 0: "zero" }), /Illegal numeric/);
  assert.throws(() => macro.execute({ "item-name": 1 }), SyntaxError);
  globalThis.ran = false;
  await macro.execute({ "depth=(globalThis.ran=true)": undefined });
  assert.equal(globalThis.ran, true);
  delete globalThis.ran;
  await macro.update({ command: "this is no code" });
  assert.throws(() => macro.execute(), SyntaxError);
  await macro.update({ command: "throw new Error('later')" });
  await assert.rejects(macro.execute(), /later/);
  const message = await gm.game.macros.getName("Ring the bell").execute();
  assert.equal(message.content, "The bell rings under the water.");
});

test("a player without permission gets a warning and no value", async () => {
  const world = createWorld({ ...sunkenInn({ players: true }) });
  const player = world.client("Ottar's player");
  assert.equal(player.game.macros.getName("Count lodgers").execute(), undefined);
  assert.equal(player.ui.notifications.shown.at(-1).type, "warning");
});

test("faults: each strikes where it is told, as often as it is told", async (t) => {
  await t.test("rejected after the pre phase", async () => {
    const { world, pike } = open([]);
    world.faults.add({ fault: "rejectAfterPre", reason: "no line", match: { documentName: "Actor" }, times: 1 });
    const mark = world.log.mark;
    await assert.rejects(pike.update({ name: "X" }), /no line/);
    expectOrder(world.log, ["preUpdateActor"], mark);
    expectNoHook(world.log, "updateActor", mark);
    await pike.update({ name: "X" });
    assert.equal(pike.name, "X");
  });

  await t.test("server refusals: locked, forbidden, too large, one of a batch", async () => {
    for (const [fault, pattern] of [["lockPack", /locked/], ["permissionDenied", /lack permission/], ["payloadTooLarge", /payload/], ["partialBatch", /document 0 of the batch/]]) {
      const { world, pike } = open([]);
      world.faults.add({ fault, match: { uuid: pike.uuid }, times: 1 });
      await assert.rejects(pike.update({ name: "X" }), pattern);
      assert.equal(pike.name, "Old Pike");
      await world.gm.game.actors.getName("Ottar Reed").update({ name: "Y" });
    }
  });

  await t.test("delay and never settling, stored or not", async () => {
    const { world, pike } = open([]);
    world.faults.add({ fault: "delay", ms: 400, times: 1 });
    const before = world.clock.now();
    await world.clock.settle(pike.update({ name: "Slow" }));
    assert.equal(world.clock.now() - before, 400);
    world.faults.add({ fault: "neverSettle", times: 1 });
    await assert.rejects(world.clock.settle(pike.update({ name: "Lost" })), /nothing left/);
    assert.equal(world.server.store.primary("Actor").get(pike.id).name, "Slow");
    world.faults.add({ fault: "neverSettle", stored: true, times: 1 });
    await assert.rejects(world.clock.settle(pike.update({ name: "Stored" })), /nothing left/);
    assert.equal(world.server.store.primary("Actor").get(pike.id).name, "Stored");
  });

  await t.test("lost, doubled and reordered broadcasts", async () => {
    const { world, gm, pike } = open([], sunkenInn({ players: true }));
    const player = world.client("Ottar's player");
    world.faults.add({ fault: "dropBroadcast", match: { client: player.name }, times: 1 });
    await pike.update({ name: "Unseen" });
    assert.equal(player.game.actors.get(pike.id).name, "Old Pike");
    assert.deepEqual(divergence(player), [`Actor.${pike.id} differs`]);
    world.faults.add({ fault: "duplicateAnswer", times: 1 });
    const mark = world.log.mark;
    await pike.update({ img: "twice.webp" });
    assert.equal(world.log.since(mark, { client: gm.name, phase: "updateActor" }).length, 2);
    world.faults.add({ fault: "reorder", match: { client: player.name }, times: 1 });
    await pike.update({ "flags.world.n": 1 });
    await pike.update({ "flags.world.n": 2 });
    assert.equal(player.game.actors.get(pike.id).flags.world.n, 1, "the older one came last");
  });

  await t.test("away: what was missed stays missed, what was asked never settles", async () => {
    const { world, pike } = open([], sunkenInn({ players: true }));
    const player = world.client("Ottar's player");
    player.disconnect();
    await pike.update({ name: "Missed" });
    player.reconnect();
    await pike.update({ img: "seen.webp" });
    const theirs = player.game.actors.get(pike.id);
    assert.deepEqual([theirs.name, theirs.img], ["Old Pike", "seen.webp"]);
    world.gm.disconnect();
    await assert.rejects(world.clock.settle(pike.update({ name: "Never" })), /nothing left/);
  });

  await t.test("a crash keeps the server, a reload begins from it", async () => {
    const { world, gm, pike } = open([]);
    await pike.update({ name: "Kept" });
    const again = world.reload(gm);
    assert.equal(again.game.actors.get(pike.id).name, "Kept");
    assert.equal(gm.connection.online, false);
    const snapshot = world.snapshot();
    await again.game.actors.get(pike.id).delete();
    const [restored] = world.restore(snapshot);
    assert.equal(restored.game.actors.get(pike.id).name, "Kept");
  });

  await t.test("lost statistics, full storage, slow listeners, a jumping clock", async () => {
    const { world, gm, pike } = open([]);
    await pike.update({ "_stats.compendiumSource": "Compendium.world.lake-bestiary.Actor.ReedHeron0000000" });
    assert.match(pike._stats.compendiumSource, /ReedHeron/);
    world.faults.add({ fault: "clearStats", times: 1 });
    await pike.update({ system: pike._source.system, name: "Bare" }, { diff: false, recursive: false });
    assert.equal(pike._stats.compendiumSource, null);
    world.faults.add({ fault: "quotaExceeded" });
    gm.game.settings.register("core", "x", { scope: "client", type: String, default: "" });
    await assert.rejects(gm.game.settings.set("core", "x", "y"), { name: "QuotaExceededError" });
    world.faults.add({ fault: "slowHook", ms: 700, match: { hook: "updateActor" }, times: 1 });
    const before = world.clock.now();
    await pike.update({ name: "Slowly" });
    assert.equal(world.clock.now() - before, 700);
    world.clock.jump(-3_600_000);
    await pike.update({ name: "Earlier" });
    assert.ok(pike._stats.modifiedTime < before);
  });

  await t.test("a hidden page: timers once a minute, messages at once; a frozen one: nothing", async () => {
    const { world, gm, pike } = open([], sunkenInn({ players: true }));
    const player = world.client("Ottar's player");
    const fired = [];
    gm.pageTimers.setInterval(() => fired.push(world.clock.now()), 1000);
    await world.clock.advance(3000);
    assert.equal(fired.length, 3);
    gm.hide();
    await world.clock.advance(180_000);
    assert.equal(fired.length, 6);
    await pike.update({ name: "Prompt" });
    assert.equal(player.game.actors.get(pike.id).name, "Prompt");
    gm.freeze();
    await player.game.actors.getName("Ottar Reed").update({ name: "While frozen" });
    await world.clock.advance(120_000);
    assert.equal(gm.game.actors.getName("While frozen"), undefined);
    gm.thaw();
    await world.clock.advance(0);
    assert.ok(gm.game.actors.getName("While frozen"));
  });
});

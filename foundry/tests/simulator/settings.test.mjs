import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, expectNoHook, expectOrder } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

const open = (options = {}) => createWorld({ ...sunkenInn({ players: true }), ...options });

test("a world setting is a Setting document: created once, updated later, onChange on every client", async () => {
  const world = open();
  const [gm, player] = world.clients;
  const heard = [];
  for (const client of world.clients) {
    client.game.settings.register("core", "tide", { scope: "world", type: Number, default: 1, onChange: (value, options, userId) => heard.push([client.name, value, userId]) });
  }
  const mark = world.log.mark;
  assert.equal(gm.game.settings.get("core", "tide"), 1);
  assert.equal(await gm.game.settings.set("core", "tide", "2"), 2);
  await gm.game.settings.set("core", "tide", 3);
  await world.clock.advance(0);
  expectOrder(world.log, ["preCreateSetting", "createSetting", "preUpdateSetting", "updateSetting"], mark);
  assert.deepEqual(heard, [2, 3].flatMap((value) => [gm, player].map((client) => [client.name, value, gm.userId])));
  assert.equal(player.game.settings.get("core", "tide"), 3);
  const document = gm.game.settings.get("core", "tide", { document: true });
  assert.equal(document.value, "3");
});

test("setting the same value again writes nothing", async () => {
  const world = open();
  const { settings } = world.gm.game;
  await settings.set("core", "time", 5);
  const mark = world.log.mark;
  await settings.set("core", "time", 5);
  expectNoHook(world.log, "updateSetting", mark);
});

test("client settings live in the browser, fire their own hook, and survive a reload", async () => {
  const world = open();
  const register = (client) => client.game.settings.register("core", "theme", { scope: "client", type: String, default: "plain", choices: { plain: "Plain", lake: "Lake" } });
  register(world.gm);
  const heard = [];
  world.gm.Hooks.on("clientSettingChanged", (key, value) => heard.push([key, value]));
  const mark = world.log.mark;
  await world.gm.game.settings.set("core", "theme", "lake");
  expectNoHook(world.log, "createSetting", mark);
  assert.deepEqual(heard, [["core.theme", "lake"]]);
  await assert.rejects(world.gm.game.settings.set("core", "theme", "desert"), /not a valid choice/);
  const again = world.reload(world.gm);
  register(again);
  assert.equal(again.game.settings.get("core", "theme"), "lake");
});

test("unregistered keys throw, world settings are refused before ready and without permission", async () => {
  const world = open({ start: false });
  const { gm } = world;
  gm.Hooks.once("init", () => gm.game.settings.register("core", "tide", { scope: "world", type: Number, default: 1 }));
  let early;
  gm.Hooks.once("setup", () => {
    early = gm.game.settings.set("core", "tide", 9);
    early.catch(() => {});
  });
  for (const client of world.clients) client.start();
  await assert.rejects(early, /before the game is ready/);
  assert.throws(() => gm.game.settings.get("core", "nothing"), /not a registered game setting/);
  const player = world.client("Ottar's player");
  await assert.rejects(player.game.settings.set("core", "time", 3), /permission/);
});

test("types, ranges and fields clean what is stored", async () => {
  const { gm } = open();
  const { settings } = gm.game;
  settings.register("core", "depth", { scope: "client", type: Number, default: 1, range: { min: 0, max: 10, step: 2 } });
  assert.equal(await settings.set("core", "depth", 99), 10);
  const target = {};
  gm.install(target);
  const { StringField, NumberField } = target.foundry.data.fields;
  settings.register("core", "fielded", { scope: "client", type: new NumberField({ min: 1, max: 5, nullable: false, integer: true, initial: 2 }) });
  assert.equal(settings.get("core", "fielded"), 2);
  assert.equal(await settings.set("core", "fielded", "7"), 5);
  settings.register("core", "chosen", { scope: "client", type: new StringField({ choices: { a: "A" }, initial: "a" }) });
  await assert.rejects(settings.set("core", "chosen", "b"), /valid choice/);
  gm.uninstall();
});

test("user settings exist from 13 on and belong to one user", async () => {
  const world = open({ version: 13 });
  const [gm, player] = world.clients;
  for (const { game } of world.clients) game.settings.register("core", "lamp", { scope: "user", type: String, default: "off" });
  await gm.game.settings.set("core", "lamp", "on");
  await world.clock.advance(0);
  assert.equal(gm.game.settings.get("core", "lamp"), "on");
  assert.equal(player.game.settings.get("core", "lamp"), "off");
  const old = open({ version: 12 }).gm;
  old.game.settings.register("core", "lamp", { scope: "user", type: String, default: "off" });
  assert.equal(old.game.settings.settings.get("core.lamp").scope, "client");
});

test("keybindings: only before setup ends, pressed by key, restricted ones by the game master", () => {
  const world = open({ start: false });
  const pressed = [];
  for (const client of world.clients) {
    client.Hooks.once("init", () => {
      client.game.keybindings.register("core", "ring", { name: "Ring", editable: [{ key: "KeyR", modifiers: ["Control"] }], restricted: true, onDown: () => pressed.push(client.name) > 0 });
    });
    client.start();
  }
  assert.equal(world.gm.pressKey("KeyR", ["Control"]), true);
  assert.equal(world.gm.pressKey("KeyR"), false);
  assert.equal(world.client("Ottar's player").pressKey("KeyR", ["Control"]), false);
  assert.deepEqual(pressed, ["Gamemaster"]);
  assert.throws(() => world.gm.game.keybindings.register("core", "late", {}), /after the setup/);
});

test("languages: nested and flat keys, formatting, missing keys are kept", () => {
  const world = open({ start: false });
  world.gm.languages.push({ INN: { Hello: "Hello {name}" }, "INN.Bye": "Bye" });
  world.gm.start();
  const { i18n } = world.gm.game;
  assert.equal(i18n.format("INN.Hello", { name: "Ottar" }), "Hello Ottar");
  assert.equal(i18n.localize("INN.Bye"), "Bye");
  assert.equal(i18n.has("INN.No"), false);
  assert.equal(i18n.localize("INN.No"), "INN.No");
  assert.deepEqual([...i18n.missing], ["INN.No"]);
});

test("toasts are kept: a number in 12, an object from 13 on", () => {
  const old = open({ version: 12 }).gm.ui.notifications;
  assert.equal(typeof old.info("Hello"), "number");
  assert.equal(old.success, undefined);
  const young = open({ version: 13 }).gm.ui.notifications;
  const toast = young.success("Done");
  assert.equal(toast.type, "success");
  toast.remove();
  assert.deepEqual([young.active.length, young.shown.length], [0, 1]);
});

test("world time is a setting and tells its hook", async () => {
  const world = open();
  const heard = [];
  world.client("Ottar's player").Hooks.on("updateWorldTime", (time) => heard.push(time));
  await world.gm.game.time.advance(60);
  await world.clock.advance(0);
  assert.equal(world.gm.game.time.worldTime, 60);
  assert.deepEqual(heard, [60]);
});

test("dice follow the seed", async () => {
  const roll = async () => (await new (open({ seed: 3 }).gm.Roll)("2d6 + @mod - 1", { mod: 4 }).evaluate()).total;
  const total = await roll();
  assert.ok(total >= 5 && total <= 15);
  assert.equal(await roll(), total);
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";

import { createWorld } from "../../simulator/index.js";
import { startWithModule } from "../../simulator/loader.js";
import { pressTool } from "../../simulator/ui/controls.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { provisionMacro } from "../../module/scripts/ui/macros.js";
import { FakeSocket, ManualTimers, settled } from "../module/twins.mjs";

const GMS = [{ name: "Gamemaster", role: 4 }, { name: "Second GM", role: 4 }, { name: "Ottar's player", role: 1 }];
const KIMI = { member: "kimi", memberName: "AAGM-K" };
let loads = 0;

/** A world whose GM has the real module in a tab without a page; the relay's end of the socket is the test's. */
async function load({ version = 12, world = null, user = "Gamemaster" } = {}) {
  const shared = world ?? createWorld({ ...sunkenInn(), users: GMS, version, start: false });
  const client = shared.client(user);
  client.storage.setItem("aagm.enabled-sunken-inn", "true");
  forgetTypes();
  const sockets = [];
  const timers = new ManualTimers();
  globalThis.Worker = class {
    postMessage({ id, ms }) {
      if (ms !== null) timers.after(ms, () => this.onmessage({ data: id }));
    }
  };
  globalThis.fetch = async () => { throw new TypeError("nothing listens"); };
  globalThis.WebSocket = class extends FakeSocket {
    constructor(url) {
      super(url);
      sockets.push(this);
    }
  };
  loads += 1;
  const isGM = client.world.server.store.primary("User").get(client.userId).role === 4;
  await startWithModule({
    client,
    base: new URL("../../module/", import.meta.url).href,
    readJson: async (url) => JSON.parse(await readFile(new URL(url), "utf8")),
    importModule: (url) => import(`${url}?ui=${loads}`),
    until: isGM ? "aagm.ready" : null,
  });
  const { api } = client.game.modules.get("aagm");
  if (isGM) await import("../../module/scripts/ui/start.js").then(settled); // the windows start when the bridge is there
  const accept = async (answer = {}) => {
    const socket = sockets.at(-1);
    socket.open();
    socket.say({ id: socket.hello.id, result: { sessionId: "s", protocol: 3, features: ["stream", "prompt-ack"], owner: true, ...KIMI, ...answer } });
    await settled();
    await shared.clock.advance(20);
    return socket;
  };
  const dispose = async () => {
    await shared.clock.advance(5);
    shared.dispose();
  };
  return { world: shared, client, sockets, api, accept, dispose };
}

const chatMacros = (world) => [...world.server.store.primary("Macro").values()].filter(({ name }) => /^Open .* Chat$/.test(name));

for (const version of [12, 13, 14]) {
  test(`the first accepted hello makes the member's macro, once (${version})`, async () => {
    const { world, client, api, accept, dispose } = await load({ version });
    try {
      assert.deepEqual(chatMacros(world), []);
      await accept();
      const [macro, ...more] = chatMacros(world);
      assert.deepEqual([macro.name, macro.img, macro.type, more.length], ["Open AAGM-K Chat", "icons/svg/chat.svg", "script", 0]);
      api.restart();
      await accept();
      assert.equal(chatMacros(world).length, 1);
      await client.game.macros.getName("Open AAGM-K Chat").delete();
      api.restart();
      await accept();
      assert.deepEqual(chatMacros(world), [], "one that the GM deleted is not made again");
      assert.deepEqual(client.deprecations, []);
    } finally {
      await dispose();
    }
  });

  test(`one button among the scene controls opens the window (${version})`, async () => {
    const { client, accept, dispose } = await load({ version });
    try {
      await accept();
      const controls = client.ui.controls.controls;
      const tools = Array.isArray(controls) ? controls.flatMap((control) => control.tools) : Object.values(controls).flatMap(({ tools: all }) => Object.values(all));
      assert.equal(tools.filter(({ name }) => name === "aagm-chat").length, 1);
      pressTool(controls, version === 12 ? "token" : "tokens", "aagm-chat");
      await client.world.clock.advance(5);
      assert.ok(client.instances.has("aagm-chat-window"));
    } finally {
      await dispose();
    }
  });
}

test("the other member has a macro of its own, and an old text is brought up to date", async () => {
  const { world, client, api, accept, dispose } = await load();
  try {
    await accept();
    await client.game.macros.getName("Open AAGM-K Chat").update({ command: "old" });
    api.restart();
    await accept({ member: "grok", memberName: "AAGM-G" });
    assert.deepEqual(chatMacros(world).map(({ name }) => name).sort(), ["Open AAGM-G Chat", "Open AAGM-K Chat"]);
    const again = await load({ world, user: "Second GM" });
    await again.accept();
    assert.match(client.game.macros.getName("Open AAGM-K Chat").command, /openChat/);
  } finally {
    await dispose();
  }
});

test("a macro that cannot be brought up to date is the console's news, and the bridge goes on", async () => {
  const { world, client, accept, dispose } = await load();
  const { error } = console;
  const told = [];
  console.error = (...words) => told.push(words.join(" "));
  try {
    await accept();
    const macro = client.game.macros.getName("Open AAGM-K Chat");
    await macro.update({ command: "old" });
    const again = await load({ world, user: "Second GM" });
    again.client.game.macros.get(macro.id).update = async () => { throw new Error("the disk is full"); };
    await again.accept();
    assert.ok(told.some((line) => /macro.*the disk is full/.test(line)), told.join("; "));
    assert.equal(again.api.isConnected(), true);
  } finally {
    console.error = error;
    await dispose();
  }
});

test("two GMs whose hellos come at once make one macro", async () => {
  const world = createWorld({ ...sunkenInn(), users: GMS, version: 12 });
  const { warn } = console;
  console.warn = () => {};
  try {
    const running = ["Gamemaster", "Second GM"].map((name) => {
      const client = world.client(name);
      client.game.modules.set("aagm", { id: "aagm", active: true });
      client.game.settings.register("aagm", "provisionedMacros", { scope: "world", config: false, type: Array, default: [] });
      client.install(globalThis);
      const made = provisionMacro({ ...KIMI, exemption: {} });
      client.uninstall();
      return made;
    });
    await Promise.all(running);
    assert.equal(chatMacros(world).length, 1);
  } finally {
    console.warn = warn;
    world.dispose();
  }
});

test("the macro's own words open the window", async () => {
  const { client, accept, dispose } = await load();
  try {
    await accept();
    await client.game.macros.getName("Open AAGM-K Chat").execute();
    assert.ok(client.instances.has("aagm-chat-window"));
  } finally {
    await dispose();
  }
});

test("before any hello the button leads to the settings, for there is nobody to chat with", async () => {
  const { client, api, dispose } = await load();
  try {
    await api.openChat();
    assert.deepEqual([...client.instances.keys()], ["aagm-settings"]);
    await api.openSettings();
    await api.openChat();
    assert.equal(client.instances.size, 1);
  } finally {
    await dispose();
  }
});

test("the settings are a menu for game masters", async () => {
  const { client, dispose } = await load();
  try {
    const menu = client.game.settings.menus.get("aagm.aagmSettings");
    assert.deepEqual([menu.restricted, menu.icon], [true, "fas fa-robot"]);
  } finally {
    await dispose();
  }
});

test("a player sees and loads nothing: no file but one, no setting, no menu, no button, no macro", async () => {
  const { world, client, sockets, api, dispose } = await load({ user: "Ottar's player" });
  try {
    assert.equal(api, undefined);
    assert.equal(sockets.length, 0);
    for (const known of [client.game.settings.settings, client.game.settings.menus]) assert.deepEqual([...known.keys()].filter((key) => key.startsWith("aagm")), []);
    assert.deepEqual(Object.keys(client.Hooks.events).filter((name) => name === "getSceneControlButtons"), []);
    assert.deepEqual(chatMacros(world), []);
    const file = await readFile(new URL("../../module/scripts/bridge.js", import.meta.url), "utf8");
    assert.doesNotMatch(file, /^import /m);
  } finally {
    await dispose();
  }
});

test("while the window is closed, replies, changes and strangers are told in notices without tags", async () => {
  const { client, accept, dispose } = await load();
  try {
    const socket = await accept();
    client.ui.notifications.shown.length = 0;
    const point = { id: "rp-00000a", summary: "Heal <b>Ottar</b>", kind: "eval", state: "live", tabId: null, ts: "" };
    socket.say({ method: "aagm.reply", params: { text: `<img src=x onerror=alert(1)> ${"long ".repeat(100)}`, tabId: "t-main" } });
    socket.say({ method: "aagm.rollback", params: { event: "point", point } });
    socket.say({ method: "aagm.rollback", params: { event: "rolled-back", point: { ...point, state: "rolled-back" } } });
    socket.say({ method: "aagm.rollback", params: { event: "point", point: { ...point, kind: "redo" } } });
    socket.say({ method: "aagm.listener.refused", params: {} });
    socket.say({ method: "aagm.page.refused", params: { origin: "https://stranger.example", count: 1 } });
    const told = client.ui.notifications.shown.map(({ message }) => message);
    assert.equal(told.length, 5);
    assert.ok(told.every((message) => !/[<>]/.test(message) && message.length < 200));
    assert.match(told[4], /stranger\.example/);
  } finally {
    await dispose();
  }
});

test("our own writes stay out of an agent's rollback point", async () => {
  const { world, sockets, api, accept, dispose } = await load();
  try {
    const socket = await accept();
    const code = "await game.actors.contents[0].update({ name: 'X' }); await new Promise((resolve) => Hooks.once('createMacro', resolve)); return 1";
    socket.say({ id: "w", method: "eval", params: { code, rp: { id: "rp-00000a" } } });
    await world.clock.advance(20);
    api.restart();
    await accept({ member: "grok", memberName: "AAGM-G" });
    assert.equal(chatMacros(world).length, 2);
    const entries = sockets.flatMap(({ sent }) => sent).filter(({ method }) => method === "rollback.entry").flatMap(({ params }) => params.entries);
    const touched = new Set(entries.map(({ documentName }) => documentName).filter(Boolean));
    assert.deepEqual([...touched], ["Actor"]);
  } finally {
    await dispose();
  }
});

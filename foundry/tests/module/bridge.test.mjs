import assert from "node:assert/strict";
import test from "node:test";

import { load, sent } from "./loaded.mjs";
import { settled } from "./twins.mjs";

test("a player's client loads the module and does nothing", async () => {
  const { client, sockets, api, dispose } = await load({ user: "Ottar's player" });
  try {
    assert.equal(api, undefined);
    assert.equal(sockets.length, 0);
    assert.equal([...client.game.settings.settings.keys()].some((key) => key.startsWith("aagm.")), false);
    assert.equal(client.Hooks.events.preUpdateActor?.length ?? 0, 0);
  } finally {
    await dispose();
  }
});

test("a fresh install is off and dials nobody", async () => {
  const { sockets, api, dispose } = await load({ enabled: false });
  try {
    assert.equal(sockets.length, 0);
    assert.equal(api.status().reason.code, "disabled");
    assert.match(api.status().reason.message, /switched off/);
  } finally {
    await dispose();
  }
});

for (const version of [12, 13, 14]) {
  test(`the hello tells who, where and what the module can (${version})`, async () => {
    const { client, sockets, accept, api, dispose } = await load({ version });
    try {
      await accept({ member: "kimi", memberName: "AAGM-K" });
      const { params } = sockets[0].hello;
      assert.equal(params.userName, "Gamemaster");
      assert.equal(params.isGM, true);
      assert.equal(params.worldId, "sunken-inn");
      assert.equal(params.foundryVersion, client.game.version);
      assert.equal(params.moduleVersion, "1.0.0");
      assert.equal(params.protocol, 3);
      assert.deepEqual(params.features, ["stream", "check", "prompt-ack", "take-over"]);
      assert.match(params.tabInstance, /^[0-9a-f]{16}$/);
      assert.deepEqual(params.recordings, []);
      assert.deepEqual(params.settings, {
        mode: "assistant", multitasking: false, mirrorEnabled: false, mirrorPath: "", mirrorContextualSort: false,
      });
      assert.equal(api.isConnected(), true);
      assert.equal(api.status().reason, null);
      assert.deepEqual(client.deprecations, []);
    } finally {
      await dispose();
    }
  });
}

test("a tab says when it goes to the background and when it is back, and no more", async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  globalThis.document = page;
  const turn = (hidden) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const { sockets, dispose } = await load();
  try {
    turn(true); // before the hello, which says so itself
    turn(false);
    const [socket] = sockets;
    socket.open();
    assert.equal(socket.hello.params.hidden, false);
    turn(true); // while the relay judges the hello
    socket.say({ id: socket.hello.id, result: { sessionId: "s", protocol: 3, owner: true } });
    await settled();
    const told = () => sent(socket, "aagm.hidden").map(({ params }) => params.hidden);
    assert.deepEqual(told(), [true]);
    turn(true);
    assert.deepEqual(told(), [true]);
    turn(false);
    turn(true);
    assert.deepEqual(told(), [true, false, true]);
    assert.equal(sent(socket, "aagm.hidden").some((each) => "id" in each), false);
  } finally {
    delete globalThis.document;
    await dispose();
  }
});

test("a write is recorded, streamed before its answer, and undone by what was streamed", async () => {
  const { world, client, accept, dispose } = await load();
  try {
    const socket = await accept();
    const actor = client.game.actors.getName("Ottar Reed");
    const before = actor.toObject();
    const call = async (id, method, params) => {
      socket.say({ id, method, params });
      while (!socket.sent.some((each) => each.id === id)) await world.clock.advance(5);
      return socket.sent.find((each) => each.id === id);
    };
    const code = 'await game.actors.getName("Ottar Reed").update({"system.resource.value": 1}); return 7';
    const { result } = await call("w", "eval", { code, rp: { id: "rp-00000a" } });
    assert.equal(result.value, 7);
    const entries = sent(socket, "rollback.entry").flatMap(({ params }) => params.entries);
    assert.equal(result.rollback.streamed, entries.at(-1).seq);
    assert.ok(socket.sent.findIndex(({ method }) => method === "rollback.entry") < socket.sent.findIndex(({ id }) => id === "w"));
    const [intent, confirmation] = entries;
    assert.equal(intent.confirmed, false);
    assert.deepEqual(confirmation.changes, [{ path: "system.resource.value", before: 31, after: 1 }]);
    const point = [{ ...intent, ...confirmation, seq: 1, confirmed: undefined }];
    const undone = await call("u", "rollback.apply", { pointId: "rp-00000a", entries: point, rp: { id: "rp-00000b" } });
    assert.deepEqual(undone.result.applied, [{ seq: 1, uuid: actor.uuid, op: "update", ok: true }]);
    assert.deepEqual(actor.toObject().system, before.system);
  } finally {
    await dispose();
  }
});

test("what was not acknowledged is reported in the next hello and sent again", async () => {
  const { world, timers, sockets, accept, api, dispose } = await load();
  try {
    const socket = await accept();
    socket.say({ id: "w", method: "eval", params: { code: "await game.actors.contents[0].update({name: 'X'})", rp: { id: "rp-00000a" } } });
    await world.clock.advance(50);
    socket.say({ method: "rollback.entry.ack", params: { pointId: "rp-00000a", seq: 1 } });
    socket.drop(1006);
    timers.advance(300);
    api.restart();
    const again = await accept();
    assert.deepEqual(sockets[1].hello.params.recordings, [{ pointId: "rp-00000a", lastSeq: 2, running: false }]);
    assert.deepEqual(sent(again, "rollback.entry").flatMap(({ params }) => params.entries.map(({ seq }) => seq)), [2]);
    assert.deepEqual(sent(again, "rollback.closed")[0].params, { pointId: "rp-00000a", lastSeq: 2 });
    again.say({ method: "rollback.entry.ack", params: { pointId: "rp-00000a", seq: 2, closed: true } });
    again.drop(1006);
    api.restart();
    await accept();
    assert.deepEqual(sockets[2].hello.params.recordings, []);
  } finally {
    await dispose();
  }
});

test("what the GM types waits for the relay's disk, and is sent again after a break", async () => {
  const { accept, api, dispose } = await load();
  try {
    const seen = [];
    api.onWaiting((waiting) => seen.push(waiting.length));
    const early = api.sendPrompt("before anybody listens");
    const socket = await accept();
    const id = api.sendPrompt("light the lamps", "t-0000000a");
    assert.deepEqual(sent(socket, "aagm.prompt").map(({ params }) => params.promptId), [early, id]);
    socket.say({ method: "aagm.prompt.ack", params: { promptId: early } });
    socket.drop(1006);
    api.restart();
    const again = await accept();
    assert.deepEqual(sent(again, "aagm.prompt").map(({ params }) => params), [{ promptId: id, text: "light the lamps", tabId: "t-0000000a" }]);
    again.say({ method: "aagm.prompt.ack", params: { promptId: id } });
    assert.deepEqual(api.waiting(), []);
    assert.deepEqual(seen, [1, 1, 2, 1, 1, 0]);
  } finally {
    await dispose();
  }
});

test("a family relay gets everything in the answer and no acknowledged prompts", async () => {
  const { world, timers, accept, api, dispose } = await load();
  try {
    const socket = await accept({ protocol: undefined, features: undefined, owner: undefined });
    socket.say({ id: "w", method: "eval", params: { code: "await game.actors.contents[0].update({name: 'X'}); return 1", rp: { id: "rp-00000a" } } });
    while (!socket.sent.some(({ id }) => id === "w")) {
      await world.clock.advance(5);
      timers.advance(300); // a family relay is answered when the tail is over
    }
    const { result } = socket.sent.find(({ id }) => id === "w");
    assert.equal(result.rollback.entries.length, 1);
    assert.equal(sent(socket, "rollback.entry").length, 0);
    assert.equal(sent(socket, "rollback.closed").length, 0);
    assert.notEqual(api.sendPrompt("hello"), null);
    assert.deepEqual(api.waiting(), []);
    socket.drop(1006);
    assert.equal(api.sendPrompt("lost?"), null);
  } finally {
    await dispose();
  }
});

test("the relay's notifications reach whoever asked, and a listener that fails stops no other", async () => {
  const { accept, api, dispose } = await load();
  const { error } = console;
  console.error = () => {};
  try {
    const socket = await accept();
    const seen = [];
    api.onReply(() => { throw new Error("mine"); });
    const stop = api.onReply(({ text }) => seen.push(text));
    api.onRollback(({ event }) => seen.push(event));
    socket.say({ method: "aagm.reply", params: { text: "Lit.", tabId: "t-main" } });
    socket.say({ method: "aagm.rollback", params: { event: "sync", points: [] } });
    stop();
    socket.say({ method: "aagm.reply", params: { text: "again" } });
    socket.say({ method: "no.such.thing", params: {} });
    assert.deepEqual(seen, ["Lit.", "sync"]);
  } finally {
    console.error = error;
    await dispose();
  }
});

test("a card's button asks the relay and gets its answer", async () => {
  const { accept, api, dispose } = await load();
  try {
    const socket = await accept();
    const asked = api.rollback({ pointId: "rp-00000a", action: "check" });
    const [{ id, params }] = sent(socket, "aagm.rollback.request");
    assert.deepEqual(params, { pointId: "rp-00000a", action: "check" });
    socket.say({ id, result: { rolledBack: [] } });
    assert.deepEqual(await asked, { rolledBack: [] });
  } finally {
    await dispose();
  }
});

test("another tab's ownership is told with whose it is, and can be taken over", async () => {
  const { sockets, accept, api, dispose } = await load();
  try {
    const socket = await accept({ owner: false, ownedBy: { userName: "Second GM", since: "" } });
    assert.equal(api.status().owner, false);
    assert.match(api.status().reason.message, /Second GM/);
    socket.say({ method: "aagm.owner", params: { owner: true } });
    assert.equal(api.status().owner, true);
    api.takeOver();
    sockets.at(-1).open();
    assert.equal(sockets.at(-1).hello.params.takeOver, true);
  } finally {
    await dispose();
  }
});

test("a changed world setting is sent at once, and so is every GM's own switch", async () => {
  const { client, sockets, accept, api, dispose } = await load();
  try {
    const socket = await accept();
    await client.game.settings.set("aagm", "mode", "cogm");
    assert.equal(sent(socket, "settings.sync").at(-1).params.mode, "cogm");
    await client.game.settings.set("aagm", "enabled-sunken-inn", false);
    assert.equal(socket.closedWith, 1000);
    assert.equal(api.status().reason.code, "disabled");
    await client.game.settings.set("aagm", "enabled-sunken-inn", true);
    assert.equal(sockets.length, 2);
  } finally {
    await dispose();
  }
});

test("what the page logs is told while the relay asks for it, and never past its socket", async () => {
  const { accept, api, dispose } = await load();
  const { warn } = console;
  const shown = [];
  console.warn = (text) => shown.push(text);
  const own = console.warn;
  try {
    const socket = await accept();
    socket.say({ id: "r1", method: "logs.subscribe", params: { levels: ["warn"] } });
    await settled();
    console.warn("the tide turns");
    assert.deepEqual(sent(socket, "logs.entry").map(({ params }) => params.message), ["the tide turns"]);
    socket.drop();
    assert.equal(console.warn, own);
    api.restart();
    const again = await accept();
    console.warn("nobody asked");
    assert.deepEqual(sent(again, "logs.entry"), []);
    assert.deepEqual(shown, ["the tide turns", "nobody asked"]);
  } finally {
    console.warn = warn;
    await dispose();
  }
});

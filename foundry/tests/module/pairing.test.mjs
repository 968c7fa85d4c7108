/** The code that lets a browser in, and the token that it keeps. */

import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./loaded.mjs";
import { settled } from "./twins.mjs";

test("a code is sent once, its token kept for this world and used from then on", async () => {
  const { client, sockets, accept, api, dispose } = await load();
  try {
    await api.pair(" 123 456 ");
    assert.equal(sockets.length, 2);
    await accept({ token: "tok" });
    assert.equal(sockets[1].hello.params.pairingCode, "123456");
    await settled();
    assert.equal(client.game.settings.get("aagm", "pairingCode-sunken-inn"), "");
    api.restart();
    await accept();
    assert.equal(sockets[2].hello.params.token, "tok");
    assert.equal("pairingCode" in sockets[2].hello.params, false);
  } finally {
    await dispose();
  }
});

test("a browser that stores nothing keeps the pairing for this page, and its GM is told once", async () => {
  const { world, client, sockets, accept, api, dispose } = await load();
  const { error } = console;
  console.error = () => {};
  try {
    world.faults.add({ fault: "quotaExceeded" });
    await api.pair("123456");
    await accept({ token: "tok", memberName: "AAGM-K" });
    assert.equal(sockets[1].hello.params.pairingCode, "123456");
    api.restart();
    await accept();
    assert.equal(sockets[2].hello.params.token, "tok");
    assert.equal("pairingCode" in sockets[2].hello.params, false);
    const warned = client.ui.notifications.shown.filter(({ message }) => message.includes("storage"));
    assert.deepEqual(warned.map(({ type }) => type), ["warning"]);
    assert.equal(client.storage.getItem("aagm.token-sunken-inn"), null);
    world.faults.clear();
    await client.game.settings.set("aagm", "relayUrl-sunken-inn", "ws://127.0.0.1:7999");
    await client.game.settings.set("aagm", "pairingCode-sunken-inn", "654321");
    assert.equal(sockets.at(-1).url, "ws://127.0.0.1:7999/");
    sockets.at(-1).open();
    assert.equal(sockets.at(-1).hello.params.pairingCode, "654321", "what is stored later counts");
  } finally {
    console.error = error;
    await dispose();
  }
});

test("a wrong code is answered with the relay's own reason in toast and status, and is not sent again", async () => {
  const { client, sockets, api, dispose } = await load();
  try {
    await api.pair("123456");
    const refuse = async () => {
      const socket = sockets.at(-1);
      socket.open();
      socket.say({ id: socket.hello.id, error: { code: -33006, message: "the pairing code is wrong; 4 more tries" } });
      await settled();
      socket.drop(4005);
      await settled();
    };
    await refuse();
    const { code, message, fix } = api.status().reason;
    assert.equal(code, "code_refused");
    assert.equal(message, "The relay did not take that code. The pairing code is wrong; 4 more tries.");
    assert.equal(client.ui.notifications.shown.at(-1).message, `AAGM: ${message} ${fix}`);
    assert.equal(client.game.settings.get("aagm", "pairingCode-sunken-inn"), "");
    await api.pair("123456");
    assert.equal(sockets.at(-1).url, sockets[1].url, "the same code again is a try of its own");
    assert.equal(sockets.length, 3);
    await refuse();
    assert.equal(sockets[2].hello.params.pairingCode, "123456");
    api.restart();
    sockets.at(-1).open();
    assert.equal("pairingCode" in sockets.at(-1).hello.params, false);
  } finally {
    await dispose();
  }
});

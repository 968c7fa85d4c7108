import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { WorldProcess } from "../harness/world-process.mjs";

const TINY = fileURLToPath(new URL("./fixtures/tiny-module", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "world-"));
after(() => rmSync(folder, { recursive: true }));

test("a process runs a module, answers commands, and survives a reload and a kill", async () => {
  const args = ["--module", TINY, "--state", join(folder, "state.json")];
  const world = new WorldProcess(args);
  await world.ready();
  const api = "return game.modules.get('tiny-module').api";
  assert.deepEqual(await world.send("eval", { code: api }), { title: "Tiny", starts: 1 });
  assert.equal(await world.send("settings", { key: "tiny-module.greeting" }), "hello");
  await world.send("settings", { key: "tiny-module.greeting", value: "ahoy" });
  await world.send("eval", { code: "await game.actors.getName('Old Pike').update({ 'system.resource.value': 1 })" });
  const before = await world.send("canonical");

  await world.send("reload");
  assert.deepEqual(await world.send("eval", { code: api }), { title: "Tiny", starts: 1 }, "a reload imports the module anew");
  assert.deepEqual(await world.send("canonical"), before);
  await assert.rejects(world.send("eval", { code: "throw new Error('as told')" }), /as told/);
  await assert.rejects(world.send("dance"), /no command/);

  await world.kill();
  const again = new WorldProcess(args);
  await again.ready();
  assert.deepEqual(await again.send("canonical"), before);
  assert.equal(await again.send("settings", { key: "tiny-module.greeting" }), "ahoy");
  assert.deepEqual((await again.send("state")).divergence, []);
  await again.end();
});

test("sockets carry the page's origin and end with the page", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const connected = new Promise((resolve) => server.once("connection", (socket, request) => resolve({ socket, origin: request.headers.origin })));
  const world = new WorldProcess(["--module", TINY]);
  await world.ready();
  const url = `ws://127.0.0.1:${server.address().port}`;
  await world.send("eval", { code: `const socket = new WebSocket(${JSON.stringify(url)}); await new Promise((open) => { socket.onopen = open; });` });
  const { socket, origin } = await connected;
  assert.equal(origin, "http://localhost:30000");
  assert.equal((await world.send("state")).sockets, 1);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await world.send("reload");
  await closed;
  await world.end();
  server.close();
});

/** The real module as a page loads it; the relay's end of each socket is the test's. */

import { readFile } from "node:fs/promises";

import { createWorld } from "../../simulator/index.js";
import { startWithModule } from "../../simulator/loader.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { FakeSocket, ManualTimers, settled } from "./twins.mjs";

let loads = 0;

/** A world with the real module in one client. */
export async function load({ user = "Gamemaster", enabled = true, version = 12, world: options = {} } = {}) {
  const world = createWorld({ ...sunkenInn({ players: true }), version, start: false, ...options });
  const client = world.client(user);
  if (enabled) client.storage.setItem(`aagm.enabled-${world.id}`, JSON.stringify(true));
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
  await startWithModule({
    client,
    base: new URL("../../module/", import.meta.url).href,
    readJson: async (url) => JSON.parse(await readFile(new URL(url), "utf8")),
    importModule: (url) => import(`${url}?load=${loads}`),
    until: user === "Gamemaster" ? "aagm.ready" : null,
  });
  const api = client.game.modules.get("aagm").api;
  const accept = async (answer = {}) => {
    const socket = sockets.at(-1);
    socket.open();
    socket.say({ id: socket.hello.id, result: { sessionId: "s", protocol: 3, features: ["stream", "prompt-ack"], owner: true, ...answer } });
    await settled();
    return socket;
  };
  const dispose = async () => {
    await world.clock.advance(5);
    world.dispose();
  };
  return { world, client, timers, sockets, api, accept, dispose };
}

/** What was sent of one method. */
export const sent = (socket, method) => socket.sent.filter((each) => each.method === method);

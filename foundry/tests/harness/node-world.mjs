/**
 * The sample world as a process of its own, with the real module in its game master's client.
 *
 * Options: `--version 12`, `--system sim-generic`, `--seed 1`, `--module DIR`, `--settings JSON` (client-scope values set
 * before the start), `--state FILE` (the world outlives this process), `--facts JSON`, `--origin URL`, `--players`.
 *
 * Commands are JSON lines on stdin, each answered by one JSON line on stdout: `{"id"?, "ok":true, "value"}` or
 * `{"id"?, "ok":false, "error", "stack"}`. A first line `{"event":"ready"}` says that the module's hooks have run.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import WebSocket from "ws";
import { startWithModule } from "../../simulator/loader.js";
import { canonical, createWorld, divergence } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { Tab } from "./tab.mjs";

register("./tab-loader.mjs", import.meta.url);

const { values: options } = parseArgs({
  options: {
    version: { type: "string", default: "12" },
    system: { type: "string", default: "sim-generic" },
    seed: { type: "string", default: "1" },
    module: { type: "string" },
    settings: { type: "string", default: "{}" },
    state: { type: "string" },
    facts: { type: "string", default: "{}" },
    modules: { type: "string", default: "[]" },
    latency: { type: "string", default: "0" },
    origin: { type: "string", default: "http://localhost:30000" },
    players: { type: "boolean", default: false },
  },
});

const base = options.module ? pathToFileURL(`${options.module}/`).href : new URL("../../module/", import.meta.url).href;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const saved = options.state && existsSync(options.state) ? JSON.parse(readFileSync(options.state, "utf8")) : null;

const world = createWorld({
  ...sunkenInn({ system: options.system, players: options.players }),
  version: options.version,
  system: options.system,
  modules: JSON.parse(options.modules),
  seed: saved ? `${options.seed}/${saved.boots}` : options.seed, // a world that goes on must not hand out its old ids
  facts: JSON.parse(options.facts),
  latency: JSON.parse(options.latency),
  clock: "real",
  start: false,
  ...(saved ? { snapshot: saved.world } : {}),
});
world.log.limit = 5000;
let client = world.gm;
for (const other of world.clients) if (other !== client) other.start();
for (const [key, value] of Object.entries(saved?.storage ?? {})) client.storage.setItem(key, value);
for (const [key, value] of Object.entries(JSON.parse(options.settings))) client.storage.setItem(key, JSON.stringify(value));
if (options.state) {
  const keep = () => {
    // Whole or not at all: this process may be killed at any moment.
    writeFileSync(`${options.state}.half`, JSON.stringify({ world: world.server.store, storage: client.storage, boots: (saved?.boots ?? 0) + 1 }));
    renameSync(`${options.state}.half`, options.state);
  };
  world.server.onStored = keep;
  client.storage.onChange = keep;
  keep();
}

let tab = new Tab(WebSocket, options.origin);

async function open() {
  tab.install(globalThis);
  const readJson = async (url) => JSON.parse(readFileSync(new URL(url), "utf8"));
  await startWithModule({ client, base, readJson, importModule: (url) => import(`${url}?tab=${tab.number}`), until: options.module ? null : "aagm.ready" });
}

async function close() {
  tab.close();
  client.uninstall();
}

const AsyncFunction = (async () => {}).constructor;

const COMMANDS = {
  /** All documents of the server, for comparing. */
  canonical: ({ ignore }) => canonical(world, { ignore }),
  /** The server's snapshot, which `restore` takes. */
  snapshot: () => world.snapshot(),
  restore: async ({ snapshot }) => {
    world.server.restore(snapshot);
    await COMMANDS.reload();
  },
  /** Run code on the page; what it returns must be JSON. */
  eval: async ({ code }) => new AsyncFunction("world", "client", code)(world, client),
  /** Read a setting, or write it when a value is given: `key` is `namespace.name`. */
  settings: async ({ key, ...given }) => {
    const [namespace, ...name] = key.split(".");
    return "value" in given ? client.game.settings.set(namespace, name.join("."), given.value) : client.game.settings.get(namespace, name.join("."));
  },
  /** Where things stand. */
  state: () => ({
    ready: client.game.ready,
    userId: client.userId,
    module: client.game.modules.get("aagm")?.api?.status?.() ?? null,
    sockets: tab.sockets,
    errors: client.errors.map(({ error, ...where }) => ({ message: error?.message ?? String(error), ...where, fn: undefined })),
    toasts: client.ui.notifications.shown.map(({ type, message }) => ({ type, message })),
    divergence: divergence(client),
    requests: world.server.requests,
  }),
  /** Throw the page away and open it anew; the server, browser storage and the tab's own stay. */
  reload: async () => {
    await close();
    client = world.reload(client, { start: false });
    tab = new Tab(WebSocket, options.origin, tab.storage);
    await open();
  },
  /** Close the page: sockets end, the server stays. `open` brings a new one. */
  close: async () => {
    await close();
    world.crash(client);
  },
  open: async () => {
    client = world.connect(world.server.store.primary("User").get(client.userId).name, { start: false });
    tab = new Tab(WebSocket, options.origin);
    await open();
  },
  /** Say `hidden` as a tab in the background does. */
  hide: ({ hidden = true }) => tab.hide(hidden),
  fault: ({ rule }) => {
    world.faults.add(rule);
  },
  clearFaults: () => world.faults.clear(),
  exit: () => setImmediate(() => process.exit(0)),
};

/** These change the page itself: commands after them wait. */
const REOPENS = new Set(["reload", "restore", "open", "close"]);
let opening = open();
await opening;
say({ event: "ready" });

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const { id, cmd, ...given } = JSON.parse(line);
  answer(id, cmd, given);
}
process.exit(0);

/** Commands may overlap: one that waits for the relay must not hold the next. */
async function answer(id, cmd, given) {
  try {
    if (!Object.hasOwn(COMMANDS, cmd)) throw new Error(`no command is called ${cmd}`);
    await opening;
    const work = COMMANDS[cmd](given);
    if (REOPENS.has(cmd)) opening = Promise.resolve(work).catch(() => {});
    const value = await work;
    say({ id, ok: true, value: value ?? null });
  } catch (error) {
    say({ id, ok: false, error: error?.message ?? String(error), stack: error?.stack ?? "" });
  }
}

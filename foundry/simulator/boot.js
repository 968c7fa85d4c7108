/**
 * The browser's entry: a world in this page, its game master's client on `window`, the real module in it.
 *
 * Everything runs from static files; nothing is fetched from anywhere but the page's own origin.
 */
import { startWithModule } from "./loader.js";
import { createWorld } from "./world.js";
import { sunkenInn } from "./worlds/sunken-inn.js";
import { showPage } from "./ui/page.js";

const { document, location } = globalThis;

/**
 * Boot the world.
 *
 * @param {object} [options]
 * @param {string} [options.module] Base URL of the module's folder, with its closing slash; none: no module is loaded.
 * @param {string|null} [options.until] A hook by which the module says that it has started.
 * @param {string} [options.user] Whose client goes on the page.
 * @param {Record<string, unknown>} [options.storage] Client-scope settings set before anything starts, `{"aagm.enabled-sunken-inn": true}`.
 * @param {string|null} [options.persist] A key of `localStorage` under which the world outlives this page; none: a reload begins anew.
 * @param {HTMLElement|null} [options.chrome] Where our own sidebar, map and windows are drawn; none: windows go to the body.
 * @param {object} [options.world] Options of `createWorld()` over those of the sample world.
 * @returns {Promise<{world: import("./world.js").World, client: object, manifest: object|null, reset: () => void}>}
 */
export async function boot({ module = null, until = null, user = "Gamemaster", storage = {}, persist = null, chrome = null, world: options = {} } = {}) {
  const saved = persist && localStorage.getItem(persist);
  const world = createWorld({
    ...sunkenInn({ system: options.system }),
    clock: "real",
    seed: Math.random(),
    ...options,
    ...(saved ? { snapshot: JSON.parse(saved) } : {}),
    start: false,
  });
  world.log.limit = 5000;
  const client = world.client(user);
  if (persist) keep(world, client, persist);
  for (const [key, value] of Object.entries(storage)) client.storage.setItem(key, JSON.stringify(value));
  showPage(client, chrome);
  let manifest = null;
  if (module) manifest = await startWithModule({ client, base: new URL(module, document.baseURI).href, readJson, importModule: (url) => import(url), addStyle, until });
  else client.install(globalThis).start();
  for (const other of world.clients) if (other !== client) other.start();
  const reset = () => {
    if (persist) for (const key of [persist, `${persist}/client`]) localStorage.removeItem(key);
    location.reload();
  };
  return { world, client, manifest, reset };
}

/** Write the world and the client's settings down after every change. */
function keep(world, client, key) {
  const settings = localStorage.getItem(`${key}/client`);
  for (const [name, value] of Object.entries(settings ? JSON.parse(settings) : {})) client.storage.setItem(name, value);
  world.server.onStored = () => localStorage.setItem(key, JSON.stringify(world.server.store));
  client.storage.onChange = () => localStorage.setItem(`${key}/client`, JSON.stringify(client.storage));
}

async function readJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

function addStyle(url, layer) {
  const element = document.createElement("style");
  element.textContent = `@import url(${JSON.stringify(url)})${layer ? ` layer(${layer})` : ""};`;
  document.head.append(element);
}

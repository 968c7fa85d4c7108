/** Starting a client with a real module in it: the order a page keeps. */

/**
 * Install a client, load a module from its manifest, run the start-up hooks.
 *
 * @param {object} parts
 * @param {import("./client/client.js").Client} parts.client Not yet started.
 * @param {string} parts.base Where the module lies; ends with a slash.
 * @param {(url: string) => Promise<object>} parts.readJson
 * @param {(url: string) => Promise<unknown>} parts.importModule
 * @param {(url: string, layer: string|null) => void} [parts.addStyle]
 * @param {object} [parts.target] Where the globals go.
 * @param {string|null} [parts.until] A hook by which the module says that it has started; none: it has when `ready` has run.
 * @returns {Promise<object>} The manifest.
 */
export async function startWithModule({ client, base, readJson, importModule, addStyle = () => {}, target = globalThis, until = null }) {
  const manifest = await readJson(`${base}module.json`);
  const { id, title, version } = manifest;
  client.game.modules.set(id, { ...manifest, id, title, version, active: true, api: undefined });
  client.install(target);
  for (const style of manifest.styles ?? []) {
    const src = typeof style === "string" ? style : style.src;
    addStyle(`${base}${src}`, client.generation >= 13 ? (style.layer ?? "modules") : null);
  }
  for (const { lang, path } of manifest.languages ?? []) {
    if (lang === client.lang || lang === "en") client.languages.push(await readJson(`${base}${path}`));
  }
  for (const path of manifest.esmodules ?? []) await importModule(`${base}${path}`);
  const started = until && new Promise((resolve) => client.Hooks.once(until, resolve));
  client.start();
  await started;
  return manifest;
}

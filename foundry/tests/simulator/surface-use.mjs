/**
 * How the module calls Foundry, written once: the community types check these calls, and a test runs them on the simulator.
 */

/** @returns {Promise<string[]>} What ran, in order. */
export async function useEverything() {
  /** @type {string[]} */
  const ran = [];
  const note = (/** @type {string} */ what) => ran.push(what);

  const listener = Hooks.on("updateActor", (actor, changes, options, userId) => {
    note(`hook ${actor.name} ${Object.keys(changes).includes("img")} ${typeof options} ${userId === game.user?.id}`);
  });
  Hooks.once("closeApplicationV2", () => {
    note("closed");
  });
  const actor = await getDocumentClass("Actor").create({ name: "Surface", type: /** @type {any} */ (game.system?.id === "pf1" ? "npc" : "npc") });
  if (!actor) throw new Error("no actor");
  await actor.update({ img: "icons/x.webp" }, { diff: false, recursive: true, render: false });
  Hooks.off("updateActor", listener);

  const copy = foundry.utils.deepClone(actor.toObject());
  note(typeof foundry.utils.getProperty(copy, "name"));
  foundry.utils.setProperty(copy, "flags.world.x", 1);
  note(JSON.stringify(foundry.utils.flattenObject({ a: { b: 1 } })));
  note(JSON.stringify(foundry.utils.diffObject({ a: 1 }, { a: 2 }, { inner: true })));
  note(JSON.stringify(foundry.utils.mergeObject({ a: 1 }, { b: 2 }, { inplace: false })));
  note(String(foundry.utils.isNewerVersion("13", "12")));
  note(String(foundry.utils.randomID().length));
  note(foundry.utils.parseUuid(actor.uuid)?.type ?? "none");

  const found = await fromUuid(/** @type {any} */ (actor.uuid));
  note(String(found === actor));
  note(String(fromUuidSync(/** @type {any} */ (actor.uuid)) === actor));
  note(getDocumentClass("Actor").documentName);

  await actor.setFlag(/** @type {never} */ ("world"), /** @type {never} */ ("mark"), /** @type {never} */ (true));
  await actor.unsetFlag(/** @type {never} */ ("world"), /** @type {never} */ ("mark"));
  const [item] = await actor.createEmbeddedDocuments("Item", [{ name: "Thing", type: /** @type {any} */ ("base") }], { keepId: false });
  if (item) await actor.deleteEmbeddedDocuments("Item", [String(item.id)]);
  note(String(actor.testUserPermission(/** @type {any} */ (game.user), "OWNER")));
  note(String(game.actors?.filter((one) => one.name === "Surface").length));

  game.settings?.register(/** @type {any} */ ("core"), /** @type {never} */ ("surface"), /** @type {any} */ ({ scope: "world", config: false, type: String, default: "" }));
  await game.settings?.set(/** @type {any} */ ("core"), /** @type {never} */ ("surface"), /** @type {never} */ ("x"));
  note(String(game.settings?.get(/** @type {any} */ ("core"), /** @type {never} */ ("surface"))));
  note(game.i18n?.localize("SURFACE.None") ?? "");
  ui.notifications?.info("Surface", { localize: false, permanent: false });

  class SurfaceWindow extends foundry.applications.api.ApplicationV2 {
    static DEFAULT_OPTIONS = { id: "surface", window: { title: "Surface" } };
  }
  const app = new SurfaceWindow();
  await app.render({ force: true });
  note(String(app.rendered));
  await app.close();
  await actor.delete({ render: false });
  return ran;
}

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";
import { CAUSES, isListed } from "../programs/causes.mjs";
import { Bench, failures } from "./bench.mjs";

const UNDO = new URL("../../module/scripts/recorder/undo/", import.meta.url);
const WIRE = new URL("../../module/scripts/wire.js", import.meta.url);

/** What each world does before the rollback, and what the rollback then says. */
const REFUSALS = {
  "it is gone": async ({ bench, ottar }) => {
    const point = await bench.record(() => ottar.update({ name: "Nobody" }));
    await bench.settle(ottar.delete());
    return bench.undo(point);
  },

  "edited since it was put there": async ({ bench, game, ottar }) => {
    const point = await bench.record(() => replace(game, ottar));
    await bench.settle(game.actors.getName("Usurper").update({ name: "Usurper, crowned" }));
    return bench.undo(point);
  },

  "it is protected": async ({ bench, game }) => {
    const ledger = game.journal.getName("The Inn's Ledger");
    const point = await bench.record(() => ledger.update({ sort: 7 }));
    bench.protectedDocuments.replace({ names: [ledger.name] });
    return bench.undo(point);
  },

  "the compendium … is gone": async ({ bench, game }) => {
    const pack = game.packs.get("world.lake-bestiary");
    const heron = await bench.settle(pack.getDocument(pack.index.contents[0]._id));
    const point = await bench.record(() => heron.delete());
    await bench.settle(pack.deleteCompendium());
    return bench.undo(point);
  },

  "not put back: …": async ({ bench, ottar }) => {
    const point = await bench.record(() => ottar.update({ name: "Nobody" }));
    bench.gm.Hooks.on("updateActor", (actor) => actor.updateSource({ name: "Stubborn" }));
    return bench.undo(point);
  },

  "not as it was: …": async ({ bench, game, ottar }) => {
    const point = await bench.record(() => replace(game, ottar));
    bench.gm.Hooks.on("updateActor", (actor) => actor.updateSource({ name: "Stubborn" }));
    return bench.undo(point);
  },

  "it did not come back": async ({ bench, game, ottar }) => {
    const point = await bench.record(() => ottar.delete());
    game.actors.documentClass.prototype._preCreate = async () => false;
    return bench.undo(point);
  },

  "it is still there": async ({ bench, game }) => {
    const point = await bench.record(() => game.actors.documentClass.create({ name: "Brief", type: "npc" }));
    game.actors.documentClass.prototype._preDelete = async () => false;
    return bench.undo(point);
  },

  "it is linked to its actor now: what it had of its own is put back only when it is unlinked": async ({ bench, game }) => {
    const token = game.scenes.active.tokens.find((each) => each.actor?.isToken);
    const point = await bench.record(() => token.actor.update({ name: "Nobody's" }));
    await bench.settle(token.update({ actorLink: true }));
    return bench.undo(point);
  },

  "a user comes back without role, rights and password": async ({ bench, game }) => {
    const point = await bench.record(() => game.users.getName("Ottar's player").delete());
    return bench.undo(point);
  },
};

function replace(game, actor) {
  const data = { ...actor.toObject(), name: "Usurper" };
  return actor.delete().then(() => game.actors.documentClass.create(data, { keepId: true, keepEmbeddedIds: true }));
}

async function within(run) {
  const bench = new Bench(sunkenInn({ players: true }));
  const { game } = bench.gm;
  try {
    await run({ bench, game, ottar: game.actors.getName("Ottar Reed") });
  } finally {
    bench.dispose();
  }
}

for (const [sentence, undo] of Object.entries(REFUSALS)) {
  test(sentence, () => within(async (world) => {
    const said = failures(await undo(world)).map(({ error }) => error);
    assert.ok(said.length > 0);
    const [start, end = ""] = sentence.split("…");
    for (const each of said) assert.ok(each.startsWith(start) && each.endsWith(end), each);
  }));
}

test("server", () => within(async ({ bench, game }) => {
  const pack = game.packs.get("world.lake-bestiary");
  const { documentClass: Folder } = game.folders;
  const folder = await bench.settle(Folder.create({ name: "Shelf", type: "Actor" }, { pack: pack.collection }));
  const [entry] = pack.index.contents;
  entry.folder = folder.id;
  pack.getDocument = async () => null;
  const point = await bench.record(() => folder.delete({ deleteContents: true }));
  assert.deepEqual(point.uncovered.map(({ uuid, why }) => [uuid, why]), [[entry.uuid, "server"]]);
}));

test("every sentence a rollback can say is on the page", () => {
  const source = readdirSync(UNDO).map((name) => readFileSync(new URL(name, UNDO), "utf8")).join("\n");
  const texts = [/(?:failed|refused)\(\w+, (["`])(.+?)\1\)/g, /throw new Error\((["`])(.+?)\1\)/g, /(?:return|\?|refused:|NOT_PLAYING =|LINKED =) (["`])([a-z'][^"`]* (?:never|comes back|only when|unless) [^"`]*)\1/g];
  const said = texts.flatMap((text) => [...source.matchAll(text)]).map(([, , sentence]) => sentence.replace(/\$\{[^}]*(?:\}[^}]*)?\}/g, "…"));
  const [, whys] = readFileSync(WIRE, "utf8").match(/@property \{((?:"[\w-]+"\|?)+)\} why/);
  said.push(...whys.split("|").map((why) => JSON.parse(why)));
  assert.ok(said.length > 20, String(said.length));
  assert.deepEqual(said.filter((sentence) => !isListed(sentence)), []);
  const isSaid = (cause) => said.some((sentence) => sentence === cause || (cause.endsWith("…") && sentence.startsWith(cause.slice(0, -1))));
  assert.deepEqual(CAUSES.filter((cause) => !isSaid(cause)), []);
});

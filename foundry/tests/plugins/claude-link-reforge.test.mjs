import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, idOf, types, withClock, worlds } from "./table.mjs";

const MINUTE = 60_000;
const MAPPING = { "sunk.birds": "world.lake-bestiary" };
const heron = idOf("Reed Heron");
const pike = idOf("Lantern Pike");
const link = (id, label = "") => `@UUID[Compendium.sunk.birds.Actor.${id}]${label && `{${label}}`}`;
const live = (id, label = "") => `@UUID[Compendium.world.lake-bestiary.Actor.${id}]${label && `{${label}}`}`;

async function open(world) {
  const table = await Table.open("claude-link-reforge", world);
  await table.hand(async (game) => {
    const brunna = game.actors.getName("Brunna Saltcask");
    await game.items.getName("Barge pole").update({ "system.description": `By id: ${link(heron)}, and ${link("bbbbbbbbbbbbbbbb", "Nobody")}.` });
    await game.journal.getName("How it sank").pages.contents[0].update({ "text.content": `<p>${link("aaaaaaaaaaaaaaaa", "Lantern Pike")}</p>` });
    await brunna.items.getName("Ladle of office").update({ "system.notes": [link("cccccccccccccccc", "lantern-pike (old)")] });
    await brunna.update({ "flags.world.menu": { first: [{ text: link(heron) }] } });
    await game.tables.getName("Rumours at the bar").results.contents[0].update({ text: link(heron) });
  });
  return table;
}

for (const world of worlds("sim-generic", "sim-pf1")) {
  test(`dead links are found, planned, rewritten, and taken back: ${world.system}, ${world.version}`, async () => {
    const table = await open(world);
    const scan = await table.call({ mode: "read", action: "scan" });
    assert.deepEqual(scan.dead, [{ pack: "sunk.birds", links: 6, exists: false }]);
    assert.deepEqual(scan.point.entries, []);

    const plan = await table.call({ action: "dryrun", mapping: MAPPING });
    assert.match(plan.confirmHash, /^lr-[0-9a-f]{8}$/);
    assert.deepEqual([plan.links, plan.matched, plan.documents, plan.unmatchedCount], [6, 5, 5, 1]);
    assert.deepEqual(types(plan), ["Macro"]);

    const job = { action: "apply", mapping: MAPPING, confirmHash: plan.confirmHash };
    const answer = await table.undone(job);
    assert.deepEqual([answer.changed, answer.links, answer.done], [5, 5, true]);
    assert.deepEqual(types(answer), ["Actor", "Item", "JournalEntryPage", "TableResult"]);

    await table.call(job);
    const { game } = table;
    const brunna = game.actors.getName("Brunna Saltcask");
    assert.equal(game.items.getName("Barge pole").system.description, `By id: ${live(heron)}, and ${link("bbbbbbbbbbbbbbbb", "Nobody")}.`);
    assert.equal(game.journal.getName("How it sank").pages.contents[0].text.content, `<p>${live(pike, "Lantern Pike")}</p>`);
    assert.deepEqual(brunna.items.getName("Ladle of office").system.notes, [live(pike, "lantern-pike (old)")]);
    assert.deepEqual(brunna.flags.world.menu, { first: [{ text: live(heron) }] });
    table.close();
  });
}

test("apply wants the hash of the very job, and a dryrun of the last half hour", async () => {
  const table = await open();
  const job = { action: "apply", mapping: MAPPING, confirmHash: "lr-00000000" };
  assert.match((await table.refused(job)).error, /confirmHash is of another job/);
  const { confirmHash } = await table.refused(job);
  assert.match((await table.refused({ ...job, confirmHash })).error, /no dryrun of this job/);
  await table.call({ action: "dryrun", mapping: MAPPING });
  await withClock({ at: 31 * MINUTE }, async () => {
    assert.match((await table.refused({ ...job, confirmHash })).error, /within the last 30 minutes/);
  });
  assert.match((await table.refused({ ...job, confirmHash, skipNames: "x" })).error, /another job/);
  assert.equal((await table.call({ ...job, confirmHash })).ok, true);
  table.close();
});

test("apply stops in time and goes on when it is run again", async () => {
  const table = await open();
  const { confirmHash } = await table.call({ action: "dryrun", mapping: MAPPING });
  const job = { action: "apply", mapping: MAPPING, confirmHash };
  const first = await withClock({ step: 40_000 }, () => table.call(job));
  assert.deepEqual([first.changed, first.done], [1, false]);
  const second = await table.call(job);
  assert.deepEqual([second.changed, second.done], [4, true]);
  table.close();
});

test("documents of some names are left alone, compendiums are looked through when they are named", async () => {
  const table = await open();
  await table.hand(async (game) => (await game.packs.get("world.lake-bestiary").getDocument(heron)).update({ "system.notes": link(pike) }));
  const skipping = await table.call({ action: "dryrun", mapping: MAPPING, skipNames: "^brunna" });
  assert.equal(skipping.documents, 3);
  const filed = await table.call({ action: "dryrun", mapping: MAPPING, packs: ["world.lake-bestiary", "world.old-menus"] });
  assert.equal(filed.documents, 6);
  assert.deepEqual(filed.warnings, ["world.old-menus is locked and left alone"]);
  await table.undone({ action: "apply", mapping: MAPPING, packs: ["world.lake-bestiary", "world.old-menus"], confirmHash: filed.confirmHash });
  table.close();
});

test("what cannot work is refused", async () => {
  const table = await open();
  assert.match((await table.refused({ action: "dryrun", mapping: { "sunk.birds": "world.gone" } })).error, /no compendium of this world is called world.gone/);
  assert.match((await table.refused({ action: "scan", skipNames: "(" })).error, /no regular expression/);
  assert.match((await table.refused({ mode: "read", action: "dryrun", mapping: MAPPING })).error, /only scan reads/);
  table.close();
});

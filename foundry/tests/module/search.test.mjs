import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { ProtectedDocuments } from "../../module/scripts/protected-documents.js";
import { searchDocuments } from "../../module/scripts/handlers/search.js";
import { forgetTypes } from "../../module/scripts/recorder/documents.js";
import { WorldSearch } from "../../module/scripts/search/world-search.js";
import { excerpt, fold, plainText, rankName, wordsOf } from "../../module/scripts/search/words.js";
import { createWorld } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

let world;
let search;
let guarded;

function open(version = 12) {
  world = createWorld({ ...sunkenInn(), version, clock: "real" });
  world.gm.install(globalThis);
  forgetTypes();
  guarded = new ProtectedDocuments();
  search = new WorldSearch({ protectedDocuments: guarded });
}

beforeEach(() => open());
afterEach(() => world.dispose());

const find = (query, more = {}) => searchDocuments({ query, ...more }, { search });
const names = async (query, more) => (await find(query, more)).results.map(({ name }) => name);

test("a name is found whatever its case and accents, the best fit first", async () => {
  await getDocumentClass("Actor").create([{ name: "Der Anführer", type: "npc" }, { name: "Pike", type: "npc" }, { name: "Spikes", type: "npc" }]);
  assert.deepEqual(await names("ANFUHRER"), ["Der Anführer"]);
  assert.deepEqual((await names("pike", { where: "world", type: "Actor" })), ["Pike", "Old Pike", "Spikes"]);
});

test("text is found in pages, commands and table rows, with the words around it", async () => {
  const { results, total } = await find("eleven pennies");
  assert.equal(total, 1);
  assert.deepEqual(results[0], {
    uuid: "JournalEntry.Ledger0000000000.JournalEntryPage.PageDebts0000000",
    name: "Debts",
    documentName: "JournalEntryPage",
    match: "text",
    type: "text",
    parent: "The Inn's Ledger",
    excerpt: "Old Pike owes eleven pennies.",
  });
  assert.deepEqual(await names("under the water", { type: "Macro" }), ["Ring the bell"]);
  assert.equal((await find("new moon")).results[0].parent, "Rumours at the bar");
});

test("words may stand in the name and in the text", async () => {
  assert.deepEqual(await names("debts pennies"), ["Debts"]);
  assert.deepEqual(await names("debts nothing-like-this"), []);
});

test("what is inside is found with what it lies in, and its uuid leads to it", async () => {
  const { results } = await find("eel spear");
  assert.deepEqual(results.map(({ name, parent, documentName }) => [name, parent, documentName]), [["Eel spear", "Ottar Reed", "Item"]]);
  for (const query of ["eel spear", "rat by", "heron", "room four"]) {
    for (const { uuid, name } of (await find(query)).results) assert.equal((await fromUuid(uuid))?.name ?? name, name, uuid);
  }
});

for (const version of [12, 13, 14]) {
  test(`compendiums are searched by their index, ${version}`, async () => {
    world.dispose();
    open(version);
    const { results } = await find("lantern pike", { where: "compendiums" });
    assert.deepEqual(results, [
      {
        uuid: "Compendium.world.lake-bestiary.Actor.LanternPike00000",
        name: "Lantern Pike",
        documentName: "Actor",
        match: "name",
        type: "npc",
        pack: "Beasts of the Lake",
      },
    ]);
    assert.equal((await fromUuid(results[0].uuid)).name, "Lantern Pike");
  });
}

test("a pack whose index cannot be had is named, and costs no other", async () => {
  const pack = game.packs.get("world.old-menus");
  pack.index.clear();
  Object.defineProperty(pack, "indexed", { value: false });
  pack.getIndex = async () => {
    throw new Error("no such file");
  };
  const answer = await find("pike", { where: "compendiums" });
  assert.deepEqual(answer.unread, ["Old Menus"]);
  assert.equal(answer.total, 1);
});

test("a type is a kind of document or a sub-type; an unknown one is an error, never something else", async () => {
  assert.deepEqual(await names("pike", { type: "npc", where: "world" }), ["Old Pike"]);
  assert.deepEqual(await names("pike", { type: "character" }), []);
  await assert.rejects(find("pike", { type: "Actr" }), { code: -32602, message: /no document is of type Actr; kinds are Actor, / });
});

test("pages follow each other without a gap, and the last has no cursor", async () => {
  const whole = await find("e", { limit: 100 });
  assert.ok(whole.total > 10);
  const seen = [];
  let cursor;
  do {
    const page = await find("e", { limit: 4, cursor });
    assert.equal(page.total, whole.total);
    seen.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== undefined);
  assert.deepEqual(seen.slice(0, whole.results.length), whole.results);
  await assert.rejects(find("e", { cursor: "x" }), /cursor/);
  await assert.rejects(find("  "), /no words/);
});

test("what changed is found as it is now", async () => {
  assert.deepEqual(await names("eleven pennies"), ["Debts"]);
  const page = game.journal.getName("The Inn's Ledger").pages.getName("Debts");
  await page.update({ "text.content": "<p>Paid in full &amp; forgotten.</p>" });
  assert.deepEqual(await names("eleven pennies"), []);
  assert.deepEqual(await names("full & forgotten"), ["Debts"]);
  await page.update({ name: "Old debts" });
  assert.deepEqual(await names("full & forgotten"), ["Old debts"]);
  await page.delete();
  assert.deepEqual(await names("full & forgotten"), []);
});

test("protected journals are not found, neither by name nor by text nor in a compendium", async () => {
  const entries = { type: "JournalEntry" };
  assert.deepEqual(await names("ledger", entries), ["The Inn's Ledger"]);
  assert.deepEqual(await names("menu"), ["Menu of the last evening"]);
  guarded.replace({ names: ["the inn's ledger", "menu*"] });
  assert.deepEqual(await names("ledger", entries), []);
  assert.deepEqual(await names("eleven pennies"), []);
  assert.deepEqual(await names("menu"), []);
});

test("words are compared without case, accents and markup", () => {
  assert.equal(fold("ÀÉÎ ﬁ Ω"), "aei fi ω");
  assert.deepEqual(wordsOf("  Room  room FOUR "), ["room", "four"]);
  assert.equal(plainText("<p>Tea &amp;&nbsp;eel</p><p>&unknown; &lt;b&gt;</p>"), "Tea & eel &unknown; <b>");
  assert.deepEqual(["eel", "eel pie", "the eel", "steel", "crab"].map((name) => rankName(name, ["eel"], "eel")), [0, 1, 2, 3, null]);
});

test("an excerpt shows the place, also after letters that fold into several", () => {
  const text = `${"ﬁ ".repeat(100)}the İnn's cellar ${"x ".repeat(100)}`;
  assert.match(excerpt(text, ["cellar"]), /^… .*the İnn's cellar .* …$/);
  assert.equal(excerpt("short cellar", ["cellar"]), "short cellar");
});

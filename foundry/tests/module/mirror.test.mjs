import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { mirrorList } from "../../module/scripts/handlers/mirror-list.js";
import { mirrorRestore } from "../../module/scripts/handlers/mirror-restore.js";
import { createWorld } from "../../simulator/index.js";

let world;

beforeEach(() => {
  world = createWorld({
    version: 12,
    docs: {
      folders: [
        { _id: "folderCombat0001", name: "Combat", type: "Macro" },
        { _id: "folderCures00001", name: "Cures / Balms", type: "Macro", folder: "folderCombat0001" },
      ],
      macros: [
        { _id: "macroHeal0000001", name: "Heal", type: "script", command: "return 1;", folder: "folderCures00001" },
        { _id: "macroShout000001", name: "Shout", type: "chat", command: "/ic Ho!" },
      ],
    },
  });
  world.gm.install(globalThis);
});

afterEach(() => world.gm.uninstall());

const record = (more = {}) => ({ uuid: "Macro.macroHeal0000001", name: "Heal", command: "return 2;", type: "script", ...more });

test("every macro is listed with its folders, type and scope", () => {
  const { macros } = mirrorList({});
  assert.deepEqual(
    macros.map(({ name, folderPath, type }) => ({ name, folderPath, type })),
    [
      { name: "Heal", folderPath: "Combat/Cures \u2215 Balms", type: "script" },
      { name: "Shout", folderPath: "", type: "chat" },
    ],
  );
});

test("a name picks its macros whatever the case", () => {
  assert.deepEqual(mirrorList({ name: "heAL" }).macros.map(({ uuid }) => uuid), ["Macro.macroHeal0000001"]);
  assert.deepEqual(mirrorList({ name: "Hea" }).macros, []);
});

test("a restore writes the macro of that uuid and keeps its name", async () => {
  const answer = await mirrorRestore({ record: record({ name: "Old Name", folderPath: "" }) });
  assert.deepEqual(answer, { restored: true, created: false, uuid: "Macro.macroHeal0000001", name: "Heal" });
  const macro = game.macros.get("macroHeal0000001");
  assert.equal(macro.command, "return 2;");
  assert.equal(macro._source.folder, null);
});

test("what was listed goes back into the folder it came from", async () => {
  const [heal] = mirrorList({ name: "Heal" }).macros;
  await game.macros.get("macroHeal0000001").update({ folder: null, command: "changed" });
  await mirrorRestore({ record: heal });
  assert.equal(game.macros.get("macroHeal0000001")._source.folder, "folderCures00001");
  assert.equal(game.folders.size, 2);
});

test("a macro that is gone comes back with its type, in folders made for it", async () => {
  await game.macros.get("macroShout000001").delete();
  const answer = await mirrorRestore({
    record: { uuid: "Macro.macroShout000001", name: "Shout", command: "/ic Ho!", type: "chat", folderPath: "Talk/Loud" },
  });
  assert.equal(answer.created, true);
  const macro = game.macros.getName("Shout");
  assert.equal(macro.type, "chat");
  assert.equal(macro.folder.name, "Loud");
  assert.equal(macro.folder.folder.name, "Talk");
});

test("a macro that was made anew is found by its name", async () => {
  const answer = await mirrorRestore({ record: record({ uuid: "Macro.gone000000000001" }) });
  assert.equal(answer.created, false);
  assert.equal(game.macros.get("macroHeal0000001").command, "return 2;");
});

test("a file of the family leaves the macro's type alone", async () => {
  await mirrorRestore({ record: { uuid: "Macro.macroShout000001", name: "Shout", command: "/ic Hey!" } });
  assert.equal(game.macros.get("macroShout000001").type, "chat");
});

test("several macros of the name are refused with their ids", async () => {
  await getDocumentClass("Macro").create({ name: "Heal", type: "script", command: "" });
  await assert.rejects(mirrorRestore({ record: record({ uuid: "Macro.gone000000000001" }) }), /several are called "Heal".*macroHeal0000001/);
});

test("half a record is refused before anything is written", async () => {
  await assert.rejects(mirrorRestore({ record: { uuid: "Macro.x" } }), /uuid, name and command/);
});

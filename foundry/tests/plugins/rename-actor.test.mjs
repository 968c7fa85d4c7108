import assert from "node:assert/strict";
import { test } from "node:test";
import { Table, idOf, worlds } from "./table.mjs";

const uuid = `Actor.${idOf("Old Pike")}`;

for (const world of worlds("sim-generic", "sim-pf1")) {
  test(`an actor gets another name, and its own back: ${world.system}, ${world.version}`, async () => {
    const table = await Table.open("rename-actor", world);
    const answer = await table.undone({ uuid, name: "Young Pike" });
    assert.equal(answer.uuid, uuid);
    table.close();
  });
}

test("what is no actor is refused", async () => {
  const table = await Table.open("rename-actor");
  const { error } = await table.refused({ uuid: `Item.${idOf("Barge pole")}`, name: "Pole" });
  assert.match(error, /is not an actor's uuid/);
  table.close();
});

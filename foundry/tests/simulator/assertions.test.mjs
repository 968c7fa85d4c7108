import assert from "node:assert/strict";
import { test } from "node:test";
import { assertUndo, canonical, createWorld, diffWorlds, expectNoHook, expectOrder, writesBetween } from "../../simulator/index.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

/** A recorder that is right for one name: what it was, and what it became. */
function nameRecorder(world, uuid) {
  const document = () => world.gm.fromUuidSync(uuid);
  const swap = async (name) => {
    const before = document().name;
    await document().update({ name });
    return before;
  };
  return { record: () => swap("Changed"), rollback: swap, redo: swap };
}

const pikeOf = (world) => world.gm.game.actors.getName("Old Pike");

test("undo that is exact passes, and tells both states", async () => {
  const world = createWorld(sunkenInn());
  const { uuid } = pikeOf(world);
  const { before, after } = await assertUndo(world, nameRecorder(world, uuid));
  assert.deepEqual(diffWorlds(before, after), [{ uuid, kind: "changed", paths: [{ path: "name", a: "Old Pike", b: "Changed" }] }]);
});

test("undo that misses something fails, names it, and passes where it was listed", async () => {
  for (const except of [[], ["pike"]]) {
    const world = createWorld(sunkenInn());
    const pike = pikeOf(world);
    const recorder = nameRecorder(world, pike.uuid);
    const missing = { ...recorder, record: () => recorder.record().finally(() => world.gm.game.items.contents[0].update({ img: "lost.webp" })) };
    const lost = world.gm.game.items.contents[0].uuid;
    const run = assertUndo(world, { ...missing, except: except.length ? [lost] : [] });
    if (except.length) await run;
    else await assert.rejects(run, new RegExp(`rolled back, the world is not as before.*${lost}`));
  }
});

test("a redo that does nothing fails", async () => {
  const world = createWorld(sunkenInn());
  const recorder = nameRecorder(world, pikeOf(world).uuid);
  await assert.rejects(assertUndo(world, { ...recorder, redo: async () => "Old Pike" }), /redone, the world is not as after/);
});

test("traces: order, absence and writes are told apart", async () => {
  const world = createWorld(sunkenInn());
  const from = world.log.mark;
  await pikeOf(world).update({ name: "X" });
  const to = world.log.mark;
  await world.gm.game.actors.getName("X").update({ name: "Y" });
  assert.equal(writesBetween(world.log, from, to).length, 1);
  assert.throws(() => expectOrder(world.log, ["updateActor", "preUpdateActor", "preUpdateActor"], from), /expected/);
  assert.throws(() => expectNoHook(world.log, "updateActor", from), /was called 2 times/);
});

test("canonical ignores times and the order of children, and nothing else", async () => {
  const world = createWorld(sunkenInn());
  const before = canonical(world);
  await world.clock.advance(5000);
  const pike = pikeOf(world);
  const data = pike.items.contents[0].toObject();
  await pike.items.contents[0].delete();
  assert.equal(diffWorlds(before, world).length, 1);
  await pike.createEmbeddedDocuments("Item", [data], { keepId: true });
  assert.deepEqual(diffWorlds(before, world), []);
});

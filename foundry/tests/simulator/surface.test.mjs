import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld, divergence } from "../../simulator/index.js";
import { keptLines, surfaceLines } from "../../simulator/conformance/surface.js";
import { useEverything } from "./surface-use.mjs";

test("the file that the community types check names what the simulator has", () => {
  assert.deepEqual(keptLines(), surfaceLines(), "run node simulator/conformance/surface.js");
});

for (const version of [12, 13, 14]) {
  test(`the calls that the community types check run on the simulator (${version})`, async () => {
    const world = createWorld({ version });
    world.gm.install(globalThis);
    try {
      assert.deepEqual(await useEverything(), [
        "hook Surface true object true", "string", '{"a.b":1}', '{"a":2}', '{"a":1,"b":2}', "true", "16", "Actor", "true", "true", "Actor", "true", "1", "x", "SURFACE.None", "true", "closed",
      ]);
    } finally {
      world.gm.uninstall();
    }
    assert.deepEqual(divergence(world.gm), []);
    assert.deepEqual(world.gm.deprecations, []);
  });
}

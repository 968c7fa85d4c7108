import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonical, createWorld, diffWorlds } from "../../simulator/index.js";
import { SCENARIOS, answersOf, appliesTo, differences } from "../../simulator/conformance/scenarios.js";
import { PROBE_FILE, buildProbe } from "../../simulator/conformance/build.js";
import { compare } from "../../simulator/conformance/compare.js";
import { environmentOf } from "../../simulator/conformance/environment.js";
import { runScenario } from "../../simulator/conformance/interpreter.js";
import { sunkenInn } from "../../simulator/worlds/sunken-inn.js";

const FACTS_WITH_TWO_ANSWERS = ["emitDeltaHooks", "keepEmbeddedIds", "folderContents", "staleDeltaUpdate"];

for (const version of [12, 13, 14]) {
  for (const scenario of SCENARIOS.filter((one) => appliesTo(one, version))) {
    test(`${scenario.id} (FF ${scenario.fact}, ${scenario.mark}, ${version})`, async () => {
      for (const answer of answersOf(scenario)) {
        const world = createWorld({ ...sunkenInn(), version, facts: answer.facts, faults: answer.faults });
        const before = canonical(world);
        const outcome = await runScenario(environmentOf(world.gm), scenario);
        assert.deepEqual(differences(outcome, answer), []);
        assert.deepEqual(diffWorlds(before, canonical(world)), [], "it cleans up after itself");
      }
    });
  }
}

test("every switchable fact has a scenario that tells its answers apart", () => {
  for (const fact of FACTS_WITH_TWO_ANSWERS) {
    const asking = SCENARIOS.filter((scenario) => answersOf(scenario).some(({ facts = {} }) => fact in facts));
    assert.ok(asking.length, fact);
    for (const scenario of asking) {
      const [first, second] = answersOf(scenario).map(({ trace, values }) => JSON.stringify({ trace, values }));
      assert.notEqual(first, second, scenario.id);
    }
  }
});

test("ids are unique and every scenario names its fact", () => {
  assert.equal(new Set(SCENARIOS.map(({ id }) => id)).size, SCENARIOS.length);
  for (const { fact, mark } of SCENARIOS) assert.match(`${fact} ${mark}`, /^[\d., ]+ [VCDI]$/);
});

test("the probe macro runs as a macro, and its report confirms the simulator", async (t) => {
  assert.equal(readFileSync(PROBE_FILE, "utf8"), buildProbe(), "run build.js: the kept macro is older than its parts");
  for (const version of [12, 13, 14]) {
    const world = createWorld({ ...sunkenInn({ system: "sim-pf1" }), system: "sim-pf1", version, modules: ["sim-item-piles"] });
    const { gm } = world;
    gm.install(globalThis, { timers: true });
    t.after(() => gm.uninstall());
    t.mock.method(console, "log", () => {});
    const before = canonical(world, { ignore: ["Setting"] });
    const macro = await gm.classOf("Macro").create({ name: "Probe", type: "script", command: buildProbe() });
    const running = macro.execute();
    await gm.ui.answer({ title: "AAGM probe", button: "yes" });
    await world.clock.settle(running);
    const report = JSON.parse(gm.files.at(-1).data);
    gm.uninstall();
    await macro.delete();
    t.mock.restoreAll();
    const { confirmed, divergent, missing } = compare(report);
    assert.deepEqual([divergent, missing], [[], []]);
    assert.equal(confirmed.length, report.outcomes.length);
    for (const [name, answer] of Object.entries(report.probes)) assert.equal(answer.failed, undefined, `${name}: ${answer.failed}`);
    assert.deepEqual(report.probes.hitPoints.fields.npc.hp, ["base", "nonlethal", "offset", "temp"]);
    assert.deepEqual(report.probes.lockedPack, { outcome: "rejected", heard: ["preCreateActor"] });
    assert.equal(report.probes.itemPiles.unlinked, true);
    assert.deepEqual(diffWorlds(before, canonical(world, { ignore: ["Setting"] })), []);
  }
});

test("a report that diverges is told", async () => {
  const outcome = { id: "no-op-update", trace: ["preUpdateActor actor", "updateActor actor"], values: { updated: "document" } };
  const { divergent, missing } = compare({ generation: 12, outcomes: [outcome] });
  assert.equal(divergent[0].id, "no-op-update");
  assert.equal(divergent[0].differences.length, 2);
  assert.ok(missing.length > 20);
});

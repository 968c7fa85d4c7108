import assert from "node:assert/strict";
import { test } from "node:test";
import { CASES, REFUSALS } from "./damage-cases.mjs";
import { canonical, diffWorlds } from "../../simulator/index.js";
import { Bench, failures } from "./bench.mjs";

const VERSIONS = [12, 13, 14];

function inn({ system, actors, tokens = [], variants, modules = [], users }, version = 12) {
  const docs = { actors, scenes: [{ _id: "taproom000000000", name: "Taproom", active: true, tokens }] };
  if (variants) docs.Setting = [{ key: "pf1.healthConfig", value: JSON.stringify({ variants: { pc: { useWoundsAndVigor: true }, npc: { useWoundsAndVigor: false } } }) }];
  return new Bench({ version, system, docs, modules, ...(users && { users }) });
}

/** Deal damage as the relay has it dealt: recorded; the answer and the point. */
async function deal(bench, params) {
  const id = bench.newId();
  const answer = await bench.call("damage", { commit: true, ...params, rp: { id } });
  return { answer, point: bench.relay.point(id) };
}

const short = ({ before, temp, after, tempAfter, state }) => [before, temp, after, tempAfter, state];
const at = (source, path) => path.split(".").reduce((value, key) => value?.[key], source);

for (const each of CASES) {
  for (const version of VERSIONS) {
    test(`${each.title} (${version})`, async () => {
      const bench = inn(each, version);
      try {
        await checkCase(bench, each);
      } finally {
        bench.dispose();
      }
    });
  }
}

async function checkCase(bench, { targets, amount, rows, more = {}, names, uuids, stored = {}, writesNothing }) {
  const before = canonical(bench.world);
  const plan = await bench.call("damage", { targets, amount, commit: false });
  assert.deepEqual(plan.preview.map(short), rows);
  assert.equal(plan.committed, false);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), [], "the plan wrote something");

  const { answer, point } = await deal(bench, { targets, amount });
  const lethal = rows.map((row) => row[4] === "dead" || row[4] === "destroyed");
  assert.deepEqual(answer.applied.map(short), rows);
  assert.deepEqual(answer.applied.map((row) => row.lethal), lethal);
  assert.deepEqual([answer.committed, answer.amount, answer.lethal, plan.lethal], [true, amount, lethal.includes(true), lethal.includes(true)]);
  assert.deepEqual(answer.applied.map((row) => row.hp), rows.map((row) => row[2]));
  if (names) assert.deepEqual(answer.applied.map(({ name }) => name), names);
  if (uuids) assert.deepEqual(answer.applied.map(({ uuid }) => uuid), uuids);
  for (const [index, members] of Object.entries(more)) {
    for (const [key, value] of Object.entries(members)) assert.deepEqual(answer.applied[index][key], value);
  }
  const after = canonical(bench.world);
  for (const [uuid, paths] of Object.entries(stored)) {
    for (const [path, value] of Object.entries(paths)) assert.deepEqual(at(after[uuid], path), value, `${uuid} ${path}`);
  }
  if (writesNothing) assert.deepEqual(point.entries, []);

  const redo = await bench.undo(point);
  assert.deepEqual(failures(redo), []);
  assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  const again = await bench.undo(redo);
  assert.deepEqual(failures(again), []);
  assert.deepEqual(diffWorlds(after, canonical(bench.world)), []);
}

for (const each of REFUSALS) {
  test(`refused whole: ${each.title}`, async () => {
    const bench = inn(each);
    try {
      const before = canonical(bench.world);
      const { answer, point } = await deal(bench, { targets: each.targets, amount: 3 });
      assert.match(answer.error, each.says);
      assert.match(answer.fix, each.candidates.length > 0 ? /candidates/ : /foundry_search|number/);
      assert.deepEqual(answer.candidates.map(({ uuid }) => uuid).sort(), each.candidates.toSorted ? each.candidates.toSorted() : [...each.candidates].sort());
      assert.ok(answer.candidates.every(({ name, id }) => typeof name === "string" && id.length === 16));
      assert.deepEqual(point.entries, []);
      assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
    } finally {
      bench.dispose();
    }
  });
}

const RESOURCE = { resource: { value: 7, max: 10 } };
const GUESTS = ["Brunna", "Ottar"].map((name) => ({ _id: name.padEnd(16, "0"), name, type: "npc", system: RESOURCE }));

async function within(options, run, version) {
  const bench = inn({ system: "sim-generic", actors: GUESTS, ...options }, version);
  try {
    await run(bench);
  } finally {
    bench.dispose();
  }
}

for (const amount of [0, -5, 2.5, "4", null, NaN]) {
  test(`an amount of ${JSON.stringify(amount)} is refused with how to heal`, () =>
    within({}, async (bench) => {
      await assert.rejects(bench.call("damage", { targets: ["Brunna"], amount, commit: true, rp: { id: "rp-000001" } }), { code: -32602, message: /to heal, .*foundry_rollback.*foundry_eval/ });
      assert.equal(game.actors.getName("Brunna").system.resource.value, 7);
    }));
}

for (const targets of [[], undefined, "Brunna", [5]]) {
  test(`targets of ${JSON.stringify(targets)} are refused`, () =>
    within({}, async (bench) => {
      await assert.rejects(bench.call("damage", { targets, amount: 1 }), { code: -32602 });
    }));
}

test("a target that another module keeps from being written stops no other", () =>
  within({ modules: ["hostile-veto"] }, async (bench) => {
    bench.world.module("hostile-veto").refuses.add("Brunna");
    const { answer, point } = await deal(bench, { targets: ["Brunna", "Ottar"], amount: 2 });
    assert.deepEqual(answer.applied.map(({ name, after }) => [name, after]), [["Ottar", 5]]);
    assert.deepEqual(answer.failed.map(({ name }) => name), ["Brunna"]);
    assert.match(answer.failed[0].error, /let nothing be written/);
    assert.deepEqual(point.entries.map(({ name }) => name), ["Ottar"]);
  }));

test("when nobody could be written it is an error", () =>
  within({ modules: ["hostile-veto"] }, async (bench) => {
    bench.world.module("hostile-veto").refuses.add("Brunna");
    await assert.rejects(deal(bench, { targets: ["Brunna"], amount: 2 }), { code: -33002, message: /nothing was written: Brunna/ });
  }));

test("a refusal by the server names its reason, and the others are written", () =>
  within({}, async (bench) => {
    bench.world.faults.add({ fault: "rejectAfterPre", match: { documentName: "Actor" }, times: 1, reason: "the lake is closed" });
    const { answer } = await deal(bench, { targets: ["Brunna", "Ottar"], amount: 2 });
    assert.deepEqual(answer.failed, [{ name: "Brunna", uuid: "Actor.Brunna0000000000", error: "the lake is closed" }]);
    assert.deepEqual(answer.applied.map(({ name, after }) => [name, after]), [["Ottar", 5]]);
  }));

test("what another module makes of the blow is what the row says, and death comes from that", () =>
  within({}, async (bench) => {
    bench.gm.Hooks.on("preUpdateActor", (_actor, changes) => {
      changes.system.resource.value = 0;
    });
    const { answer } = await deal(bench, { targets: ["Brunna"], amount: 2 });
    const [row] = answer.applied;
    assert.deepEqual([row.before, row.after, row.lethal, row.state, answer.lethal], [7, 0, true, "dead", true]);
    assert.match(row.note, /changed what was written/);
  }));

test("hit points are read again at the commit, whatever was planned", () =>
  within({}, async (bench) => {
    const plan = await bench.call("damage", { targets: ["Brunna"], amount: 6 });
    assert.deepEqual([plan.preview[0].after, plan.lethal], [1, false]);
    await bench.settle(game.actors.getName("Brunna").update({ "system.resource.value": 5 }));
    const { answer } = await deal(bench, { targets: ["Brunna"], amount: 6 });
    assert.deepEqual([answer.applied[0].before, answer.applied[0].after, answer.lethal], [5, 0, true]);
  }));

test("the dialog that Shift opens in the system's own damage is never reached", () => {
  const ottar = { _id: "Ottar00000000000", name: "Ottar", type: "character", system: { abilities: { con: { value: 12 } }, attributes: { hp: { base: 20 } } } };
  return within({ system: "sim-pf1", actors: [ottar] }, async (bench) => {
    bench.gm.shiftHeld = true;
    const { answer } = await deal(bench, { targets: ["Ottar"], amount: 5 });
    assert.equal(answer.applied[0].after, 15);
  });
});

test("conditions that another module adds after the blow go with the undo", () =>
  within({ modules: ["hostile-auto-conditions"], system: "sim-5e", actors: [{ _id: "Rat0000000000000", name: "Rat", type: "npc", system: { attributes: { hp: { value: 4, max: 4 } } } }] }, async (bench) => {
    const before = canonical(bench.world);
    const { answer, point } = await deal(bench, { targets: ["Rat"], amount: 9 });
    assert.equal(answer.lethal, true);
    assert.ok(game.actors.getName("Rat").effects.size > 0, "the module added nothing: this test proves nothing");
    await bench.undo(point);
    assert.deepEqual(diffWorlds(before, canonical(bench.world)), []);
  }));

test("a compendium's actor is hurt where it lies, and the row says so", async () => {
  const pack = { id: "world.beasts", label: "Beasts", type: "Actor", documents: [{ _id: "heron00000000000", name: "Heron", type: "npc", system: RESOURCE }] };
  const bench = new Bench({ system: "sim-generic", packs: [pack] });
  try {
    const { answer, point } = await deal(bench, { targets: ["Compendium.world.beasts.Actor.heron00000000000"], amount: 2 });
    assert.deepEqual([answer.applied[0].after, answer.applied[0].note], [5, "in the compendium world.beasts, not in the world"]);
    assert.equal(point.entries[0].pack, "world.beasts");
  } finally {
    bench.dispose();
  }
});

test("a system that names no bar is refused with that reason", () =>
  within({ system: { id: "bare", title: "Bare", version: "1", types: { Actor: ["npc"], Item: [] } } }, async (bench) => {
    const { answer } = await deal(bench, { targets: ["Brunna"], amount: 2 });
    assert.match(answer.error, /primary token attribute is missing/);
  }));

test("a bar that is a plain number is lowered as one", () =>
  within({ system: { id: "plain", title: "Plain", version: "1", primaryTokenAttribute: "stamina", types: { Actor: ["npc"], Item: [] } }, actors: [{ name: "Brunna", type: "npc", system: { stamina: 5 } }] }, async (bench) => {
    const { answer } = await deal(bench, { targets: ["Brunna"], amount: 2 });
    assert.deepEqual([answer.applied[0].before, answer.applied[0].after, game.actors.contents[0]._source.system.stamina], [5, 3, 3]);
  }));

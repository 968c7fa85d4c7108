import assert from "node:assert/strict";
import test from "node:test";

import { UndoFlow } from "../../module/scripts/ui/undo-flow.js";

const CLEAR = { dryRun: true, alsoUndoes: [], bringsBack: [], conflicts: [] };
const DONE = { rolledBack: [{ id: "rp-1", summary: "", state: "rolled-back", failed: 0, documents: [] }], redoPoint: "rp-2" };
const CONFLICT = { uuid: "Actor.a", name: "Ottar", path: "system.hp", kind: "changed" };

/** A flow whose relay gives the listed answers in turn. */
function setUp(...answers) {
  const asked = [];
  const seen = [];
  const ask = async (request) => {
    asked.push(request);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const flow = new UndoFlow({ pointId: "rp-1", ask, changed: () => seen.push(flow.state.kind) });
  return { flow, asked, seen };
}

test("with nothing in the way one press does it", async () => {
  const { flow, asked, seen } = setUp(CLEAR, DONE);
  await flow.begin("rollback");
  assert.deepEqual(asked, [{ pointId: "rp-1", action: "check" }, { pointId: "rp-1", action: "rollback" }]);
  assert.deepEqual(seen, ["looking", "running", "done"]);
});

for (const [why, preview] of [
  ["later changes would go too", { ...CLEAR, alsoUndoes: [{ id: "rp-5", summary: "" }] }],
  ["something would come back", { ...CLEAR, bringsBack: [{ id: "rp-5", summary: "" }] }],
  ["somebody changed the same", { ...CLEAR, conflicts: [CONFLICT] }],
  ["the tab cannot check", { ...CLEAR, conflicts: "not checked" }],
  ["the GM's own hand is left alone", { ...CLEAR, leftAlone: [{ uuid: "x", says: "" }] }],
]) {
  test(`the GM is asked first when ${why}`, async () => {
    const { flow, asked } = setUp(preview, DONE);
    await flow.begin("rollback");
    assert.equal(flow.state.kind, "asking");
    assert.equal(asked.length, 1);
    flow.cancel();
    assert.equal(flow.state.kind, "kept");
    await flow.confirm({ force: true });
    assert.equal(asked.length, 1);
  });
}

test("overwriting, one alone and one's own doing are asked for as chosen", async () => {
  const { flow, asked } = setUp({ ...CLEAR, conflicts: [CONFLICT] }, DONE);
  await flow.begin("rollback");
  await flow.confirm({ force: true, only: false, own: true });
  assert.deepEqual(asked[1], { pointId: "rp-1", action: "rollback", force: true, own: true });
});

test("keeping theirs takes back the rest, and says what was left", async () => {
  const left = { says: "Actor Ottar: left as it is, since somebody changed it", ok: false };
  const documents = [{ says: "Actor Mirelle put back", ok: true }, left];
  const part = { rolledBack: [{ id: "rp-1", summary: "", state: "partial", failed: 1, documents }], redoPoint: "rp-2" };
  const { flow, asked } = setUp({ ...CLEAR, conflicts: [CONFLICT] }, part);
  await flow.begin("rollback");
  await flow.confirm({ keep: true, own: false });
  assert.deepEqual(asked[1], { pointId: "rp-1", action: "rollback", keep: true });
  assert.deepEqual(flow.state, { kind: "done", done: part });
});

test("keeping theirs where all is theirs leaves it as it is", async () => {
  const documents = [{ says: "Actor Ottar: left as it is, since somebody changed it", ok: false }];
  const row = { id: "rp-1", summary: "", state: "live", failed: 3, documents, moreDocuments: 2 };
  const { flow } = setUp({ ...CLEAR, conflicts: [CONFLICT] }, { rolledBack: [row], redoPoint: null });
  await flow.begin("rollback");
  await flow.confirm({ keep: true });
  assert.deepEqual(flow.state, { kind: "kept" });
});

test("a failure while theirs is kept is no choice of the GM's, and is told", async () => {
  const row = { id: "rp-1", summary: "", state: "live", failed: 1, documents: [{ says: "", ok: false }], error: "the tab left" };
  const { flow } = setUp({ ...CLEAR, conflicts: [CONFLICT] }, { rolledBack: [row], redoPoint: null });
  await flow.begin("rollback");
  await flow.confirm({ keep: true });
  assert.equal(flow.state.kind, "done");
});

test("a conflict that came up meanwhile is asked about", async () => {
  const { flow } = setUp(CLEAR, { refused: true, reason: "conflict", ...CLEAR, conflicts: [CONFLICT] }, DONE);
  await flow.begin("rollback");
  assert.deepEqual(flow.state, { kind: "asking", preview: { refused: true, reason: "conflict", ...CLEAR, conflicts: [CONFLICT] } });
  await flow.confirm({ force: true });
  assert.equal(flow.state.kind, "done");
});

test("a redo does not ask about what it brings back", async () => {
  const { flow, asked } = setUp({ ...CLEAR, bringsBack: [{ id: "rp-0", summary: "" }] }, DONE);
  await flow.begin("redo");
  assert.deepEqual(asked[1], { pointId: "rp-1", action: "redo" });
});

test("a refusal and a broken connection are told, and it can be tried again", async () => {
  const refused = { refused: true, reason: "rp-1 is still running", fix: "Wait." };
  const { flow, seen } = setUp(refused, Object.assign(new Error("the relay is not connected"), { data: { fix: "Start it." } }), CLEAR, DONE);
  await flow.begin("rollback");
  assert.deepEqual(flow.state, { kind: "refused", reason: "rp-1 is still running", fix: "Wait." });
  await flow.begin("rollback");
  assert.deepEqual(flow.state, { kind: "failed", message: "the relay is not connected Start it." });
  await flow.begin("rollback");
  assert.equal(seen.at(-1), "done");
});

test("a second press while the first is under way does nothing", async () => {
  const { flow, asked } = setUp(CLEAR, DONE);
  await Promise.all([flow.begin("rollback"), flow.begin("rollback")]);
  assert.equal(asked.length, 2);
});

import assert from "node:assert/strict";
import test from "node:test";

import { FRAME_BYTES, FRAME_ENTRIES } from "../../module/scripts/wire.js";
import { EntryStream, partsOf } from "../../module/scripts/recorder/stream.js";
import { RelayEnd } from "./bench.mjs";

/** A stream whose frames leave when the test says so, and the relay's end of it. */
function connected() {
  const waiting = [];
  const stream = new EntryStream((flush) => waiting.push(flush));
  const relay = new RelayEnd();
  stream.attach(relay);
  const flushed = () => waiting.splice(0).forEach((flush) => flush());
  return { stream, relay, flushed };
}

const ID = "rp-00000a";

test("the first entry of a turn leaves at once, the others of that turn together", () => {
  const { stream, relay, flushed } = connected();
  stream.open(ID);
  for (let i = 0; i < 3; i++) stream.push(ID, { op: "update", n: i });
  assert.deepEqual(relay.frames.map(({ entries }) => entries.map(({ seq }) => seq)), [[1]]);
  flushed();
  assert.deepEqual(relay.frames.map(({ entries }) => entries.map(({ seq }) => seq)), [[1], [2, 3]]);
  stream.close(ID);
  stream.open(ID);
  assert.equal(stream.push(ID, { op: "update" }).seq, 4);
});

test("the first intent of a turn leaves at once behind confirmations, too", () => {
  const { stream, relay, flushed } = connected();
  stream.open(ID);
  stream.push(ID, { op: "update" });
  flushed();
  for (const entry of [{ confirms: 1 }, { confirms: 1 }, { op: "update" }, { op: "update" }]) stream.push(ID, entry);
  assert.deepEqual(relay.frames.map(({ entries }) => entries.map(({ seq }) => seq)), [[1], [2], [3, 4]]);
  flushed();
  assert.deepEqual(relay.frames.at(-1).entries.map(({ seq }) => seq), [5]);
});

test("a point another tab began goes on where the relay left it", () => {
  const { stream } = connected();
  stream.open(ID, 17);
  assert.equal(stream.push(ID, { op: "update" }).seq, 18);
});

test("a frame holds no more entries and no more bytes than agreed", () => {
  const { stream, relay, flushed } = connected();
  stream.open(ID);
  for (let i = 0; i < FRAME_ENTRIES * 2 + 1; i++) stream.push(ID, { op: "update" });
  flushed();
  assert.deepEqual(relay.frames.map(({ entries }) => entries.length), [1, FRAME_ENTRIES, FRAME_ENTRIES]);
  relay.frames.length = 0;
  for (let i = 0; i < 4; i++) stream.push(ID, { op: "update", text: "x".repeat(FRAME_BYTES / 2 - 100) });
  flushed();
  assert.deepEqual(relay.frames.map(({ entries }) => entries.length), [1, 2, 1]);
});

test("an entry bigger than a frame comes in parts that make the same entry again", () => {
  const { stream, relay, flushed } = connected();
  stream.open(ID);
  const text = "ü😀".repeat(900_000);
  stream.push(ID, { op: "update", text });
  stream.push(ID, { op: "update", text: "small" });
  flushed();
  assert.ok(relay.frames.length > 2);
  assert.ok(relay.frames.slice(0, -1).every(({ entries }) => entries.length === 1));
  assert.equal(relay.raw.get(ID).get(1).text, text);
  assert.equal(relay.raw.get(ID).get(2).text, "small");
});

test("no part ends inside a surrogate pair", () => {
  const json = `"${"a".repeat(524_286)}😀b"`;
  const parts = partsOf(1, json).map((part) => JSON.parse(part));
  assert.equal(parts.map((part) => part.json).join(""), json);
  for (const { json: piece } of parts) assert.equal(piece.isWellFormed?.() ?? !/[\ud800-\udbff]$/.test(piece), true);
});

test("what is acknowledged is forgotten, what is not is sent again after a reconnect", () => {
  const { stream, flushed } = connected();
  stream.open(ID);
  for (let i = 0; i < 5; i++) stream.push(ID, { op: "update", n: i });
  flushed();
  stream.acknowledged({ pointId: ID, seq: 3 });
  stream.detach();
  stream.push(ID, { op: "update", n: 5 });
  assert.deepEqual(stream.recordings, [{ pointId: ID, lastSeq: 6, running: true }]);
  const again = new RelayEnd();
  stream.attach(again);
  assert.deepEqual([...again.raw.get(ID).keys()], [4, 5, 6]);
});

test("the end is said again until it is acknowledged as such", () => {
  const { stream, relay, flushed } = connected();
  stream.open(ID);
  stream.push(ID, { op: "update" });
  stream.close(ID, { failed: "no ale" });
  flushed();
  assert.deepEqual(relay.notifications, [{ method: "rollback.closed", params: { pointId: ID, lastSeq: 1, failed: "no ale" } }]);
  stream.acknowledged({ pointId: ID, seq: 1 });
  const again = new RelayEnd();
  stream.attach(again);
  assert.equal(again.notifications.length, 1);
  stream.acknowledged({ pointId: ID, seq: 1, closed: true });
  assert.deepEqual(stream.recordings, []);
  const third = new RelayEnd();
  stream.attach(third);
  assert.equal(third.notifications.length, 0);
});

test("an acknowledgement of a point nobody knows does no harm", () => {
  const { stream } = connected();
  stream.acknowledged({ pointId: "rp-ffffff", seq: 9, closed: true });
  assert.deepEqual(stream.recordings, []);
});

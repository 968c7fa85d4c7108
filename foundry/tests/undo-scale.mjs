/**
 * One recording of many walls, measured.
 *
 * node tests/undo-scale.mjs --walls 5000
 * Prints one JSON line: milliseconds to write without a recorder, to write recorded, to send, to store and to undo,
 * and bytes on the wire and on disk; what the idle recorder costs, in percent of an update.
 */

import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { canonical, diffWorlds } from "../simulator/index.js";
import { Bench, failures } from "./module/bench.mjs";
import { idleCost, wallWorld } from "./module/scale.mjs";

const { values } = parseArgs({ options: { walls: { type: "string", default: "5000" }, profile: { type: "string", default: "12" } } });
const walls = Number(values.walls);
const version = Number(values.profile);

const plain = new Bench({ ...wallWorld(walls), version });
const write = await timed(() => plain.settle(moveWalls(plain)));
plain.dispose();

const bench = new Bench({ ...wallWorld(walls), version, streaming: true });
const before = canonical(bench.world);
const send = { ms: 0, bytes: 0, frames: 0 };
const { flush } = bench.stream;
bench.stream.flush = function measured() {
  const start = performance.now();
  flush.call(this);
  send.ms += performance.now() - start;
};
let point;
const record = await timed(async () => {
  point = await bench.record(() => moveWalls(bench));
});
for (const { size } of bench.relay.frames) Object.assign(send, { bytes: send.bytes + size, frames: send.frames + 1 });
const stored = store(point.entries);
let redo;
const undo = await timed(async () => {
  redo = await bench.undo(point);
});
const wrong = failures(redo).length + diffWorlds(before, canonical(bench.world)).length;
bench.dispose();

const line = {
  walls, entries: point.entries.length, wrong, writeMs: round(write), recordMs: round(record), sendMs: round(send.ms), storeMs: round(stored.ms),
  undoMs: round(undo), wireBytes: send.bytes, frames: send.frames, pointBytes: stored.bytes, idlePercent: round((await idleCost(version)) * 100),
};
process.stdout.write(`${JSON.stringify(line)}\n`);
process.exitCode = wrong === 0 ? 0 : 1;

function moveWalls({ gm }) {
  const scene = gm.game.scenes.contents[0];
  return scene.updateEmbeddedDocuments("Wall", scene.walls.map((wall) => ({ _id: wall.id, c: wall._source.c.map((n) => n + 10), door: 1 })));
}

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** One entry a line, flushed to the disk, as the relay keeps a point. */
function store(entries) {
  const folder = mkdtempSync(join(tmpdir(), "undo-scale-"));
  const path = join(folder, "point.json");
  const start = performance.now();
  const file = openSync(path, "w");
  writeSync(file, `[\n${entries.map((entry) => JSON.stringify(entry)).join(",\n")}\n]\n`);
  fsyncSync(file);
  closeSync(file);
  const ms = performance.now() - start;
  const bytes = statSync(path).size;
  rmSync(folder, { recursive: true });
  return { ms, bytes };
}

function round(ms) {
  return Math.round(ms * 10) / 10;
}

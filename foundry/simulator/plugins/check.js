/**
 * One plug-in in the sample world, with the module's own recorder: what `aagm plugin check` drives.
 *
 * Commands are JSON lines on stdin, each answered by one JSON line: `{"ok":true, "value"}` or `{"ok":false, "error"}`.
 */
import { createInterface } from "node:readline";
import process from "node:process";
import { sunkenInn } from "../worlds/sunken-inn.js";
import { PluginBench } from "./bench.js";

const AsyncFunction = (async () => {}).constructor;
let bench = null;
let last = null;
let before = null;

const COMMANDS = {
  /** Open a fresh world; with `select` the GM has a token selected. */
  open: ({ version, system, select }) => {
    bench?.dispose();
    bench = new PluginBench({ ...sunkenInn({ system }), version, system });
    if (select) bench.client.canvas.tokens.placeables[0].control();
  },
  /** Make the macro, or have the one there is called or written otherwise. */
  macro: ({ name, command }) => bench.settle(bench.writeMacro(name, command)),
  /** Run code of the author's before anything is tried. */
  setup: async ({ code }) => {
    await bench.settle(new AsyncFunction(code)());
    await bench.quiet();
  },
  /** Call a method of the module, recorded; what it gave, and what it touched. */
  run: async ({ method, params }) => {
    before = bench.documents();
    last = await bench.record(method, params);
    return last;
  },
  /** Take the last run back; where the world is not as it was. */
  undo: async () => {
    const failed = await bench.undo(last);
    return { failed, differ: bench.differences(before) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { cmd, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { ok: true, value: (await COMMANDS[cmd](given)) ?? null };
  } catch (error) {
    answer = { ok: false, error: error?.message ?? String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

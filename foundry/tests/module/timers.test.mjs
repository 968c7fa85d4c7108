import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { makeTimers } from "../../module/scripts/timers.js";

const { Worker: real } = globalThis;

afterEach(() => {
  globalThis.Worker = real;
});

/** A page's Worker, made and then not loaded; it rings nothing. */
class RefusedWorker {
  static made = [];
  posted = [];

  constructor() {
    RefusedWorker.made.push(this);
  }

  postMessage(message) {
    this.posted.push(message);
  }
}

test("where a policy forbids the worker after it was made, timers ring all the same", async () => {
  globalThis.Worker = RefusedWorker;
  const timers = makeTimers();
  const rung = [];
  const before = new Promise((resolve) => timers.after(1, () => resolve(rung.push("before"))));
  const cancel = timers.after(1, () => rung.push("cancelled"));
  RefusedWorker.made.at(-1).onerror({});
  cancel();
  timers.after(0, () => rung.push("cancelled"))();
  await before;
  await new Promise((resolve) => timers.after(2, () => resolve(rung.push("after"))));
  assert.deepEqual(rung, ["before", "after"]);
});

test("a worker's timer rings once, and not when it was cancelled", () => {
  globalThis.Worker = RefusedWorker;
  const timers = makeTimers();
  const worker = RefusedWorker.made.at(-1);
  const rung = [];
  timers.after(5, () => rung.push("one"));
  timers.after(7, () => rung.push("two"))();
  for (const data of [1, 1, 2]) worker.onmessage({ data });
  assert.deepEqual(rung, ["one"]);
  assert.deepEqual(worker.posted, [{ id: 1, ms: 5 }, { id: 2, ms: 7 }, { id: 2, ms: null }]);
});

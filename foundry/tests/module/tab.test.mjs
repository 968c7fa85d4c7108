/** The end-to-end tests' tab in Node ends as a browser's does. */

import assert from "node:assert/strict";
import test from "node:test";
import WebSocket from "ws";

import { Tab } from "../harness/tab.mjs";

test("an answer that comes after the page's end runs nothing of the page", async (t) => {
  let answer = () => {};
  t.mock.method(globalThis, "fetch", () => new Promise((resolve) => (answer = resolve)));
  const page = {};
  const tab = new Tab(WebSocket, "http://localhost:30000");
  tab.install(page);
  const came = [];
  const ask = () => void page.fetch("/").then((said) => came.push(said));
  const turn = () => new Promise(setImmediate);

  ask();
  answer("in time");
  await turn();
  ask();
  tab.close();
  answer("late");
  await turn();
  assert.deepEqual(came, ["in time"]);
});

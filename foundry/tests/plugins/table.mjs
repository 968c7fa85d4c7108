/** A plug-in of the shipped ones in a simulated world: called as the relay calls it, taken back, done again. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PluginBench } from "../../simulator/plugins/bench.js";
import { idOf, sunkenInn } from "../../simulator/worlds/sunken-inn.js";

export { idOf };

const NAMES = {
  "rename-actor": "Rename Actor",
  "claude-item-forge": "Claude Item Forge",
  "claude-foe-forge": "Claude Foe Forge",
  "claude-link-reforge": "Claude Link ReForge",
  "claude-total-actor-backup": "Claude Total Actor Backup",
};

/** Every version with every system given. */
export function worlds(...systems) {
  return [12, 13, 14].flatMap((version) => systems.map((system) => ({ version, system })));
}

/** A world with one plug-in in it. */
export class Table {
  #name;

  static async open(file, { version = 13, system = "sim-generic", docs = {}, packs = [] } = {}) {
    const inn = sunkenInn({ system });
    const more = Object.fromEntries(Object.entries(docs).map(([kind, sources]) => [kind, [...(inn.docs[kind] ?? []), ...sources]]));
    const table = new Table();
    table.bench = new PluginBench({ ...inn, version, system, docs: { ...inn.docs, ...more }, packs: [...inn.packs, ...packs] });
    table.#name = NAMES[file];
    const source = readFileSync(new URL(`../../../plugins/${file}.js`, import.meta.url), "utf8");
    await table.bench.settle(table.bench.writeMacro(table.#name, source));
    return table;
  }

  get game() {
    return this.bench.client.game;
  }

  close() {
    this.bench.dispose();
  }

  /** Do something by hand. */
  async hand(work) {
    const value = await this.bench.settle(work(this.game));
    await this.bench.quiet();
    return value;
  }

  /** Call the plug-in; its result, and what it touched. */
  async call(args) {
    const code = `return game.macros.getName(${JSON.stringify(this.#name)}).execute(${JSON.stringify(args)});`;
    const { result, error, ...point } = await this.bench.record("eval", { code });
    assert.equal(error, undefined);
    return { ...result.value, point };
  }

  /** Call it, expect it to work, and prove that it can be taken back, done again, and taken back. */
  async undone(args) {
    const before = this.bench.documents();
    const answer = await this.call(args);
    assert.equal(answer.ok, true, answer.error);
    const after = this.bench.documents();
    const redo = await this.#back(answer.point, before);
    const again = await this.#back(redo, after);
    await this.#back(again, before);
    return answer;
  }

  async #back(point, wanted) {
    const entries = point.entries.filter(({ own }) => !own);
    const { result, error, ...redo } = await this.bench.record("rollback.apply", { pointId: "rp-000000", entries });
    assert.equal(error, undefined);
    assert.deepEqual(result.applied.filter(({ ok }) => !ok), []);
    assert.deepEqual(this.bench.differences(wanted), []);
    return redo;
  }

  /** Call it, expect a refusal that touches nothing; its words. */
  async refused(args) {
    const { ok, error, point, ...more } = await this.call(args);
    assert.equal(ok, false);
    assert.deepEqual(point.entries, []);
    return { error, ...more };
  }
}

/** The document types that a run touched. */
export function types({ point }) {
  return [...new Set(point.entries.map(({ documentName }) => documentName))].sort();
}

/** Run with a clock that goes on by `step` ms each time it is asked. */
export async function withClock({ at = 0, step = 0 }, work) {
  const real = Date.now;
  let now = real() + at;
  Date.now = () => (now += step);
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

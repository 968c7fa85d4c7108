/** What the hazard tests share: a world with everything in it, and the words they are told in. */

import assert from "node:assert/strict";

import { canonical, diffWorlds } from "../../simulator/index.js";
import { Bench, failures } from "../module/bench.mjs";
import { programWorld } from "../programs/world.mjs";

/**
 * A hazard of FOUNDRY_FACTS section 2.
 * @typedef {object} Hazard
 * @property {number} n
 * @property {string} title
 * @property {object[]} variants  Worlds it is tried in; each is options over the usual ones.
 * @property {{ file: string, find: string, put: string }} mutant  The rule taken out of the module's source.
 * @property {(stage: Stage) => Promise<void>} run
 */

/** @type {Hazard[]} */
export const HAZARDS = [];

/** Register a hazard. */
export function hazard(n, title, { variants = [{}], mutant }, run) {
  HAZARDS.push({ n, title, variants, mutant, run });
}

/** One world a hazard is tried in. */
export class Stage {
  constructor(version, options = {}) {
    const { modules = [], facts, faults = [], ...rest } = options;
    this.version = version;
    this.bench = new Bench({ ...programWorld({ profile: version, system: "generic", seed: 7 }), modules, facts, faults, ...rest });
    this.world = this.bench.world;
    this.gm = this.bench.gm;
    this.game = this.gm.game;
  }

  get others() {
    return { gm: this.world.client("Second GM"), player: this.world.client("Ottar's player") };
  }

  actor(name = "Ottar Reed") {
    return this.game.actors.getName(name);
  }

  get scene() {
    return this.game.scenes.getName("Taproom and Cellar");
  }

  token(name = "Rat by the barrel") {
    return this.scene.tokens.getName(name);
  }

  look() {
    return canonical(this.world, { ignore: ["FogExploration"] });
  }

  /** What differs between then and now, as uuids. */
  changed(before) {
    return diffWorlds(before, this.look()).map(({ uuid }) => uuid);
  }

  record(run) {
    return this.bench.record(run);
  }

  undo(point, options) {
    return this.bench.undo(point, options);
  }

  /** Record, take back, do again, take back: every time the world is exactly what it should be. */
  async exactly(run) {
    const before = this.look();
    const point = await this.record(run);
    const after = this.look();
    assert.notDeepEqual(this.changed(before), [], "the work changed nothing");
    const redo = await this.undo(point);
    assert.deepEqual(failures(redo), []);
    assert.deepEqual(diffWorlds(before, this.look()), []);
    const again = await this.undo(redo);
    assert.deepEqual(failures(again), []);
    assert.deepEqual(diffWorlds(after, this.look()), []);
    assert.deepEqual(failures(await this.undo(again)), []);
    assert.deepEqual(diffWorlds(before, this.look()), []);
    return point;
  }

  /** Wait for a promise of any client while time goes on. */
  settle(promise) {
    return this.bench.settle(promise);
  }

  dispose() {
    this.bench.dispose();
  }
}

/** Uuids of a point's entries by op, `update Actor.x`. */
export const told = ({ entries }) => entries.map(({ op, uuid }) => `${op} ${uuid}`);

/** The hooks a test registers on a client, from when it says so. */
export function listen(client, hook, listener) {
  client.Hooks.on(hook, listener);
}

/** The world simulator: a fake Foundry VTT world for tests and for the demo page. */
export { createWorld, World } from "./world.js";
export { SimulatorGap } from "./core/guard.js";
export { VirtualClock, RealClock, turn } from "./core/clock.js";
export { FACTS, VERSIONS } from "./profiles.js";
export { SYSTEMS } from "./systems/index.js";
export { MODULES } from "./modules/index.js";
export { canonical, diffWorlds, divergence } from "./testing/canonical.js";
export { assertUndo, expectNoHook, expectOrder, writesBetween } from "./testing/assertions.js";
export { randomProgram, runProgram, shrink } from "./testing/programs.js";

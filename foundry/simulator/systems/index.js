/** The simulated systems, by name. */
import { dnd5e } from "./dnd5e.js";
import { generic } from "./generic.js";
import { pf1 } from "./pf1.js";
import { pf2e } from "./pf2e.js";

export const SYSTEMS = { "sim-generic": generic, "sim-pf1": pf1, "sim-5e": dnd5e, "sim-pf2e": pf2e };

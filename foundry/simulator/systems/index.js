/** The simulated systems, by name. */
import { generic } from "./generic.js";

export const SYSTEMS = { "sim-generic": generic };

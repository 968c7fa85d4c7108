/** The simulated modules, by name. */
export const MODULES = {};

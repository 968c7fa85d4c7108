/** Preloaded into a child: one rule is taken out of the module's source as it is read. */

import { register } from "node:module";

register("./mutate-hooks.mjs", import.meta.url, { data: JSON.parse(process.env.AAGM_MUTANT) });

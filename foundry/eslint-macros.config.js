import js from "@eslint/js";
import globals from "globals";
import { foundryGlobals } from "./eslint-globals.js";

/** A macro is the body of an async function, which is what Foundry makes of it. */
const asFunction = {
  meta: { name: "macro-body" },
  preprocess: (text) => [`export default async function (scope) {${text}\n}`],
  postprocess: ([messages]) => messages,
};

export default [
  js.configs.recommended,
  {
    processor: asFunction,
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, ...foundryGlobals } },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error" },
  },
];

import js from "@eslint/js";
import globals from "globals";
import { foundryGlobals } from "./eslint-globals.js";

export default [
  { ignores: ["node_modules/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    rules: {
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["module/**/*.js"],
    languageOptions: {
      globals: {
        ...globals.browser,
        ...foundryGlobals,
      },
    },
  },
  {
    files: ["simulator/**/*.js"],
    languageOptions: { globals: { ...globals["shared-node-browser"] } },
  },
  {
    files: ["tests/**/*.{js,mjs}"],
    languageOptions: { globals: { ...globals.node, ...foundryGlobals } },
  },
];

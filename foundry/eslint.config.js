import js from "@eslint/js";
import globals from "globals";

/** The names that Foundry puts on the page. */
const foundryGlobals = {
  CONFIG: "readonly",
  CONST: "readonly",
  ChatMessage: "readonly",
  Hooks: "readonly",
  canvas: "readonly",
  foundry: "readonly",
  fromUuid: "readonly",
  fromUuidSync: "readonly",
  game: "readonly",
  getDocumentClass: "readonly",
  ui: "readonly",
};

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

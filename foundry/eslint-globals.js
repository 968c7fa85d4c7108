/** The names that Foundry puts on the page, for eslint. */
export const foundryGlobals = {
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

/** `CONST` of one generation, as far as documents, users and dialogs need it. */
import { DEFAULT_ROLES, OWNERSHIP, ROLES } from "../data/permissions.js";

const inverse = (object) => Object.fromEntries(Object.entries(object).map(([key, value]) => [value, key]));

/** @param {import("../data/changes.js").Schema} schema */
export function buildConstants(schema) {
  const tables = Object.values(schema.tables);
  const primary = tables.filter((table) => table.primary).map((table) => table.name);
  const embedded = tables.filter((table) => !table.primary || table.name === "Item" || table.name === "ActiveEffect");
  const styles = { OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 };
  const permissions = Object.fromEntries(
    Object.entries(DEFAULT_ROLES).map(([key, role]) => [key, { label: `PERMISSION.${key}`, defaultRole: role, disableGM: false }]),
  );
  const constants = {
    vtt: "Foundry VTT",
    ALL_DOCUMENT_TYPES: tables.map((table) => table.name).sort(),
    PRIMARY_DOCUMENT_TYPES: primary.toSorted ? primary.toSorted() : [...primary].sort(),
    EMBEDDED_DOCUMENT_TYPES: embedded.map((table) => table.name).sort(),
    WORLD_DOCUMENT_TYPES: primary.filter((name) => name !== "Adventure").sort(),
    COMPENDIUM_DOCUMENT_TYPES: tables.filter((table) => table.pack).map((table) => table.name).sort(),
    FOLDER_DOCUMENT_TYPES: [...schema.tables.Folder.types].sort(),
    DOCUMENT_OWNERSHIP_LEVELS: { ...OWNERSHIP },
    USER_ROLES: { ...ROLES },
    USER_ROLE_NAMES: inverse(ROLES),
    USER_PERMISSIONS: permissions,
    CHAT_MESSAGE_STYLES: styles,
    MACRO_TYPES: { SCRIPT: "script", CHAT: "chat" },
    MACRO_SCOPES: ["global", "actors", "actor"],
    KEYBINDING_PRECEDENCE: { PRIORITY: 0, NORMAL: 1, DEFERRED: 2 },
    ACTIVE_EFFECT_MODES: { CUSTOM: 0, MULTIPLY: 1, ADD: 2, DOWNGRADE: 3, UPGRADE: 4, OVERRIDE: 5 },
    TOKEN_DISPOSITIONS: { SECRET: -2, HOSTILE: -1, NEUTRAL: 0, FRIENDLY: 1 },
    TOKEN_DISPLAY_MODES: { NONE: 0, CONTROL: 10, OWNER_HOVER: 20, HOVER: 30, OWNER: 40, ALWAYS: 50 },
    GRID_TYPES: { GRIDLESS: 0, SQUARE: 1, HEXODDR: 2, HEXEVENR: 3, HEXODDQ: 4, HEXEVENQ: 5 },
    DICE_ROLL_MODES: { PUBLIC: "publicroll", PRIVATE: "gmroll", BLIND: "blindroll", SELF: "selfroll" },
    JOURNAL_ENTRY_PAGE_FORMATS: { HTML: 1, MARKDOWN: 2 },
    PLAYLIST_MODES: { DISABLED: -1, SEQUENTIAL: 0, SHUFFLE: 1, SIMULTANEOUS: 2 },
    SETTING_SCOPES: schema.generation >= 13 ? { CLIENT: "client", USER: "user", WORLD: "world" } : undefined,
    DEFAULT_TOKEN: "icons/svg/mystery-man.svg",
    BASE_DOCUMENT_TYPE: "base",
  };
  if (schema.generation === 12) constants.CHAT_MESSAGE_TYPES = styles;
  return constants;
}

/** The table of primary document types: those that live in a world collection of their own. */
import { any, array, boolean, children, number, object, ref, string } from "./fields.js";

const OWNERSHIP = () => object({ default: 0 });
const TEXTURE = {
  src: null, scaleX: 1, scaleY: 1, offsetX: 0, offsetY: 0, rotation: 0, tint: "#ffffff", anchorX: 0.5, anchorY: 0.5, fit: "contain", alphaThreshold: 0.75,
};

/** The data of a token as it is before it is placed, and after. */
export const TOKEN_FIELDS = {
  name: string(),
  displayName: number(0),
  actorLink: boolean(false),
  width: number(1),
  height: number(1),
  texture: object(TEXTURE),
  alpha: number(1),
  rotation: number(0),
  lockRotation: boolean(false),
  disposition: number(-1),
  displayBars: number(0),
  bar1: object({ attribute: null }),
  bar2: object({ attribute: null }),
  light: object({ alpha: 0.5, angle: 360, bright: 0, color: null, dim: 0, luminosity: 0.5 }),
  sight: object({ enabled: false, range: 0, angle: 360, visionMode: "basic" }),
  detectionModes: array(),
  occludable: object({ radius: 0 }),
  ring: object({ enabled: false }),
  appendNumber: boolean(false),
  prependAdjective: boolean(false),
  randomImg: boolean(false),
  movementAction: any(null),
};

const tokenPrototype = () => {
  const initial = {};
  for (const [key, field] of Object.entries(TOKEN_FIELDS)) initial[key] = field.initial;
  return object({ ...initial, flags: {} });
};

const common = { folder: ref("Folder"), sort: number(0), ownership: OWNERSHIP(), flags: object() };

export const PRIMARY = {
  Actor: {
    collection: "actors",
    pack: true,
    folder: true,
    hasType: true,
    hasSystem: true,
    required: ["name", "type"],
    fields: {
      name: string(), type: string(null), img: string("icons/svg/mystery-man.svg"), system: object(), prototypeToken: tokenPrototype(),
      items: children("Item"), effects: children("ActiveEffect"), ...common,
    },
  },
  Item: {
    collection: "items",
    pack: true,
    folder: true,
    hasType: true,
    hasSystem: true,
    required: ["name", "type"],
    fields: {
      name: string(), type: string(null), img: string("icons/svg/item-bag.svg"), system: object(), effects: children("ActiveEffect"), ...common,
    },
  },
  Scene: {
    collection: "scenes",
    pack: true,
    folder: true,
    required: ["name"],
    fields: {
      name: string(), active: boolean(), navigation: boolean(true), navOrder: number(0), navName: string(), background: object({ src: null }),
      foreground: any(null), thumb: string(null), width: number(4000), height: number(3000), padding: number(0.25), initial: object({ x: null, y: null, scale: null }),
      backgroundColor: string("#999999"), grid: object({ type: 1, size: 100, distance: 5, units: "ft" }), tokenVision: boolean(true),
      fog: object({ exploration: true, reset: null }), environment: object({ darknessLevel: 0 }), drawings: children("Drawing"), tokens: children("Token"),
      lights: children("AmbientLight"), notes: children("Note"), sounds: children("AmbientSound"), regions: children("Region"),
      templates: children("MeasuredTemplate"), tiles: children("Tile"), walls: children("Wall"), playlist: ref("Playlist"), playlistSound: string(null),
      journal: ref("JournalEntry"), journalEntryPage: string(null), weather: string(), ...common,
    },
  },
  JournalEntry: {
    collection: "journal",
    pack: true,
    folder: true,
    required: ["name"],
    fields: { name: string(), pages: children("JournalEntryPage"), ...common },
  },
  RollTable: {
    collection: "tables",
    pack: true,
    folder: true,
    required: ["name"],
    fields: {
      name: string(), img: string("icons/svg/d20-grey.svg"), description: string(), results: children("TableResult"), formula: string(),
      replacement: boolean(true), displayRoll: boolean(true), ...common,
    },
  },
  Playlist: {
    collection: "playlists",
    pack: true,
    folder: true,
    required: ["name"],
    fields: {
      name: string(), description: string(), sounds: children("PlaylistSound"), channel: string("music"), mode: number(0), playing: boolean(), fade: any(null),
      sorting: string("a"), seed: any(null), ...common,
    },
  },
  Cards: {
    collection: "cards",
    pack: true,
    folder: true,
    hasType: true,
    hasSystem: true,
    types: ["deck", "hand", "pile"],
    required: ["name", "type"],
    fields: {
      name: string(), type: string(null), description: string(), img: string("icons/svg/card-hand.svg"), system: object(), cards: children("Card"),
      width: any(null), height: any(null), rotation: any(null), displayCount: boolean(), ...common,
    },
  },
  Macro: {
    collection: "macros",
    pack: true,
    folder: true,
    hasType: true,
    types: ["script", "chat"],
    required: ["name", "type"],
    fields: {
      name: string(), type: string("chat"), author: ref("User"), img: string("icons/svg/dice-target.svg"), scope: string("global"), command: string(), ...common,
    },
  },
  Folder: {
    collection: "folders",
    hasType: true,
    types: ["Actor", "Item", "Scene", "JournalEntry", "RollTable", "Playlist", "Cards", "Macro", "Compendium"],
    required: ["name", "type"],
    fields: {
      name: string(), type: string(null), description: string(), folder: ref("Folder"), sorting: string("a"), sort: number(0), color: string(null), flags: object(),
    },
  },
  Combat: {
    collection: "combats",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    required: [],
    fields: {
      type: string("base"), system: object(), scene: ref("Scene"), combatants: children("Combatant"), active: boolean(), round: number(0), turn: any(null), sort: number(0),
      flags: object(),
    },
  },
  ChatMessage: {
    collection: "messages",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    required: [],
    fields: {
      type: string("base"), system: object(), author: ref("User"), timestamp: number(null), flavor: string(), content: string(),
      speaker: object({ scene: null, actor: null, token: null }), whisper: array(), blind: boolean(), rolls: array(), sound: any(null), style: number(0),
      emote: boolean(), flags: object(),
    },
  },
  User: {
    collection: "users",
    required: ["name"],
    fields: {
      name: string(), role: number(1), password: string(), passwordSalt: string(), avatar: string(null), character: ref("Actor"), color: string("#cc2929"),
      pronouns: string(), hotbar: object(), permissions: object(), flags: object(),
    },
  },
  Setting: {
    collection: "settings",
    required: ["key"],
    fields: { key: string(), value: string(null) },
  },
  FogExploration: {
    collection: "fog",
    required: [],
    fields: { scene: ref("Scene"), user: ref("User"), explored: string(null), positions: object(), timestamp: number(null), flags: object() },
  },
  Adventure: {
    collection: "adventures",
    pack: true,
    required: ["name"],
    fields: { name: string(), img: string(null), caption: string(), description: string(), actors: array(), items: array(), journal: array(), ...common },
  },
};

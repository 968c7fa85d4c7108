/** The table of embedded document types. */
import { any, array, boolean, children, delta, number, object, ref, string } from "./fields.js";
import { TOKEN_FIELDS } from "./tables-primary.js";

const CHANGES = { flags: object() };

export const EMBEDDED = {
  ActiveEffect: {
    collection: "effects",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    stats: true,
    required: ["name"],
    fields: {
      name: string(), type: string("base"), img: string(null), system: object(), changes: array(), disabled: boolean(),
      duration: object({ startTime: null, seconds: null, rounds: null, turns: null }), description: string(), origin: string(null), statuses: array(),
      tint: string("#ffffff"), transfer: boolean(true), sort: number(0), ...CHANGES,
    },
  },
  ActorDelta: {
    collection: "delta",
    required: [],
    fields: {
      name: string(null), type: string(null), img: string(null), system: object(), items: children("Item"), effects: children("ActiveEffect"), ownership: any(null), ...CHANGES,
    },
  },
  Token: {
    collection: "tokens",
    required: [],
    fields: {
      ...TOKEN_FIELDS, actorId: string(null), delta: delta(), x: number(0), y: number(0), elevation: number(0), hidden: boolean(), locked: boolean(), sort: number(0),
      _regions: array(), ...CHANGES,
    },
  },
  Wall: {
    collection: "walls",
    required: ["c"],
    fields: {
      c: array(null), light: number(20), move: number(20), sight: number(20), sound: number(20), dir: number(0), door: number(0), ds: number(0), doorSound: string(null),
      threshold: object({ light: null, sight: null, sound: null, attenuation: false }), ...CHANGES,
    },
  },
  Tile: {
    collection: "tiles",
    required: [],
    fields: {
      texture: object({ src: null, scaleX: 1, scaleY: 1 }), width: number(100), height: number(100), x: number(0), y: number(0), elevation: number(0), sort: number(0),
      rotation: number(0), alpha: number(1), hidden: boolean(), locked: boolean(), occlusion: object({ mode: 0, alpha: 0 }), video: object({ loop: true, autoplay: true, volume: 0 }), ...CHANGES,
    },
  },
  Drawing: {
    collection: "drawings",
    required: [],
    fields: {
      author: ref("User"), shape: object({ type: "r", width: null, height: null, points: [] }), x: number(0), y: number(0), elevation: number(0), sort: number(0),
      rotation: number(0), fillType: number(0), fillColor: string("#cc2929"), fillAlpha: number(0.5), strokeWidth: number(8), strokeColor: string("#cc2929"), strokeAlpha: number(1),
      text: string(), fontSize: number(48), textColor: string("#ffffff"), hidden: boolean(), locked: boolean(), interface: boolean(), ...CHANGES,
    },
  },
  Note: {
    collection: "notes",
    required: [],
    fields: {
      entryId: string(null), pageId: string(null), x: number(0), y: number(0), elevation: number(0), sort: number(0), texture: object({ src: "icons/svg/book.svg", tint: "#ffffff" }),
      iconSize: number(40), text: string(), fontSize: number(32), textAnchor: number(1), textColor: string("#ffffff"), global: boolean(), ...CHANGES,
    },
  },
  AmbientLight: {
    collection: "lights",
    required: [],
    fields: {
      x: number(0), y: number(0), elevation: number(0), rotation: number(0), walls: boolean(true), vision: boolean(), config: object({ alpha: 0.5, angle: 360, bright: 0, color: null, dim: 0 }),
      hidden: boolean(), ...CHANGES,
    },
  },
  AmbientSound: {
    collection: "sounds",
    required: [],
    fields: {
      x: number(0), y: number(0), elevation: number(0), radius: number(0), path: string(null), repeat: boolean(), volume: number(0.5), walls: boolean(true), easing: boolean(true),
      hidden: boolean(), darkness: object({ min: 0, max: 1 }), ...CHANGES,
    },
  },
  MeasuredTemplate: {
    collection: "templates",
    required: [],
    fields: {
      author: ref("User"), t: string("circle"), x: number(0), y: number(0), elevation: number(0), sort: number(0), distance: number(0), direction: number(0), angle: number(0),
      width: number(0), borderColor: string("#000000"), fillColor: string("#cc2929"), texture: string(null), hidden: boolean(), ...CHANGES,
    },
  },
  Region: {
    collection: "regions",
    required: ["name"],
    fields: {
      name: string(), color: string("#cc2929"), shapes: array(), elevation: object({ bottom: null, top: null }), behaviors: children("RegionBehavior"), visibility: number(0),
      locked: boolean(), ...CHANGES,
    },
  },
  RegionBehavior: {
    collection: "behaviors",
    hasType: true,
    hasSystem: true,
    types: ["executeMacro", "executeScript", "pauseGame", "suppressWeather", "teleportToken", "toggleBehavior"],
    stats: true,
    required: ["type"],
    fields: { name: string(), type: string(null), system: object(), disabled: boolean(), ...CHANGES },
  },
  JournalEntryPage: {
    collection: "pages",
    hasType: true,
    hasSystem: true,
    types: ["text", "image", "pdf", "video"],
    stats: true,
    required: ["name"],
    fields: {
      name: string(), type: string("text"), system: object(), title: object({ show: true, level: 1 }), text: object({ format: 1 }), image: object(), video: object({ controls: true, volume: 0.5 }),
      src: string(null), sort: number(0), ownership: object({ default: -1 }), ...CHANGES,
    },
  },
  TableResult: {
    collection: "results",
    hasType: true,
    stats: true,
    required: [],
    fields: {
      type: any(0), text: string(), img: string(null), documentCollection: string(null), documentId: string(null), weight: number(1), range: array([]), drawn: boolean(), ...CHANGES,
    },
  },
  PlaylistSound: {
    collection: "sounds",
    stats: true,
    required: ["name"],
    fields: {
      name: string(), description: string(), path: string(null), channel: string(), playing: boolean(), pausedTime: any(null), repeat: boolean(), volume: number(0.5), fade: any(null), sort: number(0), ...CHANGES,
    },
  },
  Card: {
    collection: "cards",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    stats: true,
    required: ["name"],
    fields: {
      name: string(), type: string("base"), system: object(), description: string(), suit: string(null), value: any(null), back: object({ name: "", text: "", img: null }), faces: array(), face: any(null),
      drawn: boolean(), origin: ref("Cards"), width: any(null), height: any(null), rotation: any(null), sort: number(0), ...CHANGES,
    },
  },
  Combatant: {
    collection: "combatants",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    stats: true,
    required: [],
    fields: {
      type: string("base"), system: object(), actorId: string(null), tokenId: string(null), sceneId: string(null), name: string(null), img: string(null), initiative: any(null),
      hidden: boolean(), defeated: boolean(), ...CHANGES,
    },
  },
};

/** Types that came later: by the generation they came with. */
export const LATER = {
  JournalEntryCategory: {
    since: 13,
    parent: "JournalEntry",
    collection: "categories",
    stats: true,
    required: ["name"],
    fields: { name: string(), sort: number(0), ...CHANGES },
  },
  CombatantGroup: {
    since: 13,
    parent: "Combat",
    collection: "groups",
    hasType: true,
    hasSystem: true,
    types: ["base"],
    stats: true,
    required: [],
    fields: { type: string("base"), system: object(), name: string(), img: string(null), initiative: any(null), ...CHANGES },
  },
  Level: {
    since: 14,
    parent: "Scene",
    collection: "levels",
    stats: true,
    required: ["name"],
    fields: { name: string(), elevation: object({ bottom: null, top: null }), background: object({ src: null }), sort: number(0), ...CHANGES },
  },
};

/** Scenarios of tokens, cascades, settings and macros. */

const BASE = { do: "create", as: "base", type: "Actor", data: { name: "base", type: "$type:Actor", items: [{ name: "AAGM probe item", type: "$type:Item" }] } };
const SCENE = { do: "create", as: "scene", type: "Scene", data: { name: "scene" } };
const TOKEN = { do: "create", as: "token", type: "Token", parent: "scene", data: { name: "token", actorId: "$base", actorLink: false } };
const UNLINKED = [BASE, SCENE, TOKEN, { do: "name", as: "synthetic", on: "token", path: "actor" }];
const FOLDERS = [
  { do: "create", as: "outer", type: "Folder", data: { name: "outer", type: "Actor" } },
  { do: "create", as: "inner", type: "Folder", data: { name: "inner", type: "Actor", folder: "$outer" } },
  { do: "create", as: "inside", type: "Actor", data: { name: "inside", type: "$type:Actor", folder: "$outer" } },
];
const FOLDER_HOOKS = ["preDeleteFolder", "deleteFolder", "updateFolder", "preDeleteActor", "deleteActor", "preUpdateActor", "updateActor"];

export const WORLD = [
  {
    id: "synthetic-update-hooks", fact: "1.7, 11.1", mark: "I", watch: ["preUpdateActor", "updateActor", "preUpdateActorDelta", "updateActorDelta", "preUpdateToken", "updateToken"],
    steps: [...UNLINKED, { do: "update", on: "synthetic", changes: { "flags.world.n": 1 } }, { do: "read", on: "token", path: "delta.flags.world.n", as: "stored" }],
    expect: [
      { facts: { emitDeltaHooks: false }, trace: ["preUpdateActor base", "updateActor base"], values: { stored: 1 } },
      { facts: { emitDeltaHooks: true }, trace: ["preUpdateActor base", "preUpdateActorDelta token/ActorDelta", "updateActor base", "updateActorDelta token/ActorDelta"], values: { stored: 1 } },
    ],
  },
  {
    id: "tombstone", fact: "1.7", mark: "D", watch: ["preDeleteItem", "deleteItem"],
    steps: [...UNLINKED, { do: "name", as: "item", on: "synthetic", path: "items.first" }, { do: "delete", on: "item" }, { do: "read", on: "token", path: "delta.items.0._tombstone", as: "tombstone" }],
    expect: { trace: ["preDeleteItem item", "deleteItem item"], values: { tombstone: true } },
  },
  {
    id: "delta-restore", fact: "1.7, 11.6", mark: "I", watch: ["updateToken", "updateActor"],
    steps: [
      ...UNLINKED, { do: "read", on: "token", path: "delta", as: "saved" }, { do: "name", as: "item", on: "synthetic", path: "items.first" }, { do: "delete", on: "item" },
      { do: "update", on: "token", changes: { delta: { $value: "saved" } }, options: { diff: false, recursive: false } }, { do: "read", on: "synthetic", path: "items.length", as: "items" },
    ],
    expect: [
      { facts: { staleDeltaUpdate: false }, trace: ["updateToken token"], values: { items: 1 } },
      { facts: { staleDeltaUpdate: true }, trace: ["updateToken token"], values: { items: 0 } },
    ],
  },
  {
    id: "base-deleted", fact: "1.10", mark: "D", watch: ["deleteActor", "deleteToken", "updateToken"],
    steps: [...UNLINKED, { do: "delete", on: "base" }, { do: "read", on: "token", path: "actor", prepared: true, as: "actor" }],
    expect: { trace: ["deleteActor base"], values: { actor: null } },
  },
  {
    id: "folder-delete-moves", fact: "1.10, 11.3", mark: "I", watch: FOLDER_HOOKS,
    steps: [...FOLDERS, { do: "delete", on: "outer" }, { do: "settle" }, { do: "read", on: "inside", path: "folder", as: "folder" }],
    expect: [
      { facts: { folderContents: "events" }, trace: ["preDeleteFolder outer", "deleteFolder outer", "updateFolder inner", "updateActor inside"], values: { folder: null } },
      { facts: { folderContents: "silent" }, trace: ["preDeleteFolder outer", "deleteFolder outer"], values: { folder: null } },
    ],
  },
  {
    id: "folder-delete-contents", fact: "1.10, 11.3", mark: "I", watch: FOLDER_HOOKS,
    steps: [...FOLDERS, { do: "uuid", on: "inside", as: "uuid" }, { do: "delete", on: "outer", options: { deleteContents: true, deleteSubfolders: true } }, { do: "settle" }, { do: "exists", on: "uuid", as: "there" }],
    expect: [
      { facts: { folderContents: "events" }, trace: ["preDeleteFolder outer", "deleteFolder outer", "deleteFolder inner", "deleteActor inside"], values: { there: false } },
      { facts: { folderContents: "silent" }, trace: ["preDeleteFolder outer", "deleteFolder outer"], values: { there: false } },
    ],
  },
  {
    id: "combat-activation", fact: "1.10, 11.4", mark: "I",
    steps: [
      SCENE, { do: "create", as: "one", type: "Combat", data: { scene: "$scene", active: true } }, { do: "create", as: "two", type: "Combat", data: { scene: "$scene" } },
      { do: "update", on: "two", changes: { active: true } }, { do: "settle" }, { do: "read", on: "one", path: "active", as: "one" }, { do: "read", on: "two", path: "active", as: "two" },
    ],
    expect: { values: { one: false, two: true } },
  },
  {
    id: "scene-delete", fact: "1.10", mark: "D", watch: ["preDeleteScene", "deleteScene", "preDeleteToken", "deleteToken"],
    steps: [...UNLINKED, { do: "delete", on: "scene" }],
    expect: { trace: ["preDeleteScene scene", "deleteScene scene"] },
  },
  {
    id: "combatant-of-deleted-token", fact: "1.10", mark: "D", watch: ["deleteToken", "deleteCombatant"],
    steps: [
      ...UNLINKED, { do: "create", as: "combat", type: "Combat", data: { scene: "$scene" } }, { do: "create", as: "combatant", type: "Combatant", parent: "combat", data: { name: "fighter", tokenId: "$token", sceneId: "$scene", actorId: "$base" } },
      { do: "delete", on: "token" }, { do: "settle" }, { do: "read", on: "combat", path: "combatants.length", as: "left" },
    ],
    expect: { trace: ["deleteToken token", "deleteCombatant fighter"], values: { left: 0 } },
  },
  {
    id: "token-undo-move", fact: "2.21, 11.14", mark: "C", profiles: [13, 14],
    steps: [...UNLINKED, { do: "update", on: "token", changes: { x: 300 }, options: { animate: false } }, { do: "update", on: "token", changes: { x: 0 }, options: { isUndo: true, animate: false } }, { do: "read", on: "token", path: "x", as: "x" }],
    expect: { values: { x: 0 } },
  },
  {
    id: "setting-documents", fact: "1.10", mark: "D", watch: ["preCreateSetting", "createSetting", "preUpdateSetting", "updateSetting"],
    steps: [{ do: "setting", key: "aagmProbe", value: { n: 1 } }, { do: "setting", key: "aagmProbe", value: { n: 2 }, as: "value" }, { do: "deleteSetting", key: "aagmProbe" }],
    expect: { trace: ["preCreateSetting world.aagmProbe", "createSetting world.aagmProbe", "preUpdateSetting world.aagmProbe", "updateSetting world.aagmProbe"], values: { value: { n: 2 } } },
  },
  {
    id: "setting-delete", fact: "1.10, 11.10", mark: "I",
    steps: [{ do: "setting", key: "aagmProbe2", value: { n: 1 } }, { do: "deleteSetting", key: "aagmProbe2" }, { do: "setting", key: "aagmProbe2", as: "value" }],
    expect: { values: { onChange: 0, value: {} } },
  },
  {
    id: "macro-scope", fact: "6", mark: "D",
    steps: [{ do: "macro", command: "return Object.keys(scope);", scope: { depth: 1, speaker: {} }, as: "keys" }],
    expect: { values: { keys: ["returned", ["depth"]] } },
  },
  {
    id: "macro-errors", fact: "6, 11.18", mark: "C",
    steps: [{ do: "macro", command: "this is no code", as: "syntax" }, { do: "macro", command: "throw new Error('x')", as: "runtime" }, { do: "macro", command: "return 1", scope: { 0: 1 }, as: "numeric" }],
    expect: { values: { syntax: ["thrown"], runtime: ["rejected"], numeric: ["thrown"] } },
  },
];

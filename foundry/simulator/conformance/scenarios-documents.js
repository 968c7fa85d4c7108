/** Scenarios of the document lifecycle. Source of each: its `fact`, a section of FOUNDRY_FACTS with its mark. */

const ACTOR = { do: "create", as: "actor", type: "Actor", data: { name: "actor", type: "$type:Actor", items: [{ name: "AAGM probe item", type: "$type:Item" }] }, options: { keepEmbeddedIds: true } };

export const DOCUMENTS = [
  {
    id: "update-order", fact: "1.1", mark: "D", watch: ["preUpdateActor", "updateActor"],
    steps: [ACTOR, { do: "awaits", hook: "updateActor", as: "hookBeforeAwait", step: { do: "update", on: "actor", changes: { "flags.world.n": 1 } } }],
    expect: { trace: ["preUpdateActor actor", "updateActor actor"], values: { hookBeforeAwait: true } },
  },
  {
    id: "veto-drops-one-of-a-batch", fact: "1.1", mark: "D", watch: ["preCreateActor", "createActor"],
    steps: [{ do: "veto", hook: "preCreateActor" }, { do: "create", type: "Actor", data: [{ name: "a", type: "$type:Actor" }, { name: "b", type: "$type:Actor" }] }],
    expect: { trace: ["preCreateActor a", "preCreateActor b"], values: { created: 0 } },
  },
  {
    id: "batch-hooks-before-write", fact: "1.4", mark: "D", watch: ["preCreateActor", "createActor"],
    steps: [{ do: "create", type: "Actor", data: [{ name: "a", type: "$type:Actor" }, { name: "b", type: "$type:Actor" }] }],
    expect: { trace: ["preCreateActor a", "preCreateActor b", "createActor a", "createActor b"], values: { created: 2 } },
  },
  {
    id: "no-op-update", fact: "1.2", mark: "D", watch: ["preUpdateActor", "updateActor"],
    steps: [ACTOR, { do: "update", on: "actor", changes: { $source: "actor" } }],
    expect: { trace: ["preUpdateActor actor"], values: { updated: "nothing" } },
  },
  {
    id: "changes-are-expanded", fact: "1.2", mark: "I",
    steps: [ACTOR, { do: "keys", hook: "preUpdateActor", as: "keys" }, { do: "update", on: "actor", changes: { "flags.world.n": 1 } }],
    expect: { values: { keys: ["_id", "flags"] } },
  },
  {
    id: "option-tag-travels", fact: "1.3, 11.5", mark: "C",
    steps: [{ do: "tag", hook: "preCreateActor", read: "createActor", as: "tag" }, ACTOR],
    expect: { values: { tag: "tag" } },
  },
  {
    id: "no-hook", fact: "1.3, 11.9", mark: "C", watch: ["preUpdateActor", "updateActor"],
    steps: [ACTOR, { do: "update", on: "actor", changes: { "flags.world.n": 1 }, options: { noHook: true } }],
    expect: { trace: ["updateActor actor"] },
  },
  {
    id: "listener-order", fact: "1.1, 11.19", mark: "D",
    steps: [ACTOR, { do: "order", hook: "preUpdateActor", as: "order" }, { do: "update", on: "actor", changes: { "flags.world.n": 1 } }],
    expect: { values: { order: ["first", "second"] } },
  },
  {
    id: "throwing-listener", fact: "1.1", mark: "D",
    steps: [ACTOR, { do: "throwing", hook: "updateActor", as: "ran" }, { do: "update", on: "actor", changes: { "flags.world.n": 1 } }],
    expect: { values: { ran: 1 } },
  },
  {
    id: "child-hooks", fact: "1.5", mark: "D", watch: ["updateActor", "preCreateItem", "createItem", "preDeleteItem", "deleteItem"],
    steps: [ACTOR, { do: "create", as: "child", type: "Item", parent: "actor", data: { name: "child", type: "$type:Item" } }, { do: "delete", on: "child" }],
    expect: { trace: ["preCreateItem child", "createItem child", "preDeleteItem child", "deleteItem child"] },
  },
  {
    id: "inline-children", fact: "1.5", mark: "D", watch: ["preCreateItem", "createItem", "updateItem", "updateActor"],
    steps: [ACTOR, { do: "update", on: "actor", changes: { items: [{ name: "AAGM probe inline", type: "$type:Item" }] } }, { do: "read", on: "actor", path: "items.length", prepared: false, as: "count" }],
    expect: { trace: ["updateActor actor"], values: { count: 2 } },
  },
  {
    id: "parent-delete", fact: "1.5", mark: "D", watch: ["preDeleteActor", "deleteActor", "preDeleteItem", "deleteItem"],
    steps: [ACTOR, { do: "delete", on: "actor" }],
    expect: { trace: ["preDeleteActor actor", "deleteActor actor"] },
  },
  {
    id: "delete-all", fact: "1.3, 11.12", mark: "I", watch: ["preDeleteItem", "deleteItem"],
    steps: [ACTOR, { do: "deleteChildren", on: "actor", type: "Item", options: { deleteAll: true } }],
    expect: { trace: ["preDeleteItem item", "deleteItem item"] },
  },
  {
    id: "recreate-with-ids", fact: "2.8", mark: "D",
    steps: [
      ACTOR, { do: "read", on: "actor", path: "items.0._id", as: "before" }, { do: "create", as: "copy", type: "Actor", data: { $source: "actor" }, options: { keepEmbeddedIds: true } },
      { do: "read", on: "copy", path: "items.0._id", as: "after" }, { do: "same", a: "before", b: "after", as: "kept" },
    ],
    expect: { values: { kept: true } },
  },
  {
    id: "keep-embedded-ids-default", fact: "1.3, 11.2", mark: "I",
    steps: [
      ACTOR, { do: "read", on: "actor", path: "items.0._id", as: "before" }, { do: "create", as: "copy", type: "Actor", data: { $source: "actor" } },
      { do: "read", on: "copy", path: "items.0._id", as: "after" }, { do: "same", a: "before", b: "after", as: "kept" },
    ],
    expect: [
      { facts: { keepEmbeddedIds: false }, values: { kept: false } },
      { facts: { keepEmbeddedIds: true }, values: { kept: true } },
    ],
  },
  {
    id: "id-clash", fact: "2.22", mark: "D",
    steps: [ACTOR, { do: "create", type: "Actor", data: { $source: "actor" }, options: { keepId: true }, rejects: "clash" }],
    expect: { values: { clash: "rejected" } },
  },
  {
    id: "non-recursive-replaces-top-level", fact: "1.6", mark: "D",
    steps: [
      ACTOR, { do: "update", on: "actor", changes: { flags: { world: { a: 1, b: 2 } } } }, { do: "update", on: "actor", changes: { flags: { world: { b: 3 } } }, options: { diff: false, recursive: false } },
      { do: "read", on: "actor", path: "flags.world", as: "flags" },
    ],
    expect: { values: { flags: { b: 3 } } },
  },
  {
    id: "deletion-key", fact: "1.6", mark: "D", profiles: [12, 13],
    steps: [ACTOR, { do: "update", on: "actor", changes: { "flags.world.a": 1 } }, { do: "update", on: "actor", changes: { "flags.world.-=a": null } }, { do: "read", on: "actor", path: "flags.world.a", as: "a" }],
    expect: { values: { a: "absent" } },
  },
  {
    id: "replacement-operator", fact: "1.6", mark: "D", profiles: [14],
    steps: [ACTOR, { do: "update", on: "actor", changes: { "flags.world.a": { x: 1 } } }, { do: "update", on: "actor", changes: { "flags.world.a": { $operator: "replace", value: { y: 1 } } } }, { do: "read", on: "actor", path: "flags.world.a", as: "a" }],
    expect: { values: { a: { y: 1 } } },
  },
  {
    id: "stats-after-non-recursive", fact: "1.6, 11.7", mark: "D",
    steps: [
      ACTOR, { do: "update", on: "actor", changes: { "_stats.compendiumSource": "Compendium.world.none.Actor.aaaaaaaaaaaaaaaa" } },
      { do: "update", on: "actor", changes: { flags: { world: { a: 1 } } }, options: { diff: false, recursive: false } }, { do: "read", on: "actor", path: "_stats.compendiumSource", as: "source" },
    ],
    expect: [
      { facts: {}, values: { source: "Compendium.world.none.Actor.aaaaaaaaaaaaaaaa" } },
      { facts: {}, faults: [{ fault: "clearStats" }], values: { source: null } },
    ],
  },
  {
    id: "type-change", fact: "1.6, 11.8", mark: "D", profiles: [14],
    steps: [ACTOR, { do: "update", on: "actor", changes: { type: "$type:Actor:1" }, rejects: "plain" }],
    expect: { values: { plain: "rejected" } },
  },
  {
    id: "type-change-and-back", fact: "1.6, 11.8", mark: "I", profiles: [12, 13],
    steps: [
      ACTOR, { do: "read", on: "actor", path: "system", as: "before" }, { do: "read", on: "actor", path: "type", as: "type" }, { do: "update", on: "actor", changes: { type: "$type:Actor:1" }, rejects: "there" },
      { do: "update", on: "actor", changes: { type: { $value: "type" }, system: { $value: "before" } }, options: { diff: false, recursive: false }, rejects: "back" }, { do: "read", on: "actor", path: "system", as: "after" },
      { do: "same", a: "before", b: "after", as: "same" },
    ],
    expect: { values: { there: "resolved", back: "resolved", same: true } },
  },
  {
    id: "dry-run", fact: "1.3, 11.17", mark: "I", profiles: [14], watch: ["preUpdateActor", "updateActor"],
    steps: [ACTOR, { do: "update", on: "actor", changes: { "flags.world.n": 1 }, options: { dryRun: true } }, { do: "read", on: "actor", path: "flags.world.n", as: "n" }],
    expect: { trace: ["preUpdateActor actor"], values: { n: "absent" } },
  },
];

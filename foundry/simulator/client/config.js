/** `CONFIG` of one client: the classes in force, which a system may replace. */

const STATUSES = [
  { id: "dead", name: "EFFECT.StatusDead", img: "icons/svg/skull.svg" },
  { id: "unconscious", name: "EFFECT.StatusUnconscious", img: "icons/svg/unconscious.svg" },
  { id: "prone", name: "EFFECT.StatusProne", img: "icons/svg/falling.svg" },
  { id: "stunned", name: "EFFECT.StatusStunned", img: "icons/svg/daze.svg" },
  { id: "poisoned", name: "EFFECT.StatusPoison", img: "icons/svg/poison.svg" },
];

/** @param {import("./client.js").Client} client */
export function buildConfig(client) {
  const config = {
    DatabaseBackend: client.backend,
    // A list until 13, a record by id from 14 on.
    statusEffects: client.generation >= 14 ? Object.fromEntries(STATUSES.map((status) => [status.id, { ...status }])) : STATUSES.map((status) => ({ ...status })),
    specialStatusEffects: { DEFEATED: "dead", INVISIBLE: "invisible", BLIND: "blind" },
    sounds: { notification: "sounds/notify.wav" },
    time: { turnTime: 0, roundTime: 6 },
    ui: {},
    queries: {},
    debug: { hooks: false },
    Dice: { rolls: [client.Roll] },
    DND5E: undefined,
    PF1: undefined,
    PF2E: undefined,
  };
  for (const [documentName, documentClass] of Object.entries(client.documents.classes)) {
    config[documentName] = {
      documentClass,
      collection: client.collectionClasses.WorldCollection,
      typeLabels: {},
      dataModels: {},
      sheetClasses: {},
    };
  }
  config.ActiveEffect.legacyTransferral = client.facts.legacyTransferral;
  return config;
}

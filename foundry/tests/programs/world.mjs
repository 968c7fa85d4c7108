/** The world the programs run in: the Sunken Inn, with one of everything it has not. */

import { Chance } from "./chance.mjs";
import { idOf, sunkenInn } from "../../simulator/worlds/sunken-inn.js";

const SYSTEM_IDS = { generic: "sim-generic", pf1: "sim-pf1", "5e": "sim-5e" };
const FIELDS = { generic: "sim-generic", pf1: "pf1", "5e": "dnd5e" };
const ITEM_TYPE = { generic: "gear", pf1: "loot", "5e": "loot" };

const NUMBERS = ["one", "two", "three"];

/**
 * Options of `createWorld()`.
 * @param {object} about
 * @param {number} about.profile
 * @param {"generic"|"pf1"|"5e"} about.system
 * @param {number|string} about.seed
 * @param {boolean} [about.others]  Are the tabs of the other users open, too?
 */
export function programWorld({ profile, system, seed, others = true }) {
  const inn = sunkenInn({ system: FIELDS[system], players: true });
  const itemType = ITEM_TYPE[system];
  const { docs } = inn;
  const [taproom] = docs.Scene;
  docs.Folder.push(
    { _id: idOf("Deep one"), name: "Deep one", type: "Item", folder: idOf("Storeroom") },
    { _id: idOf("Deep two"), name: "Deep two", type: "Item", folder: idOf("Deep one") },
  );
  docs.Item.push(...NUMBERS.map((n) => ({
    _id: idOf(`Deep item ${n}`), name: `Deep item ${n}`, type: itemType, folder: idOf(n === "one" ? "Deep one" : "Deep two"),
    effects: [{ _id: idOf(`Item effect ${n}`), name: `Glow ${n}`, img: "icons/svg/light.svg", changes: [] }],
  })));
  taproom.tokens.push({
    _id: idOf("Token changed rat"), name: "Changed rat", actorId: idOf("Cellar Rat"), actorLink: false, x: 100, y: 100,
    delta: {
      _id: idOf("Delta changed rat"),
      name: "Rat king",
      items: [
        { _id: idOf("Crown"), name: "Crown of crumbs", type: itemType, system: { quantity: 1 } },
        { _id: idOf("CellarStolen crust"), _tombstone: true },
      ],
      effects: [{ _id: idOf("Fat"), name: "Fat", img: "icons/svg/aura.svg", changes: [] }],
    },
  });
  if (profile < 14) taproom.templates = [{ _id: idOf("Fire"), t: "circle", x: 900, y: 900, distance: 10 }];
  else taproom.levels = [{ _id: idOf("Attic"), name: "Attic", elevation: { bottom: 10, top: 20 } }];
  if (profile >= 13) {
    docs.JournalEntry[0].categories = [{ _id: idOf("Money"), name: "Money" }];
    docs.Combat[0].groups = [{ _id: idOf("Rats"), name: "Rats" }];
  }
  docs.Combat.push({ _id: idOf("Jetty fight"), scene: idOf("Jetty"), active: false, round: 0, turn: null, combatants: [] });
  docs.ChatMessage.push(...NUMBERS.map((n) => ({ _id: idOf(`Said ${n}`), content: `Said ${n}`, author: idOf("Gamemaster") })));
  docs.Setting = [{ _id: idOf("Setting gloom"), key: "core.time", value: "100" }];
  return {
    ...inn,
    version: profile,
    system: SYSTEM_IDS[system],
    seed,
    users: [
      { _id: idOf("Gamemaster"), name: "Gamemaster", role: 4 },
      { _id: idOf("Second GM"), name: "Second GM", role: 4, _offline: !others },
      { _id: idOf("Ottar's player"), name: "Ottar's player", role: 1, character: idOf("Ottar Reed"), _offline: !others },
    ],
    packs: inn.packs.map((pack) => (pack.type === "Actor" ? withFolders(pack, itemType) : pack)),
  };
}

/** Facts that nobody could verify, and their other answers. */
const OTHER_ANSWERS = { emitDeltaHooks: true, keepEmbeddedIds: true, folderContents: "silent", activation: "client", statsInChanges: false, staleDeltaUpdate: true };

/** Each open question is answered one way or the other, as the seed says. */
export function answers(seed) {
  const chance = new Chance(`facts/${seed}`);
  return Object.fromEntries(Object.entries(OTHER_ANSWERS).filter(() => chance.is(0.3)));
}

function withFolders(pack, itemType) {
  const [first, ...rest] = pack.documents;
  const folders = [
    { _id: idOf("Pack folder"), name: "Pack folder", type: "Actor" },
    { _id: idOf("Pack subfolder"), name: "Pack subfolder", type: "Actor", folder: idOf("Pack folder") },
  ];
  const filed = { ...first, folder: idOf("Pack subfolder"), items: [{ _id: idOf("Feather"), name: "Feather", type: itemType }] };
  return { ...pack, folders, documents: [filed, ...rest] };
}

/** The sample world: an inn that the lake took, and those who stayed. All names are our own. */

/** A readable document id. */
export const idOf = (name) => name.replace(/[^A-Za-z0-9]/g, "").padEnd(16, "0").slice(0, 16);

/** How each simulated system stores hit points. */
const HEALTH = {
  "sim-generic": (value, max) => ({ resource: { value, max } }),
  pf1: (value, max) => ({ attributes: { hp: { base: max, offset: value - max, temp: 0, nonlethal: 0 } }, abilities: { con: { value: 12 } } }),
  dnd5e: (value, max) => ({ attributes: { hp: { value, max, temp: 0, tempmax: 0 } } }),
  pf2e: (value, max) => ({ attributes: { hp: { value, max, temp: 0 } } }),
};

/** Names of the simulated systems, and the ids they report. */
const REPORTED = { "sim-pf1": "pf1", "sim-5e": "dnd5e", "sim-pf2e": "pf2e" };

const ITEM_TYPE = { "sim-generic": "gear", pf1: "loot", dnd5e: "loot", pf2e: "equipment" };

const FOLDERS = [
  ["Staff", "Actor", null],
  ["Guests", "Actor", null],
  ["Drowned Guests", "Actor", "Guests"],
  ["Storeroom", "Item", null],
  ["Floors", "Scene", null],
  ["Ledgers", "JournalEntry", null],
  ["Bells", "Macro", null],
];

const ACTORS = [
  { name: "Brunna Saltcask", type: "npc", folder: "Staff", hp: [22, 22], linked: true, items: ["Ring of keys", "Ladle of office", "Oilskin apron"] },
  { name: "Ottar Reed", type: "character", folder: "Guests", hp: [31, 34], linked: true, items: ["Eel spear", "Waxed satchel", "Lucky cork", "Rope, fifty feet"] },
  { name: "Mirelle of the Sluice", type: "character", folder: "Guests", hp: [18, 26], linked: true, items: ["Sluice lever", "Book of tides"] },
  { name: "Old Pike", type: "npc", folder: "Staff", hp: [9, 14], linked: true, items: ["Clay pipe", "Stool"] },
  { name: "Drowned Lodger", type: "npc", folder: "Drowned Guests", hp: [16, 16], linked: false, items: ["Bloated boots", "Unpaid bill"] },
  { name: "Cellar Rat", type: "npc", folder: "Drowned Guests", hp: [4, 4], linked: false, items: ["Stolen crust"] },
  { name: "Mooring Chest", type: "npc", folder: "Storeroom chest", hp: [30, 30], linked: false, items: ["Silver tankard", "Bag of lake pearls", "Damp letters"] },
];

/** Token names, their actor and their place. */
const TOKENS = [
  ["Brunna", "Brunna Saltcask", 900, 600],
  ["Ottar", "Ottar Reed", 1200, 900],
  ["Mirelle", "Mirelle of the Sluice", 1300, 900],
  ["Old Pike", "Old Pike", 500, 700],
  ["Drowned Lodger", "Drowned Lodger", 1700, 1500],
  ["Second Lodger", "Drowned Lodger", 1900, 1500],
  ["Rat by the barrel", "Cellar Rat", 2100, 1700],
  ["Rat on the stairs", "Cellar Rat", 2200, 1800],
  ["Mooring Chest", "Mooring Chest", 2400, 1400],
];

const PLAYERS = [
  { name: "Gamemaster", role: 4, color: "#2f6f7e" },
  { name: "Ottar's player", role: 1, color: "#7e4f2f", character: idOf("Ottar Reed") },
];

/**
 * Build the world.
 * @param {{system?: string, players?: boolean}} [options] system: its name, or the id it reports. players: also open the player's client.
 * @returns {object} Options for `createWorld()`.
 */
export function sunkenInn({ system: named = "sim-generic", players = false } = {}) {
  const system = REPORTED[named] ?? named;
  const health = HEALTH[system] ?? HEALTH["sim-generic"];
  const type = ITEM_TYPE[system] ?? "gear";
  const users = PLAYERS.map((user) => ({ ...user, _id: idOf(user.name), _offline: !players && user.role < 4 }));
  return {
    id: "sunken-inn",
    title: "The Sunken Inn",
    users,
    docs: {
      Folder: FOLDERS.map(([name, kind, parent]) => ({ _id: idOf(name), name, type: kind, folder: parent && idOf(parent) })),
      Actor: ACTORS.map((actor, i) => actorSource(actor, health, type, i)),
      Item: itemSources(type),
      Scene: sceneSources(system === "sim-generic" ? "resource" : "attributes.hp"),
      JournalEntry: journalSources(),
      Macro: macroSources(),
      RollTable: [rumours()],
      Playlist: [lakeSounds()],
      Cards: [liarsDeck()],
      Combat: [cellarFight()],
      ChatMessage: [],
    },
    packs: [
      {
        id: "world.lake-bestiary",
        label: "Beasts of the Lake",
        type: "Actor",
        documents: ["Reed Heron", "Lantern Pike"].map((name) => ({ _id: idOf(name), name, type: "npc", system: health(8, 8) })),
      },
      { id: "world.old-menus", label: "Old Menus", type: "JournalEntry", locked: true, documents: [{ _id: idOf("Menu"), name: "Menu of the last evening", pages: [page("Menu", "<p>Eel, twice.</p>")] }] },
    ],
  };
}

function actorSource({ name, type, folder, hp: [value, max], linked, items }, health, itemType, i) {
  const inFolder = FOLDERS.some(([known]) => known === folder);
  return {
    _id: idOf(name), name, type, folder: inFolder ? idOf(folder) : null, sort: (i + 1) * 100, system: health(value, max),
    items: items.map((item, j) => ({ _id: idOf(`${name.slice(0, 6)}${item}`), name: item, type: itemType, sort: j * 100, system: { quantity: 1 } })),
    effects: name === "Ottar Reed" ? [{ _id: idOf("Chilled"), name: "Chilled", img: "icons/svg/frozen.svg", disabled: true, changes: [] }] : [],
    prototypeToken: { name, actorLink: linked, disposition: linked ? 1 : -1 },
    ownership: type === "character" ? { default: 0, [idOf("Ottar's player")]: 3 } : { default: 0 },
  };
}

function itemSources(type) {
  return ["Lantern, hooded", "Cask of cider", "Barge pole"].map((name) => ({ _id: idOf(name), name, type, folder: idOf("Storeroom"), system: { quantity: 2 } }));
}

function sceneSources(attribute) {
  const walls = [[400, 400, 2600, 400], [2600, 400, 2600, 2000], [2600, 2000, 400, 2000], [400, 2000, 400, 400], [400, 1200, 1400, 1200], [1600, 1200, 2600, 1200]];
  const tokens = TOKENS.map(([name, actor, x, y], i) => {
    const { linked } = ACTORS.find((known) => known.name === actor);
    return { _id: idOf(`Token${name}`), name, actorId: idOf(actor), actorLink: linked, x, y, sort: i, bar1: { attribute } };
  });
  return [
    {
      _id: idOf("Taproom"), name: "Taproom and Cellar", active: true, folder: idOf("Floors"), width: 3000, height: 2400, tokens,
      walls: walls.map((c, i) => ({ _id: idOf(`Wall${i}`), c })),
      lights: [{ _id: idOf("Hearth"), x: 700, y: 500, config: { bright: 20, dim: 40 } }],
      notes: [{ _id: idOf("NoteLedger"), entryId: idOf("Ledger"), x: 1000, y: 700, text: "The ledger" }],
      tiles: [{ _id: idOf("Bar"), x: 900, y: 450, width: 600, height: 100 }],
      drawings: [{ _id: idOf("Waterline"), x: 400, y: 1300, shape: { type: "r", width: 2200, height: 700 } }],
      sounds: [{ _id: idOf("Drip"), x: 2000, y: 1600, radius: 20, path: "sounds/drip.ogg" }],
      regions: [{ _id: idOf("Flooded"), name: "Flooded part", behaviors: [{ _id: idOf("PauseInWater"), type: "pauseGame", name: "Stop at the water" }] }],
    },
    { _id: idOf("Jetty"), name: "Jetty at Night", folder: idOf("Floors"), walls: [{ _id: idOf("Railing"), c: [0, 0, 800, 0] }] },
  ];
}

const page = (name, content) => ({ _id: idOf(`Page${name}`), name, type: "text", text: { content, format: 1 } });

function journalSources() {
  return [
    { _id: idOf("Ledger"), name: "The Inn's Ledger", folder: idOf("Ledgers"), pages: [page("Debts", "<p>Old Pike owes eleven pennies.</p>"), page("Rooms", "<p>Room four is under water.</p>")] },
    { _id: idOf("How it sank"), name: "How it sank", folder: idOf("Ledgers"), pages: [page("The night", "<p>First the cellar, then the songs.</p>")] },
  ];
}

function macroSources() {
  const gm = idOf("Gamemaster");
  return [
    { _id: idOf("Ring the bell"), name: "Ring the bell", type: "chat", command: "The bell rings under the water.", author: gm, folder: idOf("Bells") },
    {
      _id: idOf("Count lodgers"), name: "Count lodgers", type: "script", author: gm, folder: idOf("Bells"),
      command: "return canvas.scene.tokens.filter((one) => one.name.includes('Lodger')).length;",
    },
    { _id: idOf("Bell one"), name: "Bell", type: "chat", command: "One.", author: gm },
    { _id: idOf("Bell two"), name: "Bell", type: "chat", command: "Two.", author: gm },
  ];
}

function rumours() {
  const texts = ["The lake rises at new moon.", "Old Pike was not always old.", "Nobody ever left room four."];
  return { _id: idOf("Rumours"), name: "Rumours at the bar", formula: "1d3", results: texts.map((text, i) => ({ _id: idOf(`Rumour${i}`), text, range: [i + 1, i + 1] })) };
}

function lakeSounds() {
  return { _id: idOf("Lake sounds"), name: "Lake sounds", sounds: ["Waves", "Creaking beams"].map((name) => ({ _id: idOf(name), name, path: `sounds/${idOf(name)}.ogg` })) };
}

function liarsDeck() {
  return {
    _id: idOf("Liars deck"), name: "The liars' deck", type: "deck",
    cards: ["Eel", "Bell", "Lantern"].map((name, i) => ({ _id: idOf(`Card${name}`), name, suit: "lake", value: i + 1, faces: [{ name, text: "", img: null }], face: 0 })),
  };
}

function cellarFight() {
  const scene = idOf("Taproom");
  const fighters = [["Ottar", "Ottar Reed", 15], ["Drowned Lodger", "Drowned Lodger", 11], ["Rat by the barrel", "Cellar Rat", 7]];
  return {
    _id: idOf("Cellar fight"), scene, active: true, round: 1, turn: 0,
    combatants: fighters.map(([token, actor, initiative]) => ({ _id: idOf(`Fights${token}`), tokenId: idOf(`Token${token}`), actorId: idOf(actor), sceneId: scene, initiative })),
  };
}

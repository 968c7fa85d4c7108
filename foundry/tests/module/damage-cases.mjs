/**
 * Damage by hand: what the rules of each system make of a blow, worked out on paper.
 *
 * A row is `[before, temp, after, tempAfter, state]` in the order of the targets; `more` are further members of a row by its
 * index. `stored` is what the server must hold afterwards, by uuid and path.
 */

const id = (name) => name.replace(/[^A-Za-z]/g, "").padEnd(16, "0").slice(0, 16);

const actor = (name, type, system, more = {}) => ({ _id: id(name), name, type, system, ...more });
const token = (name, actorName, more = {}) => ({ _id: id(`T${name}`), name, actorId: id(actorName), actorLink: false, ...more });
const uuid = (name) => `Actor.${id(name)}`;
const tokenUuid = (name) => `Scene.taproom000000000.Token.${id(`T${name}`)}`;

// Pathfinder 1: `base` is the maximum, what is missing is a negative offset.
const pf1 = (base, offset = 0, { con = 12, temp = 0, nonlethal = 0, ...more } = {}) => ({
  abilities: { con: { value: con } }, attributes: { hp: { base, offset, temp, nonlethal, ...more } },
});
const wounds = (vigor, { con = 12, temp = 0, vigorLost = 0, woundsLost = 0 } = {}) => ({
  abilities: { con: { value: con } },
  attributes: { hp: { base: vigor }, vigor: { base: vigor, temp, offset: 0 - vigorLost }, wounds: { offset: 0 - woundsLost } },
});
const hp = (value, max, { temp = 0, ...more } = {}) => ({ attributes: { hp: { value, max, temp, ...more } } });

export const CASES = [
  // Pathfinder 1
  { title: "pf1: hit points go down", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, -3))], targets: ["Ottar"], amount: 9, rows: [[31, 0, 22, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.offset": -12 } } },
  { title: "pf1: temporary hit points take all of it", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, 0, { temp: 10 }))], targets: ["Ottar"], amount: 9, rows: [[34, 10, 34, 1, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.temp": 1, "system.attributes.hp.offset": 0 } } },
  { title: "pf1: temporary hit points are used up, the rest goes through", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, 0, { temp: 4 }))], targets: ["Ottar"], amount: 9, rows: [[34, 4, 29, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.temp": 0, "system.attributes.hp.offset": -5 } } },
  { title: "pf1: exactly 0 is disabled", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, -20))], targets: ["Ottar"], amount: 14, rows: [[14, 0, 0, 0, "disabled"]] },
  { title: "pf1: below 0 is unconscious, not dead", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, -20))], targets: ["Ottar"], amount: 25, rows: [[14, 0, -11, 0, "unconscious"]] },
  { title: "pf1: dead at the negative of Constitution", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, -20))], targets: ["Ottar"], amount: 26, rows: [[14, 0, -12, 0, "dead"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.offset": -46 } } },
  { title: "pf1: far below, there is no floor", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34))], targets: ["Ottar"], amount: 200, rows: [[34, 0, -166, 0, "dead"]] },
  { title: "pf1: a stout one lives where another would be dead", system: "sim-pf1", actors: [actor("Brunna", "npc", pf1(22, 0, { con: 18 }))], targets: ["Brunna"], amount: 39, rows: [[22, 0, -17, 0, "unconscious"]] },
  { title: "pf1: without Constitution 0 is the end", system: "sim-pf1", actors: [actor("Drowned Lodger", "npc", pf1(16, 0, { con: null }))], targets: ["Drowned Lodger"], amount: 16, rows: [[16, 0, 0, 0, "destroyed"]] },
  { title: "pf1: without Constitution, one is left", system: "sim-pf1", actors: [actor("Drowned Lodger", "npc", pf1(16, 0, { con: null }))], targets: ["Drowned Lodger"], amount: 15, rows: [[16, 0, 1, 0, "up"]] },
  { title: "pf1: as much nonlethal damage as hit points left", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(30, 0, { nonlethal: 12 }))], targets: ["Ottar"], amount: 18, rows: [[30, 0, 12, 0, "unconscious"]] },
  { title: "pf1: a little less nonlethal damage than hit points left", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(30, 0, { nonlethal: 12 }))], targets: ["Ottar"], amount: 17, rows: [[30, 0, 13, 0, "up"]] },
  { title: "pf1: the dead can be hit again", system: "sim-pf1", actors: [actor("Old Pike", "npc", pf1(14, -40))], targets: ["Old Pike"], amount: 3, rows: [[-26, 0, -29, 0, "dead"]], more: { 0: { note: "was dead already" } } },
  { title: "pf1: hit points above the maximum", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(20, 6))], targets: ["Ottar"], amount: 5, rows: [[26, 0, 21, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.offset": 1 } } },
  { title: "pf1: numbers stored as text", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(20, 0, { temp: "3" }))], targets: ["Ottar"], amount: 5, rows: [[20, 3, 18, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.temp": 0, "system.attributes.hp.offset": -2 } } },
  { title: "pf1: no temporary hit points written at all", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(20, 0, { temp: null }))], targets: ["Ottar"], amount: 5, rows: [[20, 0, 15, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.temp": null } } },
  { title: "pf1: negative temporary hit points absorb nothing", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(20, 0, { temp: -4 }))], targets: ["Ottar"], amount: 5, rows: [[20, -4, 15, -4, "up"]] },
  { title: "pf1: the same one named twice is hurt twice", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34, 0, { temp: 5 }))], targets: ["Ottar", "Ottar"], amount: 8, rows: [[34, 5, 31, 0, "up"], [31, 0, 23, 0, "up"]], stored: { [uuid("Ottar")]: { "system.attributes.hp.offset": -11 } } },
  { title: "pf1: named by name and by uuid is twice as well", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34))], targets: ["Ottar", uuid("Ottar"), id("Ottar")], amount: 20, rows: [[34, 0, 14, 0, "up"], [14, 0, -6, 0, "unconscious"], [-6, 0, -26, 0, "dead"]] },
  {
    title: "pf1: an unlinked token by uuid, its base unhurt", system: "sim-pf1", actors: [actor("Cellar Rat", "npc", pf1(4))], tokens: [token("Rat", "Cellar Rat"), token("Other Rat", "Cellar Rat")],
    targets: [tokenUuid("Rat")], amount: 3, rows: [[4, 0, 1, 0, "up"]], names: ["Rat"], uuids: [tokenUuid("Rat")],
    stored: { [tokenUuid("Rat")]: { "delta.system.attributes.hp.offset": -3 }, [tokenUuid("Other Rat")]: { "delta.system.attributes.hp.offset": undefined }, [uuid("Cellar Rat")]: { "system.attributes.hp.offset": 0 } },
  },
  {
    title: "pf1: two unlinked tokens of one actor", system: "sim-pf1", actors: [actor("Cellar Rat", "npc", pf1(4))], tokens: [token("Rat", "Cellar Rat"), token("Other Rat", "Cellar Rat")],
    targets: [tokenUuid("Rat"), tokenUuid("Other Rat"), tokenUuid("Rat")], amount: 3, rows: [[4, 0, 1, 0, "up"], [4, 0, 1, 0, "up"], [1, 0, -2, 0, "unconscious"]],
  },
  {
    title: "pf1: a linked token is its actor", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34))], tokens: [token("Ottar", "Ottar", { actorLink: true })],
    targets: [tokenUuid("Ottar"), "Ottar"], amount: 10, rows: [[34, 0, 24, 0, "up"], [24, 0, 14, 0, "up"]], uuids: [uuid("Ottar"), uuid("Ottar")],
    stored: { [uuid("Ottar")]: { "system.attributes.hp.offset": -20 } },
  },
  {
    title: "pf1: a name means the world actor, and the row says whom it does not mean", system: "sim-pf1", actors: [actor("Cellar Rat", "npc", pf1(4))], tokens: [token("Rat", "Cellar Rat")],
    targets: ["Cellar Rat"], amount: 3, rows: [[4, 0, 1, 0, "up"]], uuids: [uuid("Cellar Rat")],
    // The token inherits what it does not override: its own hit points follow the base actor's.
    more: { 0: { note: `this is the world actor; its unlinked tokens on the active scene have hit points of their own: Rat ${tokenUuid("Rat")}` } },
    stored: { [uuid("Cellar Rat")]: { "system.attributes.hp.offset": -3 }, [tokenUuid("Rat")]: { "delta.system.attributes.hp.offset": undefined } },
  },
  { title: "pf1: a vehicle breaks at 0", system: "sim-pf1", actors: [actor("Barge", "vehicle", pf1(60, -50, { con: null }))], targets: ["Barge"], amount: 10, rows: [[10, 0, 0, 0, "destroyed"]] },
  { title: "pf1: two targets, one dies", system: "sim-pf1", actors: [actor("Ottar", "character", pf1(34)), actor("Cellar Rat", "npc", pf1(4, 0, { con: 9 }))], targets: ["Ottar", "Cellar Rat"], amount: 13, rows: [[34, 0, 21, 0, "up"], [4, 0, -9, 0, "dead"]] },

  // Pathfinder 1, Wounds & Vigor: wounds are twice Constitution, the threshold is Constitution.
  { title: "W&V: vigor takes it", system: "sim-pf1", variants: true, actors: [actor("Ottar", "character", wounds(18))], targets: ["Ottar"], amount: 7, rows: [[18, 0, 11, 0, "up"]], more: { 0: { wounds: { before: 24, after: 24 } } }, stored: { [uuid("Ottar")]: { "system.attributes.vigor.offset": -7, "system.attributes.wounds.offset": 0, "system.attributes.hp.offset": 0 } } },
  { title: "W&V: temporary vigor first", system: "sim-pf1", variants: true, actors: [actor("Ottar", "character", wounds(18, { temp: 3 }))], targets: ["Ottar"], amount: 7, rows: [[18, 3, 14, 0, "up"]], more: { 0: { wounds: { before: 24, after: 24 } } } },
  { title: "W&V: vigor ends, wounds begin", system: "sim-pf1", variants: true, actors: [actor("Ottar", "character", wounds(18, { temp: 3 }))], targets: ["Ottar"], amount: 30, rows: [[18, 3, 0, 0, "up"]], more: { 0: { wounds: { before: 24, after: 15 } } }, stored: { [uuid("Ottar")]: { "system.attributes.vigor.temp": 0, "system.attributes.vigor.offset": -18, "system.attributes.wounds.offset": -9 } } },
  { title: "W&V: below the threshold", system: "sim-pf1", variants: true, actors: [actor("Ottar", "character", wounds(18))], targets: ["Ottar"], amount: 31, rows: [[18, 0, 0, 0, "disabled"]], more: { 0: { wounds: { before: 24, after: 11 } } } },
  { title: "W&V: no wounds left is death, and wounds stop at 0", system: "sim-pf1", variants: true, actors: [actor("Ottar", "character", wounds(18))], targets: ["Ottar"], amount: 99, rows: [[18, 0, 0, 0, "dead"]], more: { 0: { wounds: { before: 24, after: 0 } } }, stored: { [uuid("Ottar")]: { "system.attributes.wounds.offset": -24 } } },
  { title: "W&V: the other kind of actor keeps hit points", system: "sim-pf1", variants: true, actors: [actor("Cellar Rat", "npc", pf1(4))], targets: ["Cellar Rat"], amount: 3, rows: [[4, 0, 1, 0, "up"]], stored: { [uuid("Cellar Rat")]: { "system.attributes.hp.offset": -3 } } },

  // Fifth edition
  { title: "5e: hit points go down", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26))], targets: ["Mirelle"], amount: 7, rows: [[18, 0, 11, 0, "up"]], stored: { [uuid("Mirelle")]: { "system.attributes.hp.value": 11 } } },
  { title: "5e: temporary hit points first", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26, { temp: 5 }))], targets: ["Mirelle"], amount: 7, rows: [[18, 5, 16, 0, "up"]], stored: { [uuid("Mirelle")]: { "system.attributes.hp.temp": 0, "system.attributes.hp.value": 16 } } },
  { title: "5e: a character stops at 0 and is dying", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26))], targets: ["Mirelle"], amount: 43, rows: [[18, 0, 0, 0, "dying"]], stored: { [uuid("Mirelle")]: { "system.attributes.hp.value": 0 } } },
  { title: "5e: a blow that leaves the maximum over kills outright", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26))], targets: ["Mirelle"], amount: 44, rows: [[18, 0, 0, 0, "dead"]] },
  { title: "5e: a raised maximum saves from that", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26, { tempmax: 5 }))], targets: ["Mirelle"], amount: 44, rows: [[18, 0, 0, 0, "dying"]] },
  { title: "5e: a creature at 0 is dead", system: "sim-5e", actors: [actor("Cellar Rat", "npc", hp(4, 4))], targets: ["Cellar Rat"], amount: 4, rows: [[4, 0, 0, 0, "dead"]] },
  { title: "5e: who lies at 0 is not lowered, and nothing is written", system: "sim-5e", actors: [actor("Cellar Rat", "npc", hp(0, 4))], targets: ["Cellar Rat"], amount: 4, rows: [[0, 0, 0, 0, "dead"]], more: { 0: { note: "was dead already; nothing left to lose" } }, writesNothing: true },
  { title: "5e: no maximum of its own", system: "sim-5e", actors: [actor("Mirelle", "character", { attributes: { hp: { value: 0, max: null, temp: 6 } } })], targets: ["Mirelle"], amount: 4, rows: [[0, 6, 0, 2, "dying"]] },
  { title: "5e: twice named, down at the second", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26, { temp: 2 }))], targets: ["Mirelle", "Mirelle"], amount: 11, rows: [[18, 2, 9, 0, "up"], [9, 0, 0, 0, "dying"]] },
  {
    title: "5e: an unlinked token with hit points of its own", system: "sim-5e", actors: [actor("Cellar Rat", "npc", hp(4, 9))], tokens: [token("Rat", "Cellar Rat", { delta: { system: { attributes: { hp: { value: 8 } } } } })],
    targets: [tokenUuid("Rat")], amount: 3, rows: [[8, 0, 5, 0, "up"]], stored: { [tokenUuid("Rat")]: { "delta.system.attributes.hp.value": 5 }, [uuid("Cellar Rat")]: { "system.attributes.hp.value": 4 } },
  },
  { title: "5e: a vehicle", system: "sim-5e", actors: [actor("Barge", "vehicle", hp(30, 30))], targets: ["Barge"], amount: 31, rows: [[30, 0, 0, 0, "destroyed"]] },

  // Pathfinder 2
  { title: "pf2e: temporary, then stamina, then hit points", system: "sim-pf2e", actors: [actor("Mirelle", "character", hp(20, 20, { temp: 2, sp: { value: 6, max: 6 } }))], targets: ["Mirelle"], amount: 11, rows: [[20, 2, 17, 0, "up"]], more: { 0: { stamina: { before: 6, after: 0 } } }, stored: { [uuid("Mirelle")]: { "system.attributes.hp.temp": 0, "system.attributes.hp.sp.value": 0, "system.attributes.hp.value": 17 } } },
  { title: "pf2e: no stamina in this game", system: "sim-pf2e", actors: [actor("Mirelle", "character", hp(20, 20))], targets: ["Mirelle"], amount: 11, rows: [[20, 0, 9, 0, "up"]] },
  { title: "pf2e: a character at 0 is dying", system: "sim-pf2e", actors: [actor("Mirelle", "character", hp(20, 20))], targets: ["Mirelle"], amount: 39, rows: [[20, 0, 0, 0, "dying"]] },
  { title: "pf2e: one blow of twice the maximum", system: "sim-pf2e", actors: [actor("Mirelle", "character", hp(20, 20))], targets: ["Mirelle"], amount: 40, rows: [[20, 0, 0, 0, "dead"]] },
  { title: "pf2e: a creature at 0 is dead", system: "sim-pf2e", actors: [actor("Cellar Rat", "npc", hp(4, 8))], targets: ["Cellar Rat"], amount: 5, rows: [[4, 0, 0, 0, "dead"]] },
  { title: "pf2e: a hazard is destroyed", system: "sim-pf2e", actors: [actor("Loose beam", "hazard", hp(4, 8))], targets: ["Loose beam"], amount: 4, rows: [[4, 0, 0, 0, "destroyed"]] },

  // Any other system
  { title: "another system: its first bar", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: 7, max: 10 } })], targets: ["Brunna"], amount: 3, rows: [[7, 0, 4, 0, "up"]], stored: { [uuid("Brunna")]: { "system.resource.value": 4 } } },
  { title: "another system: not below 0", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: 7, max: 10 } })], targets: ["Brunna"], amount: 30, rows: [[7, 0, 0, 0, "dead"]], stored: { [uuid("Brunna")]: { "system.resource.value": 0 } } },
  { title: "another system: a minimum of its own", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: 7, max: 10, min: -10 } })], targets: ["Brunna"], amount: 12, rows: [[7, 0, -5, 0, "up"]] },
  { title: "another system: that minimum is the end", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: 7, max: 10, min: -10 } })], targets: ["Brunna"], amount: 50, rows: [[7, 0, -10, 0, "dead"]] },
  { title: "another system: a value stored as text", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: "7", max: "10" } })], targets: ["Brunna"], amount: 2, rows: [[7, 0, 5, 0, "up"]], stored: { [uuid("Brunna")]: { "system.resource.value": 5 } } },
  { title: "another system: a name in another case and composition", system: "sim-generic", actors: [actor("Ünder Wirt", "npc", { resource: { value: 7, max: 10 } })], targets: ["u\u0308NDER wirt"], amount: 2, rows: [[7, 0, 5, 0, "up"]] },
  { title: "another system: part of one name alone", system: "sim-generic", actors: [actor("Brunna Saltcask", "npc", { resource: { value: 7, max: 10 } }), actor("Ottar Reed", "npc", {})], targets: ["saltc"], amount: 2, rows: [[7, 0, 5, 0, "up"]] },
  { title: "another system: the exact name before those that contain it", system: "sim-generic", actors: [actor("Rat", "npc", { resource: { value: 7, max: 10 } }), actor("Rat king", "npc", {}), actor("rat", "npc", {}, { _id: "lowercaserat0000" })], targets: ["Rat"], amount: 2, rows: [[7, 0, 5, 0, "up"]], uuids: [uuid("Rat")] },
];

/** Calls that must be refused whole; `says` is in the error, `candidates` are uuids. */
export const REFUSALS = [
  { title: "a name that two bear", system: "sim-generic", actors: [actor("Rat", "npc", {}), actor("Rat", "npc", {}, { _id: "secondrat0000000" })], targets: ["Rat"], says: /may be 2 actors/, candidates: [uuid("Rat"), "Actor.secondrat0000000"] },
  { title: "a part of two names", system: "sim-generic", actors: [actor("Cellar Rat", "npc", {}), actor("Rat king", "npc", {})], targets: ["rat"], says: /may be 2 actors/, candidates: [uuid("Cellar Rat"), uuid("Rat king")] },
  { title: "nobody of that name, though others resolve", system: "sim-generic", actors: [actor("Brunna", "npc", {}), actor("Old Pike", "npc", {})], targets: ["Brunna", "Young Pike"], says: /no actor is called "Young Pike"/, candidates: [uuid("Old Pike")] },
  { title: "a token's name, which is no actor's", system: "sim-generic", actors: [actor("Cellar Rat", "npc", {})], tokens: [token("Squeaker", "Cellar Rat")], targets: ["squeaker"], says: /no actor is called/, candidates: [tokenUuid("Squeaker")] },
  { title: "a token whose base actor is gone", system: "sim-generic", actors: [actor("Brunna", "npc", {})], tokens: [token("Ghost", "Nobody")], targets: [tokenUuid("Ghost")], says: /has no actor/, candidates: [] },
  { title: "a uuid of nothing", system: "sim-generic", actors: [actor("Brunna", "npc", {})], targets: ["Actor.nosuchactor00000"], says: /no actor is called/, candidates: [] },
  { title: "an empty name", system: "sim-generic", actors: [actor("Brunna", "npc", {})], targets: [" "], says: /no actor is called/, candidates: [] },
  { title: "a type without hit points", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26)), actor("Crowd", "npc", { attributes: { hp: { value: null } } })], targets: ["Mirelle", "Crowd"], says: /Crowd \(Actor\.Crowd0+\): system\.attributes\.hp\.value is missing/, candidates: [] },
  { title: "hit points that are words", system: "sim-generic", actors: [actor("Brunna", "npc", { resource: { value: "plenty", max: 10 } })], targets: ["Brunna"], says: /system\.resource\.value is "plenty", not a number/, candidates: [] },
  { title: "temporary hit points that are words", system: "sim-5e", actors: [actor("Mirelle", "character", hp(18, 26, { temp: "some" }))], targets: ["Mirelle"], says: /hp\.temp is "some", not a number/, candidates: [] },
];

/** What lies in piles: told apart, counted, judged. */

/** Item types that can be loot, where we know the system; elsewhere Item Piles' own filters say. */
const PF1_LOOT = new Set(["weapon", "equipment", "consumable", "loot", "container", "implant"]);

/** In the smallest coin, where Item Piles does not say. */
const USUAL_RATES = Object.freeze({ pp: 1000, gp: 100, ep: 50, sp: 10, cp: 1 });

export const COINS = "coins"; // the key all coins share, since one may be changed into others

/**
 * An amount of one kind of goods with one holder. Coins are counted in the smallest coin.
 * @typedef {object} Entry
 * @property {string} id  The item's, or `coins:<path>`.
 * @property {string} key  The same for goods that are alike in everything.
 * @property {string} kin  The same for goods that may be put on one stack.
 * @property {number} quantity
 * @property {Record<string, any>} source  The item as it is stored; for coins name, path and worth of one.
 */

/** @typedef {Map<string, Entry>} Stock */

/**
 * @param {any} actor
 * @returns {Stock}  With the items' own sources, which outlive the items.
 */
export function stockOf(actor) {
  /** @type {Stock} */
  const stock = new Map();
  for (const item of actor?.items ?? []) {
    const source = item._source;
    stock.set(item.id, { id: item.id, key: fingerprint(source), kin: kinOf(source), quantity: quantityOf(source), source });
  }
  for (const entry of actor ? coinsOf(actor) : []) stock.set(entry.id, entry);
  return stock;
}

/** @returns {string} */
export function quantityPath() {
  return api()?.ITEM_QUANTITY_ATTRIBUTE ?? "system.quantity";
}

/**
 * @param {Record<string, any>} source
 * @returns {number}  What has no quantity is one thing.
 */
export function quantityOf(source) {
  const value = foundry.utils.getProperty(source, quantityPath());
  if (value === undefined || value === null || value === "") return 1;
  const number = Number(value);
  return Number.isFinite(number) ? Math.max(0, number) : 1;
}

/**
 * What an item is told by, beside its id.
 * @param {Record<string, any>} source
 * @returns {string}
 */
export function fingerprint(source) {
  const { name, type, img, system, flags, _stats } = source;
  const origin = _stats?.compendiumSource ?? flags?.core?.sourceId ?? null;
  return JSON.stringify([name, type, system?.subType ?? null, origin, img ?? null]);
}

/**
 * Item Piles puts goods of one name and type on one stack, whatever their picture.
 * @param {Record<string, any>} source
 * @returns {string}
 */
export function kinOf({ name, type }) {
  return `${type} ${name}`;
}

/**
 * Could it be loot? `odd`: of a type that is, but not of a kind the system knows; `none`: a feat, a spell, a class.
 * @param {Record<string, any>} source
 * @returns {"loot"|"odd"|"none"}
 */
export function kindOf({ type, system }) {
  if (type === COINS) return "loot";
  if (game.system.id !== "pf1") return filteredTypes().has(type) ? "none" : "loot";
  if (!PF1_LOOT.has(type)) return "none";
  const known = /** @type {any} */ (globalThis).pf1?.config?.equipmentTypes;
  const isOdd = type === "equipment" && known && system?.subType && !Object.hasOwn(known, system.subType);
  return isOdd ? "odd" : "loot";
}

/** @returns {Set<string>}  Types that Item Piles does not show. */
function filteredTypes() {
  const filters = api()?.ITEM_FILTERS ?? [];
  const byType = filters.filter((/** @type {any} */ { path }) => path === "type");
  return new Set(byType.flatMap((/** @type {any} */ { filters: types }) => listed(types)));
}

/** @param {unknown} types  A set, a list, or a text with commas. */
function listed(types) {
  if (typeof types === "string") return types.split(",").map((type) => type.trim());
  return [.../** @type {Iterable<string>} */ (types ?? [])];
}

/**
 * @param {any} actor
 * @returns {Entry[]}
 */
function coinsOf(actor) {
  return currencies().flatMap(({ name, path, worth }) => {
    const count = Number(foundry.utils.getProperty(actor, path));
    if (!Number.isFinite(count) || count <= 0) return [];
    const source = { name, type: COINS, path, worth };
    return [{ id: `${COINS}:${path}`, key: COINS, kin: COINS, quantity: Math.round(count * worth), source }];
  });
}

/**
 * Coins that are numbers of the actor; those that are items are counted as such.
 * @returns {{ name: string, path: string, worth: number }[]}  Worth in the smallest coin; the dearest first.
 */
export function currencies() {
  const told = /** @type {any[]} */ (api()?.CURRENCIES ?? []).filter(({ type, data }) => type === "attribute" && data?.path);
  /** @type {{ name: string, path: string, rate?: unknown }[]} */
  const known = told.length
    ? told.map(named)
    : Object.keys(USUAL_RATES).map((name) => ({ name, path: `system.currency.${name}` }));
  const rates = known.map(({ rate }) => Number(rate)).filter((rate) => rate > 0);
  const smallest = Math.min(...rates);
  const all = known.map(({ name, path, rate }) => {
    const short = path.split(".").at(-1) ?? "";
    const usual = /** @type {Record<string, number>} */ (USUAL_RATES)[short] ?? 1;
    return { name, path, worth: Number(rate) > 0 ? Math.round(Number(rate) / smallest) : usual };
  });
  return all.sort((a, b) => b.worth - a.worth);
}

/**
 * @param {any} currency
 * @returns {{ name: string, path: string, rate: unknown }}
 */
function named({ name, abbreviation, exchangeRate, data }) {
  const path = data.path.startsWith("system.") ? data.path : `system.${data.path}`;
  const short = typeof abbreviation === "string" ? abbreviation.replace("{#}", "").trim() : "";
  return { name: short || name, path, rate: exchangeRate };
}

/** @returns {any} */
function api() {
  const piles = /** @type {any} */ (game).itempiles;
  return piles?.API ?? piles;
}

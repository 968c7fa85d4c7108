/**
 * Item Piles, as far as loot and its losses go. Work is done by the active game master's client; hooks are told to all.
 *
 * Source: FOUNDRY_FACTS 4.
 */
import { getProperty } from "../core/objects.js";
import { CHANNEL, COINS, Executor, QUANTITY, actorOf, pileData } from "./pile-work.js";

/** Item types that are no loot, by system. */
const FILTERS = { pf1: ["attack", "buff", "class", "feat", "race", "spell"], dnd5e: ["feat", "spell", "class", "background"], pf2e: ["condition", "effect", "feat", "spell"] };

/** Work that any client may ask for, with the number of its arguments. */
const REMOTE = {
  addItems: 2, removeItems: 2, transferItems: 3, transferAllItems: 2, transferEverything: 2, giveItem: 3, tradeItems: 4, dropItem: 2, splitItemPileContent: 2,
  createItemPile: 1, deleteItemPile: 1, refreshMerchantInventory: 2, turnIntoItemPiles: 1, revertFromItemPiles: 1,
};

/** Build `game.itempiles.API` of one client. */
function buildApi(client, module) {
  const kindIs = (target, type) => pileData(actorOf(client, target))?.type === type;
  const api = {
    ITEM_QUANTITY_ATTRIBUTE: QUANTITY,
    ITEM_PRICE_ATTRIBUTE: "system.price",
    get ITEM_FILTERS() {
      return [{ path: "type", filters: (FILTERS[client.game.system.id] ?? []).join(",") }, ...module.filters];
    },
    CURRENCIES: COINS.map((name, i) => ({ name, abbreviation: `{#}${name.toUpperCase()}`, exchangeRate: [10, 1, 0.1, 0.01][i], type: "attribute", data: { path: `system.currency.${name}` } })),
    isValidItemPile: (target) => Boolean(pileData(actorOf(client, target))?.enabled),
    isItemPileLootable: (target) => api.isValidItemPile(target) && ["pile", "container"].includes(pileData(actorOf(client, target)).type),
    isItemPileContainer: (target) => kindIs(target, "container"),
    isItemPileMerchant: (target) => kindIs(target, "merchant"),
    isItemPileVault: (target) => kindIs(target, "vault"),
    isItemPileEmpty: (target) => !api.getActorItems(target).length && !api.getActorCurrencies(target).some(({ quantity }) => quantity > 0),
    getActorItems(target) {
      const isFiltered = (item) => api.ITEM_FILTERS.some(({ path, filters }) => filters.split(",").includes(String(getProperty(item, path))));
      return actorOf(client, target).items.filter((item) => !isFiltered(item));
    },
    getActorCurrencies(target) {
      const actor = actorOf(client, target);
      return api.CURRENCIES.map((currency) => ({ ...currency, quantity: Number(getProperty(actor, currency.data.path) ?? 0) }));
    },
  };
  return api;
}

/** Make the module. */
export function itemPiles() {
  const module = {
    id: "item-piles",
    title: "Simulated Item Piles",
    version: "3.3.4",
    /** Further item filters, as the module's settings have them: `{path, filters}`. */
    filters: [],
    /** What goes wrong. */
    faults: { inTransit: 0, dropBreaksOff: false, leftoversVanish: false },
    setup(client) {
      const api = buildApi(client, module);
      const executor = new Executor(client, api, module.faults);
      const waiting = new Map();
      const isExecutor = () => client.game.users.activeGM?.id === client.userId && client.leadsUser;
      const asUuid = (value) => (Array.isArray(value) ? value.map(asUuid) : (value?.document?.uuid ?? value?.uuid ?? value));

      for (const [method, count] of Object.entries(REMOTE)) {
        api[method] = (...args) => {
          const carried = [...Array.from({ length: count }, (_, i) => asUuid(args[i])), client.userId];
          if (isExecutor()) return executor[method](...carried);
          if (!client.game.users.activeGM) return Promise.reject(new Error("Item Piles requires a connected GM"));
          const call = client.randomID();
          const answered = new Promise((resolve) => waiting.set(call, resolve));
          client.socket.emit(CHANNEL, { call, method, args: carried });
          return answered;
        };
      }

      client.socket.on(CHANNEL, async ({ call, method, args, hook, answers, result }) => {
        if (hook) {
          const resolved = args.map((arg) => (arg?.$uuid ? client.fromUuidSync(arg.$uuid, { strict: false }) : arg));
          client.Hooks.callAll(`item-piles-${hook}`, ...resolved);
        } else if (answers) {
          waiting.get(answers)?.(result);
          waiting.delete(answers);
        } else if (isExecutor()) {
          const done = await executor[method](...args).catch((error) => client.report(error));
          client.socket.emit(CHANNEL, { answers: call, result: done ?? null });
        }
      });

      client.Hooks.once("ready", () => {
        client.game.itempiles = { API: api, hooks: {}, ...api };
        client.Hooks.callAll("item-piles-ready");
      });
    },
  };
  return module;
}

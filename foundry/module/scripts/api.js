/** What macros and our own windows reach at `game.modules.get("aagm").api`. */

/** @import { HelloAnswer, Reason, RollbackRequest } from "./wire.js" */
/** @import { Events } from "./events.js" */
/** @import { LootWatchdog } from "./loot/watchdog.js" */
/** @import { PromptBox } from "./prompts.js" */
/** @import { RelayLink } from "./socket.js" */
/** @import { Windows } from "./ui/start.js" */
import { readOwn, worldSettings, writeOwn } from "./settings.js";
import { isPageHidden } from "./page.js";
import { reason } from "./reasons.js";

/** Topics that can be listened to, by the API's function. */
const LISTENERS = Object.freeze({
  onReply: "aagm.reply",
  onStatus: "aagm.status",
  onMode: "aagm.mode",
  onRollback: "aagm.rollback",
  onTabs: "aagm.tabs",
  onListenerRefused: "aagm.listener.refused",
  onCancelled: "aagm.cancelled",
  onOwner: "aagm.owner",
  onPageRefused: "aagm.page.refused",
  onProgress: "aagm.progress",
  onWaiting: "waiting",
  onConnection: "connection",
  onSettings: "settings",
});

/**
 * @typedef {object} Status
 * @property {"off"|"dialling"|"connected"|"waiting"} state
 * @property {boolean} connected
 * @property {boolean} owner  Requests come to this tab.
 * @property {Reason|null} reason  Null only when connected and owner.
 * @property {string} url
 * @property {{ url: string, result: string }[]} tried
 * @property {HelloAnswer|null} relay
 * @property {string} tabInstance
 * @property {boolean} hidden
 */

/**
 * @param {object} parts
 * @param {RelayLink} parts.link
 * @param {PromptBox} parts.prompts
 * @param {Events} parts.events
 * @param {LootWatchdog} parts.loot
 * @param {string} parts.tabInstance
 * @param {() => Promise<Windows>} parts.windows  Once they are loaded.
 */
export function makeApi({ loot, link, prompts, events, tabInstance, windows }) {
  /** @returns {Status} */
  const status = () => {
    const { state } = link;
    const answer = state.kind === "connected" ? state.answer : null;
    const owner = answer !== null && answer.owner !== false;
    const elsewhere = answer && !owner ? reason("owned_elsewhere", { userName: answer.ownedBy?.userName ?? "" }) : null;
    return {
      state: state.kind,
      connected: answer !== null,
      owner,
      reason: state.kind === "connected" ? elsewhere : state.reason,
      url: readOwn("relayUrl"),
      tried: link.tried,
      relay: answer,
      tabInstance,
      hidden: isPageHidden(),
    };
  };
  const listeners = Object.fromEntries(
    Object.entries(LISTENERS).map(([name, topic]) => [name, (/** @type {(data: any) => void} */ cb) => events.on(topic, cb)]),
  );
  return Object.freeze({
    ...listeners,
    status,
    isConnected: () => link.peer !== null,
    restart: () => link.restart(),
    takeOver: () => link.restart({ takeOver: true }),
    /** @param {string} code  Six digits. */
    pair: (code) => writeOwn("pairingCode", code),
    syncSettings: () => link.notify("settings.sync", worldSettings()),
    requestStatus: () => link.notify("aagm.status.request", {}),
    /** @param {RollbackRequest} request */
    rollback: (request) => link.request("aagm.rollback.request", request),
    sendPrompt: (/** @type {string} */ text, /** @type {string|undefined} */ tabId) => prompts.send(text, tabId),
    closeTab: (/** @type {string} */ tabId) => prompts.closeTab(tabId),
    waiting: () => prompts.waiting,
    lootWatchdog: Object.freeze({
      toggle: (/** @type {string} */ journalId) => loot.toggle(journalId),
      setUp: () => loot.setUp(),
      clearMark: (/** @type {string} */ eventId) => loot.clearMark(eventId),
    }),
    openChat: async () => (await windows()).openChat(),
    openSettings: async () => (await windows()).openSettings(),
    openPlugins: async () => (await windows()).openPlugins(),
    plugins: Object.freeze({
      list: ({ refresh = false } = {}) => link.request("aagm.plugins", { refresh }),
      run: (/** @type {string} */ name, /** @type {object} */ args) => link.request("aagm.plugin.run", { name, args }),
    }),
  });
}

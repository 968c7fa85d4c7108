/** The windows, joined. Loaded for a game master only; a player's page never asks for it. */

/** @import { Status } from "../api.js" */
import { WindowMemory, registerMemory } from "./memory.js";
import { defineSettingsWindow, registerSettingsMenu } from "./settings-window.js";
import { provisionMacro, registerMacros } from "./macros.js";
import { ChatState } from "./chat-state.js";
import { TabList } from "./tab-list.js";
import { addSceneButton } from "./scene-button.js";
import { defineChatWindow } from "./chat-window.js";
import { definePluginsWindow, registerPluginsMenu } from "./plugins.js";
import { hasPage } from "./dom.js";
import { multitaskingOf, modeOf } from "./settings-rules.js";
import { tellOutside } from "./told.js";
import { worldSettings } from "../settings.js";

/**
 * @typedef {{ openChat: () => Promise<void>, openSettings: () => Promise<void>, openPlugins: () => Promise<void> }} Windows
 */

/**
 * @param {object} parts
 * @param {any} parts.api  The module's own.
 * @param {Record<string, unknown>} parts.exemption  Options that keep our own writes out of an agent's rollback point.
 * @returns {Windows}
 */
export function startWindows({ api, exemption }) {
  registerMemory();
  registerMacros();
  const memory = new WindowMemory();
  const background = new Background();
  const wasHidden = () => background.wasHidden;
  const tabs = new TabList({ memory, isMultitasking });
  /** @type {any} */
  let chat = null;
  const state = new ChatState({ api, tabs, changed: () => chat?.refresh() });
  const SettingsWindow = defineSettingsWindow({ api, exemption, wasHidden });
  const openSettings = async () => void (await new SettingsWindow().render({ force: true }));
  const ChatWindow = defineChatWindow({ api, state, memory, openSettings: () => void openSettings(), wasHidden });

  const openChat = async () => {
    // Before the first accepted hello there is nobody to chat with: what is missing is in the settings.
    if (!memory.member) return openSettings();
    chat ??= new ChatWindow();
    if (chat.rendered) chat.bringToFront();
    if (chat.minimized) await chat.maximize();
    await chat.render({ force: true });
    chat.focusPrompt();
  };

  tabs.watchedBy(() => chat?.isSeen ?? false);
  const PluginsWindow = definePluginsWindow({ api, openChat: () => void openChat() });
  const openPlugins = async () => void (await new PluginsWindow().render({ force: true }));
  registerSettingsMenu(SettingsWindow);
  registerPluginsMenu(PluginsWindow);
  addSceneButton(() => void openChat());
  tellOutside(api, () => chat?.rendered ?? false);
  background.onShown(() => {
    tabs.markSeen();
    chat?.refresh();
  });

  /** @type {Set<string>}  Members whose macro was seen to since the page was loaded. */
  const provisioned = new Set();
  const connected = (/** @type {Status} */ { connected: isConnected, owner, relay }) => {
    background.connection(isConnected);
    if (!isConnected || !relay) return;
    const { member = "kimi", memberName = "AAGM" } = relay;
    const isFirst = !memory.member;
    memory.keepWindow({ member: memberName });
    if (owner && !provisioned.has(member)) {
      provisioned.add(member);
      provisionMacro({ member, memberName, exemption }).catch((error) => console.error("AAGM | the macro that opens the chat is an old one", error));
    }
    if (isFirst && hasPage()) void openChat();
  };
  api.onConnection(connected);
  connected(api.status());
  api.requestStatus(); // what the relay told before we listened
  if (memory.isOpen && memory.member && hasPage()) void openChat();
  return { openChat, openSettings, openPlugins };
}

/** @returns {boolean}  As the relay judges it. */
function isMultitasking() {
  const { mode, multitasking } = worldSettings();
  return multitaskingOf(modeOf(mode), multitasking).value;
}

const JUST = 2000; // ms: a frozen page learns of the break when it is shown again

/** Was the page in the background when the connection broke? Browsers may freeze such pages. */
class Background {
  #page = globalThis.document;
  #isConnected = false;
  #hiddenUntil = -Infinity; // ms, when it was last seen to be hidden
  wasHidden = false;

  constructor() {
    this.onShown(() => {
      this.#hiddenUntil = performance.now();
    });
  }

  /** @param {() => void} shown  The page is seen again. */
  onShown(shown) {
    this.#page?.addEventListener?.("visibilitychange", () => {
      if (!this.#page.hidden) shown();
    });
  }

  /** @param {boolean} isConnected */
  connection(isConnected) {
    if (isConnected) this.wasHidden = false;
    else if (this.#isConnected) this.wasHidden = Boolean(this.#page?.hidden) || performance.now() - this.#hiddenUntil < JUST;
    this.#isConnected = isConnected;
  }
}

/** The settings window: a shell around `SettingsForm`. There is one at a time. */

import { SettingsForm } from "./views/settings-form.js";
import { notice } from "../notices.js";
import { readOwn, worldSettings, writeOwn } from "../settings.js";
import { MODULE_ID } from "../identity.js";
import { defineOneWindow } from "./one-window.js";
import { say } from "./words.js";

const MENU = "aagmSettings";
const SETTINGS_ID = "aagm-settings";

/**
 * @param {{ api: any, exemption: Record<string, unknown>, wasHidden: () => boolean }} parts
 * @returns {any}  A subclass of ApplicationV2, constructed without arguments, as a settings menu is.
 */
export function defineSettingsWindow({ api, exemption, wasHidden }) {
  return class SettingsWindow extends defineOneWindow() {
    static DEFAULT_OPTIONS = {
      id: SETTINGS_ID,
      classes: ["aagm"],
      tag: "form",
      window: { title: "AAGM.Settings.title", icon: "fa-solid fa-robot", contentClasses: ["aagm-content"] },
      position: { width: 500, height: "auto" },
      form: {
        /** @this {SettingsWindow} */
        handler() {
          return this.save();
        },
        closeOnSubmit: true,
      },
    };

    /** @type {SettingsForm|null} */
    #view = null;
    #unsubscribe = () => {};
    /** @type {Record<string, unknown>}  What the form showed first: another GM may change the settings meanwhile. */
    #shown = worldSettings();

    async _renderHTML() {
      this.#view ??= new SettingsForm({
        world: /** @type {any} */ (this.#shown),
        link: { enabled: readOwn("enabled"), relayUrl: readOwn("relayUrl") },
        status: () => api.status(),
        hasToken: () => Boolean(readOwn("token")),
        wasHidden,
        pair: async (code, link) => {
          await saveLink(link, { isLast: false });
          await writeOwn("pairingCode", code);
          await saveLink(link, { isLast: true });
        },
        retry: () => api.restart(),
      });
      return this.#view.element;
    }

    async _onFirstRender() {
      this.#unsubscribe = api.onConnection(() => this.#view?.update());
      this.element.querySelector("input")?.focus();
    }

    async save() {
      if (!this.#view) return;
      const { world, link } = this.#view.read();
      const settings = /** @type {any} */ (game.settings);
      for (const [key, value] of Object.entries(world)) if (this.#shown[key] !== value) await settings.set(MODULE_ID, key, value, exemption);
      await saveLink(link, { isLast: true });
      api.syncSettings();
      notice("info", say("Settings.saved"));
    }

    _onClose() {
      super._onClose();
      this.#unsubscribe();
      this.#view = null;
    }
  };
}

/**
 * The address is written first and the switch last: each change dials anew.
 * @param {{ enabled: boolean, relayUrl: string }} link
 * @param {{ isLast: boolean }} options
 */
async function saveLink({ enabled, relayUrl }, { isLast }) {
  if (readOwn("relayUrl") !== relayUrl) await writeOwn("relayUrl", relayUrl);
  if (isLast && readOwn("enabled") !== enabled) await writeOwn("enabled", enabled);
}

/** @param {any} type  The window's class. */
export function registerSettingsMenu(type) {
  /** @type {any} */ (game.settings).registerMenu(MODULE_ID, MENU, {
    name: "AAGM.Settings.title",
    label: "AAGM.Settings.open",
    hint: "AAGM.Settings.menuHint",
    icon: "fas fa-robot",
    type,
    restricted: true,
  });
}

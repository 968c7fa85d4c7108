/** The window of the world's plug-ins: what there is, what is wrong with it, and a form to run one. */

import { PluginsView } from "./views/plugins-view.js";
import { MODULE_ID } from "../identity.js";
import { defineOneWindow } from "./one-window.js";

const MENU = "aagmPlugins";
const PLUGINS_ID = "aagm-plugins";

/**
 * @param {{ api: any, openChat: () => void }} parts
 * @returns {any}  A subclass of ApplicationV2, constructed without arguments, as a settings menu is. There is one at a time.
 */
export function definePluginsWindow({ api, openChat }) {
  return class PluginsWindow extends defineOneWindow() {
    static DEFAULT_OPTIONS = {
      id: PLUGINS_ID,
      classes: ["aagm"],
      tag: "div",
      window: { title: "AAGM.Plugins.title", icon: "fa-solid fa-plug", resizable: true, contentClasses: ["aagm-content"] },
      position: { width: 520, height: 600 },
    };

    /** @type {PluginsView|null} */
    #view = null;

    async _renderHTML() {
      this.#view ??= new PluginsView({ list: api.plugins.list, run: api.plugins.run, openChat });
      return this.#view.element;
    }

    _onClose() {
      super._onClose();
      this.#view = null;
    }
  };
}

/** @param {any} type  The window's class. */
export function registerPluginsMenu(type) {
  /** @type {any} */ (game.settings).registerMenu(MODULE_ID, MENU, {
    name: "AAGM.Plugins.title",
    label: "AAGM.Plugins.openWindow",
    hint: "AAGM.Plugins.menuHint",
    icon: "fas fa-plug",
    type,
    restricted: true,
  });
}

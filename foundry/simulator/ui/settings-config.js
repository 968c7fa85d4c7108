/** The window that lists settings and menus, for the demo and for tests of locked states. */

/** @param {import("../client/client.js").Client} client */
export function defineSettingsConfig(client, ApplicationV2) {
  return class SettingsConfig extends ApplicationV2 {
    static DEFAULT_OPTIONS = { id: "settings-config", tag: "form", window: { title: "Configure Settings", resizable: true }, position: { width: 560 } };

    /** What this user sees: settings shown in the window, and menus. */
    async _prepareContext() {
      const { settings, i18n, user } = client.game;
      const mayWrite = (setting) => setting.scope !== "world" || user.can("SETTINGS_MODIFY");
      const shown = Array.from(settings.settings.values()).filter((setting) => setting.config && mayWrite(setting));
      return {
        settings: shown.map((setting) => ({ ...setting, label: i18n.localize(setting.name ?? setting.id), value: settings.get(setting.namespace, setting.key) })),
        menus: Array.from(settings.menus.values()).filter((menu) => !menu.restricted || user.isGM),
      };
    }

    async _renderHTML({ settings, menus }) {
      const { document } = globalThis;
      const rows = menus.map((menu) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: client.game.i18n.localize(menu.label ?? menu.name) });
        button.dataset.key = menu.key;
        button.addEventListener("click", () => this.openMenu(menu.key));
        return button;
      });
      for (const setting of settings) rows.push(settingRow(setting));
      return rows;
    }

    _replaceHTML(rows, content) {
      content.replaceChildren(...rows);
    }

    /** Open a registered menu as its button does. */
    openMenu(key) {
      const menu = client.game.settings.menus.get(key);
      const app = new menu.type();
      app.render(app instanceof ApplicationV2 ? { force: true } : true);
      return app;
    }
  };
}

function settingRow(setting) {
  const { document } = globalThis;
  const label = Object.assign(document.createElement("label"), { textContent: setting.label });
  const input = Object.assign(document.createElement("input"), { name: setting.id });
  input.type = typeof setting.value === "boolean" ? "checkbox" : typeof setting.value === "number" ? "number" : "text";
  if (input.type === "checkbox") input.checked = setting.value;
  else input.value = typeof setting.value === "object" ? JSON.stringify(setting.value) : setting.value;
  label.append(input);
  return label;
}

/** `DialogV2`: questions, answered by buttons on a page and by `ui.answer()` in tests. */

/**
 * @param {import("../client/client.js").Client} client
 * @param {ReturnType<import("./application.js").defineApplicationV2>} ApplicationV2
 */
export function defineDialogV2(client, ApplicationV2) {
  client.dialogs = [];

  class DialogV2 extends ApplicationV2 {
    static DEFAULT_OPTIONS = {
      id: "dialog-{id}",
      classes: ["dialog"],
      tag: "dialog",
      window: { frame: true, positioned: true, minimizable: false },
    };

    constructor(options = {}) {
      super(options);
      if (!this.options.buttons?.length && !Object.keys(this.options.buttons ?? {}).length) throw new Error("You must define at least one entry in options.buttons");
      this.buttons = Object.fromEntries([this.options.buttons].flat().map((button) => [button.action, button]));
    }

    async _renderHTML() {
      const { document } = globalThis;
      const form = document.createElement("form");
      form.className = "dialog-form standard-form";
      const content = document.createElement("div");
      content.className = "dialog-content standard-form";
      if (typeof this.options.content === "string") content.innerHTML = this.options.content;
      else if (this.options.content) content.append(this.options.content);
      const footer = document.createElement("footer");
      footer.className = "form-footer";
      for (const button of Object.values(this.buttons)) footer.append(this.#button(button));
      form.append(content, footer);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        this._press(event.submitter?.dataset.action ?? this.#default(), event, event.submitter);
      });
      return form;
    }

    #button({ action, label, icon, default: isDefault }) {
      const made = globalThis.document.createElement("button");
      made.type = "submit";
      made.dataset.action = action;
      made.autofocus = Boolean(isDefault);
      const text = globalThis.document.createElement("span");
      text.textContent = client.game.i18n.localize(label ?? action);
      if (icon) made.append(Object.assign(globalThis.document.createElement("i"), { className: icon }));
      made.append(text);
      return made;
    }

    #default() {
      const buttons = Object.values(this.buttons);
      return (buttons.find((button) => button.default) ?? buttons[0]).action;
    }

    _replaceHTML(result, content) {
      content.replaceChildren(result);
    }

    _insertElement(element) {
      super._insertElement(element);
      if (this.options.modal) element.showModal();
      else element.show();
    }

    /** Press a button: its callback's result, or its name, is the answer. */
    async _press(action, event = new Event("submit"), target = null) {
      const button = this.buttons[action];
      if (!button) throw new Error(`the dialog "${this.title}" has no button ${action}`);
      const shown = target ?? { form: this.form, dataset: { action } };
      const result = (await button.callback?.(event, shown, client.generation === 12 ? this.element : this)) ?? action;
      await this.options.submit?.(result, this);
      this._answered?.(result);
      return this.close({ submitted: true });
    }

    _onClose(options) {
      super._onClose(options);
      client.dialogs = client.dialogs.filter((dialog) => dialog !== this);
      if (!options.submitted) this._dismissed?.();
    }

    static async confirm({ yes = {}, no = {}, ...options } = {}) {
      const buttons = [
        { action: "yes", label: "Yes", icon: "fa-solid fa-check", callback: () => true, ...yes },
        { action: "no", label: "No", icon: "fa-solid fa-xmark", default: true, callback: () => false, ...no },
      ];
      return this.wait({ ...options, buttons });
    }

    static async prompt({ ok = {}, ...options } = {}) {
      const buttons = [{ action: "ok", label: "Confirm", icon: "fa-solid fa-check", default: true, ...ok }];
      return this.wait({ ...options, buttons });
    }

    /** @returns {Promise<unknown>} The answer; null when dismissed, or a rejection where `rejectClose` is true (the default in 12). */
    static wait({ rejectClose = client.generation === 12, close, render, ...options } = {}) {
      return new Promise((resolve, reject) => {
        const dialog = new this(options);
        dialog._answered = resolve;
        dialog._dismissed = () => {
          const result = close instanceof Function ? close(new Event("close"), dialog) : undefined;
          if (rejectClose) reject(new Error("Dialog was dismissed without pressing a button."));
          else resolve(result ?? null);
        };
        client.dialogs.push(dialog);
        dialog.render({ force: true }).then(() => render?.(new Event("render"), client.generation === 12 ? dialog.element : dialog), reject);
      });
    }
  }

  if (client.generation >= 13) {
    DialogV2.input = ({ ok = {}, ...options } = {}) => {
      const read = (_event, button) => Object.fromEntries(new FormData(button.form));
      return DialogV2.prompt({ ...options, ok: { callback: read, ...ok } });
    };
    DialogV2.query = (user, type, options) => {
      if (user.id !== client.userId) throw new Error("the simulator asks only its own user");
      return DialogV2[type](options);
    };
  }
  return DialogV2;
}

/**
 * Answer the open dialog, the newest one or the one whose title fits.
 * @param {import("../client/client.js").Client} client
 * @param {{title?: string|RegExp, button?: string, close?: boolean, values?: Record<string, unknown>}} answer
 */
export async function answerDialog(client, { title, button, close = false, values = {} }) {
  const fits = (dialog) => title === undefined || (title instanceof RegExp ? title.test(dialog.title) : dialog.title === title);
  const dialog = client.dialogs.findLast(fits);
  if (!dialog) throw new Error(`no dialog is open${title ? ` that is called ${title}` : ""}`);
  await dialog.render();
  if (close) return dialog.close();
  for (const [name, value] of Object.entries(values)) {
    const field = dialog.element?.querySelector(`[name="${name}"]`);
    if (field) field.value = value;
  }
  const fields = { elements: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { name, value }])) };
  const headless = { form: fields, dataset: { action: button } };
  return dialog._press(button ?? Object.keys(dialog.buttons)[0], new Event("submit"), dialog.element ? dialog.element.querySelector(`button[data-action="${button}"]`) : headless);
}

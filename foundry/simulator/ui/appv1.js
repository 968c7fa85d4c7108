/** `Application`, `FormApplication` and `Dialog` of the first framework: minimal, so that foreign code can use them. */
import { wrap } from "./wrapper.js";

/** Define the classes for one client. */
export function defineAppV1(client) {
  let nextId = 1;

  class Application {
    static get defaultOptions() {
      return { id: "", classes: [], title: "", width: 400, height: "auto", popOut: true, template: null };
    }

    constructor(options = {}) {
      this.options = client.utils.mergeObject(this.constructor.defaultOptions, options, { inplace: false });
      this.appId = nextId;
      nextId += 1;
      this._state = 0;
      this._element = null;
    }

    get id() {
      return this.options.id || `app-${this.appId}`;
    }

    get title() {
      return client.game.i18n.localize(this.options.title);
    }

    get element() {
      return this._element ?? wrap(null);
    }

    get rendered() {
      return this._state === 2;
    }

    get closing() {
      return false;
    }

    getData() {
      return {};
    }

    activateListeners() {}

    render(force = false, options = {}) {
      if (!force && !this.rendered) return this;
      this._render(force, options).catch((error) => client.report(error));
      return this;
    }

    async _render() {
      const data = await this.getData(this.options);
      const html = await this._renderInner(data);
      this._state = 2;
      this._element = html;
      client.ui.windows[this.appId] = this;
      if (html[0]) (client.page?.body ?? globalThis.document.body).append(html[0]);
      this.activateListeners(html);
      for (let Class = this.constructor; Class.name && Class !== Function.prototype; Class = Object.getPrototypeOf(Class)) {
        client.Hooks.callAll(`render${Class.name}`, this, html, data);
      }
    }

    async _renderInner() {
      if (typeof globalThis.document?.createElement !== "function") return wrap(null);
      const element = Object.assign(globalThis.document.createElement("div"), { id: this.id, className: ["app", "window-app", ...this.options.classes].join(" ") });
      return wrap(element);
    }

    setPosition(position = {}) {
      return position;
    }

    bringToTop() {}

    async close() {
      if (!this.rendered) return;
      this._state = -1;
      this._element?.[0]?.remove();
      delete client.ui.windows[this.appId];
      client.Hooks.callAll(`close${this.constructor.name}`, this, this._element);
    }
  }

  class FormApplication extends Application {
    constructor(object = {}, options = {}) {
      super(options);
      this.object = object;
    }

    async submit({ updateData = {} } = {}) {
      await this._updateObject(new Event("submit"), updateData);
      return this;
    }

    async _updateObject() {
      throw new Error("A subclass of the FormApplication must implement the _updateObject method.");
    }
  }

  class Dialog extends Application {
    constructor(data, options = {}) {
      super(options);
      this.data = data;
      client.dialogsV1 = [...(client.dialogsV1 ?? []), this];
    }

    get title() {
      return this.data.title ?? "Dialog";
    }

    async _render() {
      await super._render();
      this.data.render?.(this.element);
    }

    /** Press a button by its key. */
    async press(key) {
      const result = await this.data.buttons[key].callback?.(this.element);
      await this.close();
      return result;
    }

    async close() {
      client.dialogsV1 = client.dialogsV1.filter((dialog) => dialog !== this);
      this.data.close?.(this.element);
      return super.close();
    }

    static confirm({ title, content, yes, no, defaultYes = true } = {}) {
      return new Promise((resolve) => {
        const button = (label, callback) => ({ label, callback: (html) => resolve(callback ? callback(html) : label === "Yes") });
        new this({ title, content, buttons: { yes: button("Yes", yes), no: button("No", no) }, default: defaultYes ? "yes" : "no" }).render(true);
      });
    }
  }

  return { Application, FormApplication, Dialog };
}

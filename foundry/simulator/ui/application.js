/**
 * `ApplicationV2`: windows whose DOM the module makes. Without a DOM (in Node) a window is rendered in name only.
 *
 * Source: FOUNDRY_FACTS 5.
 */
import { FormDataExtended } from "./forms.js";
import { buildFrame, placeFrame } from "./frame.js";

const RENDER_STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

/** Define the class for one client. */
export function defineApplicationV2(client) {
  client.instances = new Map();
  let nextId = 1;
  let top = 100;

  class ApplicationV2 extends EventTarget {
    static BASE_APPLICATION = ApplicationV2;

    static RENDER_STATES = RENDER_STATES;

    static DEFAULT_OPTIONS = {
      id: "app-{id}",
      classes: [],
      tag: "div",
      window: {
        frame: true, positioned: true, title: "", icon: false, controls: [], minimizable: true, resizable: false, contentTag: "section", contentClasses: [],
      },
      actions: {},
      form: { handler: undefined, submitOnChange: false, closeOnSubmit: false },
      position: {},
    };

    #actions;
    #rendering = Promise.resolve();

    constructor(options = {}) {
      super();
      this.options = Object.freeze(this._initializeApplicationOptions(options));
      this.#actions = this.options.actions;
      this.position = { top: undefined, left: undefined, width: "auto", height: "auto", scale: 1, zIndex: top, ...this.options.position };
      this.tabGroups = {};
      this.window = { header: null, title: null, icon: null, close: null, controls: null, content: null };
      this.element = null;
      this.minimized = false;
      this._state = RENDER_STATES.NONE;
    }

    static *inheritanceChain() {
      for (let Class = this; Class !== EventTarget; Class = Object.getPrototypeOf(Class)) yield Class;
    }

    _initializeApplicationOptions(options) {
      const merged = {};
      for (const Class of [...this.constructor.inheritanceChain()].reverse()) {
        if (Object.hasOwn(Class, "DEFAULT_OPTIONS")) mergeOptions(client.utils, merged, Class.DEFAULT_OPTIONS);
      }
      mergeOptions(client.utils, merged, options);
      merged.uniqueId = String(nextId);
      nextId += 1;
      merged.id = merged.id.replace("{id}", merged.uniqueId);
      return merged;
    }

    get id() {
      return this.options.id;
    }

    get title() {
      return client.game.i18n.localize(this.options.window.title);
    }

    get state() {
      return this._state;
    }

    get rendered() {
      return this._state === RENDER_STATES.RENDERED;
    }

    get hasFrame() {
      return this.options.window.frame;
    }

    get form() {
      if (this.options.tag === "form") return this.element;
      return this.element?.querySelector?.("form") ?? null;
    }

    /**
     * Render; one rendering at a time. Without `force` a window that is not open stays closed.
     * @param {boolean|object} [options]
     */
    render(options = {}, further = {}) {
      const wanted = typeof options === "boolean" ? { force: options, ...further } : { ...options };
      const run = () => this.#render(wanted);
      this.#rendering = this.#rendering.then(run, run);
      return this.#rendering;
    }

    async #render(options) {
      const isFirst = !this.rendered;
      if (isFirst && !options.force) return this;
      options.isFirstRender = isFirst;
      this._configureRenderOptions(options);
      if (this._canRender(options) === false) return this;
      this._state = RENDER_STATES.RENDERING;
      try {
        await this.#renderParts(options, isFirst);
      } catch (error) {
        this._state = RENDER_STATES.ERROR;
        throw error;
      }
      return this;
    }

    async #renderParts(options, isFirst) {
      const context = await this._prepareContext(options);
      if (isFirst) await this._preFirstRender(context, options);
      await this._preRender(context, options);
      const hasPage = typeof globalThis.document?.createElement === "function";
      if (hasPage) await this.#renderElement(context, options, isFirst);
      client.instances.set(this.id, this);
      this._state = RENDER_STATES.RENDERED;
      if (isFirst && hasPage) await this._onFirstRender(context, options);
      if (hasPage) await this._onRender(context, options);
      if (options.position) this.setPosition(options.position);
      else if (isFirst && hasPage) this.setPosition(this.position);
      if (this.hasFrame && isFirst) this.bringToFront();
      const told = client.generation >= 13 ? [this.element, context, options] : [this.element];
      for (const Class of this.constructor.inheritanceChain()) client.Hooks.callAll(`render${Class.name}`, this, ...told);
      this.dispatchEvent(new Event("render"));
    }

    async #renderElement(context, options, isFirst) {
      const result = await this._renderHTML(context, options);
      if (isFirst) {
        this.element = await this._renderFrame(options);
        this.#listen();
        this._insertElement(this.element);
        this._attachFrameListeners();
      }
      const content = this.hasFrame ? this.window.content : this.element;
      this._replaceHTML(result, content, options);
      if (this.window.title) this._updateFrame(options);
    }

    async _renderFrame() {
      return buildFrame(this, client);
    }

    _updateFrame() {
      this.window.title.textContent = this.title;
    }

    _insertElement(element) {
      const body = client.page?.body ?? globalThis.document.body;
      globalThis.document.getElementById(element.id)?.remove();
      body.append(element);
    }

    #listen() {
      this.element.addEventListener("click", (event) => this.#onClick(event));
      this.element.addEventListener("pointerdown", () => this.bringToFront(), { capture: true });
      const { handler, submitOnChange } = this.options.form ?? {};
      if (!handler && this.options.tag !== "form") return;
      this.element.addEventListener("submit", (event) => this._onSubmitForm(this.options.form, event));
      if (submitOnChange) this.element.addEventListener("change", (event) => this._onChangeForm(this.options.form, event));
    }

    #onClick(event) {
      const target = event.target.closest?.("[data-action]");
      if (!target || !this.element.contains(target)) return;
      const { action } = target.dataset;
      if (action === "close" && !(action in this.#actions)) {
        this.close();
        return;
      }
      const entry = this.#actions[action];
      const listener = typeof entry === "object" ? entry.handler : entry;
      if (listener) client.guarded(`action ${action}`, () => listener.call(this, event, target));
      else this._onClickAction(event, target);
    }

    _onClickAction() {}

    async _onSubmitForm(formConfig, event) {
      event.preventDefault();
      const form = event.target.closest("form") ?? event.currentTarget;
      const data = new FormDataExtended(form);
      await formConfig.handler?.call(this, event, form, data);
      if (formConfig.closeOnSubmit) await this.close({ submitted: true });
    }

    _onChangeForm(formConfig, event) {
      if (formConfig.submitOnChange) this._onSubmitForm(formConfig, event);
    }

    /** Submit the form as a click on its button does. */
    async submit(submitOptions = {}) {
      if (!this.form) throw new Error(`The ${this.constructor.name} application does not support a single top-level form element`);
      this.form.requestSubmit();
      return submitOptions;
    }

    _configureRenderOptions() {}

    _canRender() {}

    async _prepareContext() {
      return {};
    }

    async _preFirstRender() {}

    async _preRender() {}

    async _renderHTML() {
      throw new Error(`The ${this.constructor.name} Application class must implement _renderHTML`);
    }

    _replaceHTML() {
      throw new Error(`The ${this.constructor.name} Application class must implement _replaceHTML`);
    }

    _attachFrameListeners() {}

    async _onFirstRender() {}

    async _onRender() {}

    async _preClose() {}

    _onClose() {}

    _onPosition() {}

    _getHeaderControls() {
      return [...(this.options.window.controls ?? [])];
    }

    setPosition(position = {}) {
      Object.assign(this.position, position);
      if (this.element && this.hasFrame) placeFrame(this.element, this.position);
      this._onPosition(this.position);
      return this.position;
    }

    bringToFront() {
      top += 1;
      this.position.zIndex = top;
      if (this.element) this.element.style.zIndex = String(top);
      client.ui.activeWindow = this;
    }

    async minimize() {
      this.minimized = true;
      this.element?.classList.add("minimized");
    }

    async maximize() {
      this.minimized = false;
      this.element?.classList.remove("minimized");
    }

    changeTab(tab, group) {
      this.tabGroups[group] = tab;
      for (const element of this.element?.querySelectorAll(`[data-group="${group}"][data-tab]`) ?? []) {
        element.classList.toggle("active", element.dataset.tab === tab);
      }
    }

    async close(options = {}) {
      await this.#rendering.catch(() => {});
      if (!this.rendered) return this;
      await this._preClose(options);
      this._state = RENDER_STATES.CLOSING;
      this.element?.remove();
      client.instances.delete(this.id);
      this._state = RENDER_STATES.CLOSED;
      this._onClose(options);
      for (const Class of this.constructor.inheritanceChain()) client.Hooks.callAll(`close${Class.name}`, this);
      this.dispatchEvent(new Event("close"));
      this.element = null;
      return this;
    }

    toString() {
      return `[${this.constructor.name} ${this.id}]`;
    }
  }

  return ApplicationV2;
}

/** Options merge member by member; classes add up. */
function mergeOptions(utils, target, options) {
  const classes = [...(target.classes ?? []), ...(options.classes ?? [])];
  const controls = [...(target.window?.controls ?? []), ...(options.window?.controls ?? [])];
  utils.mergeObject(target, utils.deepClone(options));
  target.classes = Array.from(new Set(classes));
  if (target.window) target.window.controls = controls;
}

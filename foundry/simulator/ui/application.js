/** `ApplicationV2`: windows with hand-made DOM. */

/** @param {import("../client/client.js").Client} client */
export function defineApplicationV2(client) {
  client.instances = new Map();
  let nextId = 1;

  class ApplicationV2 {
    static DEFAULT_OPTIONS = {
      id: "app-{id}",
      classes: [],
      tag: "div",
      window: { frame: true, positioned: true, title: "", icon: false, controls: [], minimizable: true, resizable: false, contentTag: "section", contentClasses: [] },
      actions: {},
      form: { handler: undefined, submitOnChange: false, closeOnSubmit: false },
      position: {},
    };

    static RENDER_STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

    constructor(options = {}) {
      this.options = this._initializeApplicationOptions(options);
      this.position = { ...this.options.position };
      this.state = 0;
      this.element = null;
    }

    static *inheritanceChain() {
      for (let Class = this; Class && Class !== Object; Class = Object.getPrototypeOf(Class)) {
        if (Class.prototype instanceof ApplicationV2 || Class === ApplicationV2) yield Class;
      }
    }

    _initializeApplicationOptions(options) {
      const chain = [...this.constructor.inheritanceChain()].reverse();
      const merged = {};
      for (const Class of chain) {
        if (Object.hasOwn(Class, "DEFAULT_OPTIONS")) mergeOptions(client.utils, merged, Class.DEFAULT_OPTIONS);
      }
      mergeOptions(client.utils, merged, options);
      merged.uniqueId = String(nextId);
      merged.id = merged.id.replace("{id}", merged.uniqueId);
      nextId += 1;
      return merged;
    }

    get id() {
      return this.options.id;
    }

    get title() {
      return client.game.i18n.localize(this.options.window.title);
    }

    get rendered() {
      return this.state === 2;
    }
  }

  return { ApplicationV2 };
}

function mergeOptions(utils, target, options) {
  const classes = [...(target.classes ?? []), ...(options.classes ?? [])];
  utils.mergeObject(target, utils.deepClone(options));
  target.classes = Array.from(new Set(classes));
}

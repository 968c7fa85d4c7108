/** The smaller parts of a client: browser storage, languages, keys, toasts, dice. */
import { getProperty, isPlain, setProperty } from "../core/objects.js";

/** Browser storage of one client; survives its reload. */
export class BrowserStorage {
  #items = new Map();
  #isFull;

  /** @param {(key: string) => boolean} isFull Asked before each write. */
  constructor(isFull = () => false) {
    this.#isFull = isFull;
  }

  get length() {
    return this.#items.size;
  }

  key(index) {
    return Array.from(this.#items.keys())[index] ?? null;
  }

  getItem(key) {
    return this.#items.get(String(key)) ?? null;
  }

  setItem(key, value) {
    if (this.#isFull(key)) throw Object.assign(new Error("The quota has been exceeded."), { name: "QuotaExceededError" });
    this.#items.set(String(key), String(value));
    this.onChange();
  }

  removeItem(key) {
    this.#items.delete(String(key));
    this.onChange();
  }

  clear() {
    this.#items.clear();
    this.onChange();
  }

  /** Called after each write: whoever keeps the storage elsewhere replaces it. */
  onChange() {}

  toJSON() {
    return Object.fromEntries(this.#items);
  }
}

/** `game.i18n`. Missing keys are kept, so that a test can ask for them. */
export class Localization {
  constructor(lang = "en") {
    this.lang = lang;
    this.translations = {};
    this._fallback = {};
    this.missing = new Set();
  }

  /** Add a language file, flat or nested. */
  load(translations) {
    for (const [key, value] of Object.entries(translations)) {
      const known = getProperty(this.translations, key);
      if (isPlain(value) && isPlain(known)) {
        for (const [inner, text] of Object.entries(value)) this.load({ [`${key}.${inner}`]: text });
      } else setProperty(this.translations, key, value);
    }
  }

  has(key) {
    return typeof getProperty(this.translations, key) === "string";
  }

  localize(key) {
    const text = getProperty(this.translations, key);
    if (typeof text === "string") return text;
    this.missing.add(key);
    return String(key);
  }

  format(key, data = {}) {
    return this.localize(key).replace(/\{([^}]+)\}/g, (_whole, name) => data[name]);
  }

  getListFormatter({ style = "long", type = "conjunction" } = {}) {
    return new Intl.ListFormat(this.lang, { style, type });
  }
}

/** `game.keybindings`. */
export class KeyBindings {
  #client;

  constructor(client) {
    this.#client = client;
    this.actions = new Map();
  }

  register(namespace, action, data) {
    if (this.#client.documentsReady) throw new Error("You cannot register a Keybinding after the setup hook");
    if (!namespace || !action) throw new Error("You must specify both the namespace and action portion of the Keybinding");
    this.actions.set(`${namespace}.${action}`, { editable: [], uneditable: [], restricted: false, precedence: 1, ...data, namespace });
  }

  get(namespace, action) {
    const known = this.actions.get(`${namespace}.${action}`);
    if (!known) throw new Error(`"${namespace}.${action}" is not a registered keybinding`);
    return [...known.uneditable, ...known.editable];
  }

  /**
   * Press a key.
   * @returns {boolean} Whether an action took it.
   */
  press(key, modifiers = []) {
    const wanted = [...modifiers].sort().join();
    const fits = (binding) => binding.key === key && [...(binding.modifiers ?? [])].sort().join() === wanted;
    const actions = Array.from(this.actions.values())
      .filter((action) => [...action.editable, ...action.uneditable].some(fits))
      .filter((action) => !action.restricted || this.#client.game.user.isGM)
      .sort((a, b) => a.precedence - b.precedence);
    return actions.some((action) => action.onDown?.({ key, modifiers, repeat: false, up: false }) === true);
  }
}

/** `ui.notifications`: toasts are kept in `shown`. */
export class Notifications {
  #client;
  #next = 1;

  constructor(client) {
    this.#client = client;
    this.shown = [];
    this.active = [];
    if (client.generation >= 13) {
      this.success = (message, options) => this.notify(message, "success", options);
      this.update = (notification, changes) => Object.assign(this.#find(notification) ?? {}, changes);
    }
  }

  info(message, options) {
    return this.notify(message, "info", options);
  }

  warn(message, options) {
    return this.notify(message, "warning", options);
  }

  error(message, options) {
    return this.notify(message, "error", options);
  }

  /** Generation 12 answers a number, later ones the notification. */
  notify(message, type = "info", { localize = false, permanent = false, format, ...options } = {}) {
    const { i18n } = this.#client.game;
    let text = message instanceof Error ? message.message : String(message);
    if (format) text = i18n.format(text, format);
    else if (localize) text = i18n.localize(text);
    const notification = { id: this.#next, type, message: text, permanent, ...options };
    this.#next += 1;
    this.shown.push(notification);
    this.active.push(notification);
    this.#client.onToast?.(notification);
    if (this.#client.generation === 12) return notification.id;
    notification.remove = () => this.remove(notification);
    return notification;
  }

  #find(notification) {
    return this.active.find((known) => known === notification || known.id === notification);
  }

  remove(notification) {
    const found = this.#find(notification);
    this.active = this.active.filter((known) => known !== found);
  }

  clear() {
    this.active = [];
  }
}

/** Define `Roll`: dice by seeded chance, `NdM` and numbers, joined by plus and minus. */
export function defineRoll(client) {
  return class Roll {
    constructor(formula, data = {}) {
      this.data = data;
      this.formula = String(formula).replace(/@([\w.]+)/g, (_whole, path) => getProperty(data, path) ?? 0);
      this.terms = [];
      this._evaluated = false;
    }

    get total() {
      return this._evaluated ? this._total : undefined;
    }

    get result() {
      return this.terms.map(({ sign, value }) => `${sign < 0 ? "- " : "+ "}${value}`).join(" ");
    }

    async evaluate() {
      return this.evaluateSync();
    }

    evaluateSync() {
      const pieces = this.formula.replace(/\s+/g, "").match(/[+-]?[^+-]+/g) ?? [];
      this.terms = pieces.map((piece) => {
        const sign = piece.startsWith("-") ? -1 : 1;
        return { sign, value: this.#term(piece.replace(/^[+-]/, "")) };
      });
      this._total = this.terms.reduce((sum, { sign, value }) => sum + sign * value, 0);
      this._evaluated = true;
      return this;
    }

    #term(text) {
      const dice = /^(\d*)d(\d+)$/i.exec(text);
      if (!dice) {
        const number = Number(text);
        if (Number.isNaN(number)) throw new Error(`the simulated Roll does not know "${text}"`);
        return number;
      }
      let sum = 0;
      for (let i = 0; i < Number(dice[1] || 1); i += 1) sum += 1 + Math.floor(client.random() * Number(dice[2]));
      return sum;
    }

    async toMessage(data = {}, { create = true } = {}) {
      if (!this._evaluated) await this.evaluate();
      const message = { content: String(this.total), rolls: [JSON.stringify(this)], ...data };
      return create ? client.classOf("ChatMessage").create(message) : message;
    }

    toJSON() {
      return { class: "Roll", formula: this.formula, total: this._total ?? null, evaluated: this._evaluated };
    }

    static validate(formula) {
      return /^[\d\sd+-]+$/i.test(formula);
    }
  };
}

/** The inside of the plug-ins' window: the list, and the form of one that runs it. */

/** @import { Field, Plugin } from "../plugin-form.js" */
import { argsOf, fieldOf, fieldsOf, takesMore } from "../plugin-form.js";
import { button, el, fill, set, setText } from "../dom.js";
import { equalJson } from "../../recorder/values.js";
import { say } from "../words.js";

/**
 * @typedef {object} ViewParts
 * @property {(options: { refresh: boolean }) => Promise<{ plugins: Plugin[] }>} list
 * @property {(name: string, args: Record<string, unknown>) => Promise<Record<string, any>>} run
 * @property {() => void} openChat
 */

/** Everything between the window's title and its end. */
export class PluginsView {
  #parts;
  #note = el("p", { class: "aagm-plugin-note", role: "status" });
  #rows = el("ul", { class: "aagm-plugin-list" });
  /** @type {Map<string, PluginForm>}  By plug-in: what is filled in, and what came of it, outlast a new list. */
  #forms = new Map();
  #isBusy = false;

  /** @param {ViewParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const again = button(say("Plugins.refresh"), () => void this.load({ refresh: true }), { icon: "again", isQuiet: true });
    this.element = el("div", { class: "aagm-plugins" }, el("header", { class: "aagm-actions" }, this.#note, again), this.#rows);
    void this.load({ refresh: false });
  }

  /** @param {{ refresh: boolean }} options */
  async load(options) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setText(this.#note, say("Plugins.looking"));
    try {
      const { plugins } = await this.#parts.list(options);
      const focused = /** @type {HTMLElement|null} */ (document.activeElement);
      fill(this.#rows, ...plugins.map((plugin) => this.#row(plugin)));
      if (this.#rows.contains(focused)) focused?.focus({ preventScroll: true });
      setText(this.#note, say(plugins.length ? "Plugins.intro" : "Plugins.none"));
    } catch (thrown) {
      setText(this.#note, wordsOf(thrown));
    } finally {
      this.#isBusy = false;
    }
  }

  /** @param {Plugin} plugin */
  #row(plugin) {
    const { name, version, description, writes = [], problems, usable } = plugin;
    const scope = writes.length ? say("Plugins.writes", { types: writes.join(", ") }) : say("Plugins.writesNothing");
    const head = [el("h3", {}, el("span", { dir: "auto" }, name), " ", version && el("span", { class: "aagm-soft" }, version)), description && el("p", { dir: "auto" }, description)];
    const list = problems.length > 0 && el("ul", { class: "aagm-plugin-problems" }, problems.map(({ error, fix }) => el("li", {}, [error, fix].filter(Boolean).join(" "))));
    if (!usable) return el("li", { class: "aagm-plugin", "data-state": "broken" }, head, list, this.#forms.get(plugin.id)?.element);
    return el("li", { class: "aagm-plugin" }, head, el("p", { class: "aagm-soft" }, scope), list, this.#form(plugin).element);
  }

  /** @param {Plugin} plugin */
  #form(plugin) {
    const known = this.#forms.get(plugin.id);
    if (known) known.update(plugin);
    else this.#forms.set(plugin.id, new PluginForm(plugin, this.#parts));
    return /** @type {PluginForm} */ (this.#forms.get(plugin.id));
  }
}

/** The form of one plug-in. */
class PluginForm {
  #plugin;
  #parts;
  /** @type {Field[]} */
  #fields = [];
  /** @type {Map<string, any>} */
  #inputs = new Map();
  #filled = el("div", { class: "aagm-plugin-fields" });
  #answer = el("div", { class: "aagm-plugin-answer", role: "status" });
  #go;
  #mode = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));

  /**
   * @param {Plugin} plugin
   * @param {ViewParts} parts
   */
  constructor(plugin, parts) {
    this.#plugin = plugin;
    this.#parts = parts;
    this.#go = button(say("Plugins.run"), () => void this.#run(), { isMain: true });
    this.element = el("details", {}, el("summary", {}, say("Plugins.open")), el("div", { class: "aagm-plugin-form" }, this.#filled, el("div", { class: "aagm-actions" }, this.#go), this.#answer));
    this.#lay();
  }

  /** @param {Plugin} plugin  As the relay has it now. What was filled in stays in the fields that are still there. */
  update(plugin) {
    const { args, modes } = this.#plugin;
    this.#plugin = plugin;
    if (!equalJson([args, modes], [plugin.args, plugin.modes])) this.#lay();
  }

  /** Make the fields that the plug-in has now. */
  #lay() {
    const { args = {}, modes = [] } = this.#plugin;
    const before = new Map(this.#fields.map((field) => [field.name, { field, input: this.#inputs.get(field.name) }]));
    this.#fields = [...fieldsOf(args), ...(takesMore(args) ? [MORE] : [])];
    this.#inputs.clear();
    const rows = this.#fields.map((field) => this.#row(field));
    for (const { name, kind, choices } of this.#fields) {
      const was = before.get(name);
      if (was?.field.kind === kind && equalJson(was.field.choices, choices)) Object.assign(this.#inputs.get(name), { value: was.input.value, checked: was.input.checked });
    }
    const mayLook = modes.includes("read");
    const isLook = mayLook && !modes.includes("run");
    Object.assign(this.#mode, { checked: isLook || (mayLook && this.#mode.checked), disabled: isLook });
    fill(this.#filled, rows, mayLook && el("label", { class: "aagm-check" }, this.#mode, el("span", {}, say("Plugins.onlyLook"))));
  }

  /** @param {Field} field */
  #row(field) {
    const { name, kind, isRequired, hint } = field;
    const id = `aagm-plugin-${this.#plugin.id}-${name}`;
    const input = /** @type {any} */ (inputOf(field, id));
    this.#inputs.set(name, input);
    const label = field === MORE ? say("Plugins.more") : name;
    const kindHint = kind === "json" ? say("Plugins.asJson") : "";
    const note = [hint, kindHint].filter(Boolean).join(" ");
    return el(
      "div",
      { class: "aagm-row" },
      el("label", { for: id }, label, isRequired && el("span", { class: "aagm-soft" }, ` ${say("Plugins.required")}`)),
      el("div", {}, input, note && el("p", { class: "aagm-soft", dir: "auto" }, note), el("p", { class: "aagm-plugin-fault", id: `${id}-fault`, hidden: true })),
    );
  }

  /** @returns {Record<string, unknown>|null}  Null when a field holds what it cannot hold. */
  #args() {
    const { args, faults } = argsOf(this.#fields, (name) => {
      const input = this.#inputs.get(name);
      return input.type === "checkbox" ? input.checked : input.value;
    });
    this.#clear();
    for (const [name, fault] of Object.entries(faults)) this.#tell(name, say(`Plugins.fault.${fault}`));
    if (Object.keys(faults).length) return null;
    const { [MORE.name]: more = {}, ...known } = args;
    const mode = this.#mode.checked ? { mode: "read" } : {};
    return { .../** @type {object} */ (more), ...known, ...mode };
  }

  async #run() {
    const args = this.#args();
    if (args === null || this.#go.hasAttribute("disabled")) return;
    set(this.#go, { disabled: true });
    fill(this.#answer, el("p", {}, say("Plugins.running")));
    try {
      this.#show(await this.#parts.run(this.#plugin.name, args));
    } catch (thrown) {
      fill(this.#answer, el("p", { class: "aagm-plugin-fault" }, wordsOf(thrown)));
    } finally {
      set(this.#go, { disabled: false });
    }
  }

  /** @param {Record<string, any>} answer  Of the relay, as the agent gets it. */
  #show({ ok, error, fix, schemaPath, rollbackPoint, ...more }) {
    const field = ok ? null : fieldOf(schemaPath);
    if (field !== null && this.#inputs.has(field)) this.#tell(field, error);
    const point = rollbackPoint && [
      el("p", {}, say("Plugins.point", { captured: rollbackPoint.captured, state: say(`Plugins.state.${STATES.has(rollbackPoint.state) ? rollbackPoint.state : "other"}`) })),
      button(say("Plugins.openChat"), () => this.#parts.openChat(), { icon: "undo", isQuiet: true }),
    ];
    fill(
      this.#answer,
      ok ? el("p", { class: "aagm-plugin-done" }, say("Plugins.done")) : el("p", { class: "aagm-plugin-fault", dir: "auto" }, [error, fix].filter(Boolean).join(" ")),
      point,
      Object.keys(more).length > 0 && el("pre", { dir: "auto" }, JSON.stringify(more, null, 2)),
    );
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  #tell(name, text) {
    const input = this.#inputs.get(name);
    const fault = /** @type {HTMLElement} */ (input.parentElement.querySelector(".aagm-plugin-fault"));
    setText(fault, text);
    fault.hidden = false;
    set(input, { "aria-invalid": "true", "aria-describedby": fault.id });
    input.focus();
  }

  #clear() {
    for (const input of this.#inputs.values()) {
      input.parentElement.querySelector(".aagm-plugin-fault").hidden = true;
      set(input, { "aria-invalid": null, "aria-describedby": null });
    }
  }
}

/** @type {Field}  What the schema takes and does not list. */
const MORE = { name: "\u2026", kind: "json", isRequired: false, hint: "", choices: [], isWhole: false };

const STATES = new Set(["live", "rolled-back", "partial", "empty"]);

/**
 * @param {Field} field
 * @param {string} id
 */
function inputOf({ kind, choices, isRequired, isWhole }, id) {
  if (kind === "flag") return el("input", { type: "checkbox", id });
  if (kind === "json") return el("textarea", { id, rows: 3, spellcheck: "false" });
  if (kind === "choice") {
    const options = choices.map((choice, i) => el("option", { value: i }, String(choice)));
    return el("select", { id }, !isRequired && el("option", { value: "" }, ""), options);
  }
  const number = kind === "number" && { inputmode: isWhole ? "numeric" : "decimal" };
  return el("input", { type: "text", id, autocomplete: "off", spellcheck: "false", ...number });
}

/** @param {unknown} thrown */
function wordsOf(thrown) {
  const { code, message = String(thrown), data } = /** @type {any} */ (thrown);
  if (code === -32601) return say("Plugins.familyRelay");
  return [message, data?.fix].filter(Boolean).join(" ");
}

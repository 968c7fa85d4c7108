/** The inside of the settings window. */

/** @import { Status } from "../../api.js" */
/** @import { WorldSettings } from "../../wire.js" */
import { MODES, codeOf, modeOf, multitaskingOf, pairingOf } from "../settings-rules.js";
import { button, el, set, setText } from "../dom.js";
import { say } from "../words.js";
import { statusLine } from "../status-words.js";

/**
 * @typedef {{ enabled: boolean, relayUrl: string }} LinkSettings
 * @typedef {object} FormParts
 * @property {WorldSettings} world
 * @property {LinkSettings} link
 * @property {() => Status} status
 * @property {() => boolean} hasToken
 * @property {() => boolean} wasHidden
 * @property {(code: string, link: LinkSettings) => Promise<void>} pair
 * @property {() => void} retry
 */

/** Everything between the window's title and its end. */
export class SettingsForm {
  #parts;
  #multitasking;
  #stored; // multitasking as Custom has it
  #status = el("p", { class: "aagm-status-text", role: "status" });
  #lamp = el("div", { class: "aagm-status aagm-inline" });
  #pairing = el("p", { class: "aagm-pairing", role: "status" });
  #code;
  #hasTried = false;

  /** @param {FormParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { world } = parts;
    this.#stored = world.multitasking;
    this.#multitasking = /** @type {HTMLInputElement} */ (checkbox("multitasking", world.multitasking));
    this.#multitasking.addEventListener("change", () => { this.#stored = this.#multitasking.checked; });
    this.#code = /** @type {HTMLInputElement} */ (
      el("input", {
        type: "text", id: "aagm-settings-code", inputmode: "numeric", autocomplete: "off", maxlength: 7, placeholder: "000 000", "aria-describedby": "aagm-settings-pairing",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          void this.#pair();
        },
      })
    );
    this.#pairing.id = "aagm-settings-pairing";
    this.element = el("div", { class: "aagm-settings" }, el("div", { class: "aagm-fields" }, this.#link(), this.#mode(), this.#mirror()), this.#footer());
    this.#lock(modeOf(world.mode));
    this.update();
  }

  /** The connection has changed. */
  update() {
    const { status, hasToken, wasHidden } = this.#parts;
    const connection = status();
    const facts = { connection, listener: null, mode: "internal", isWorking: false, isFamilyRelay: false, waiting: 0, wasHidden: wasHidden() };
    const isOwner = connection.connected && connection.owner;
    const line = isOwner ? { tone: "good", label: say("Settings.connected"), message: connection.relay?.memberName ?? "", fix: "" } : statusLine(facts);
    set(this.#lamp, { "data-tone": line.tone });
    this.#status.replaceChildren(el("strong", {}, line.label), " ", line.message, " ", el("span", { class: "aagm-fix" }, line.fix));
    const { code = "", message = "" } = connection.reason ?? {};
    const state = pairingOf({ connected: connection.connected, code, hasToken: hasToken(), hasTried: this.#hasTried });
    set(this.#pairing, { "data-state": state });
    setText(this.#pairing, code === "code_refused" ? message : say(`Settings.pairing.${state}`));
    if (state === "paired" && this.#hasTried) {
      this.#hasTried = false;
      this.#code.value = "";
    }
  }

  /** @returns {{ world: WorldSettings, link: LinkSettings }}  What is to be saved; a preset has decided of multitasking. */
  read() {
    const fields = /** @type {any} */ (Object.fromEntries([...this.element.querySelectorAll("input")].map((input) => [input.name, input])));
    const mode = this.#chosenMode();
    return {
      world: {
        mode,
        multitasking: multitaskingOf(mode, this.#multitasking.checked).value,
        mirrorEnabled: fields.mirrorEnabled.checked,
        mirrorPath: fields.mirrorPath.value.trim(),
        mirrorContextualSort: fields.mirrorContextualSort.checked,
      },
      link: this.#readLink(),
    };
  }

  /** @returns {LinkSettings} */
  #readLink() {
    const input = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (this.element.querySelector(`[name="${name}"]`));
    return { enabled: input("enabled").checked, relayUrl: input("relayUrl").value.trim() };
  }

  #link() {
    const { link, retry } = this.#parts;
    this.#lamp.append(el("span", { class: "aagm-lamp", "aria-hidden": "true" }), el("div", { class: "aagm-status-main" }, this.#status));
    return fieldset(
      say("Settings.connection"),
      this.#lamp,
      checkRow(checkbox("enabled", link.enabled), say("Settings.enabled"), say("Settings.enabledHint")),
      row("aagm-settings-url", say("Settings.relayUrl"), el("input", { type: "text", name: "relayUrl", id: "aagm-settings-url", value: link.relayUrl, spellcheck: "false", autocomplete: "off" })),
      row("aagm-settings-code", say("Settings.code"), el("span", { class: "aagm-together" }, this.#code, button(say("Settings.pair"), () => void this.#pair()), button(say("Settings.retry"), retry, { icon: "again", isQuiet: true }))),
      this.#pairing,
    );
  }

  #mode() {
    const chosen = modeOf(this.#parts.world.mode);
    const radios = MODES.map((mode) => {
      const radio = el("input", { type: "radio", name: "mode", value: mode, checked: mode === chosen, onchange: () => this.#lock(mode) });
      return checkRow(radio, say(`Settings.mode.${mode}`), say(`Settings.mode.${mode}Hint`));
    });
    return fieldset(say("Settings.mode.label"), radios, checkRow(this.#multitasking, say("Settings.multitasking"), say("Settings.multitaskingHint")));
  }

  #mirror() {
    const { mirrorEnabled, mirrorPath, mirrorContextualSort } = this.#parts.world;
    return fieldset(
      say("Settings.mirror"),
      checkRow(checkbox("mirrorEnabled", mirrorEnabled), say("Settings.mirrorEnabled"), say("Settings.mirrorEnabledHint")),
      row("aagm-settings-mirror", say("Settings.mirrorPath"), el("input", { type: "text", name: "mirrorPath", id: "aagm-settings-mirror", value: mirrorPath, spellcheck: "false", autocomplete: "off" })),
      checkRow(checkbox("mirrorContextualSort", mirrorContextualSort), say("Settings.mirrorSort"), say("Settings.mirrorSortHint")),
    );
  }

  #footer() {
    return el("footer", { class: "aagm-actions" }, el("button", { type: "submit", class: "aagm-button aagm-main" }, el("span", {}, say("Settings.save"))));
  }

  #chosenMode() {
    return modeOf(/** @type {HTMLInputElement|null} */ (this.element.querySelector("[name=mode]:checked"))?.value);
  }

  /** @param {import("../settings-rules.js").Mode} mode */
  #lock(mode) {
    const { isLocked, value } = multitaskingOf(mode, this.#stored);
    this.#multitasking.disabled = isLocked;
    this.#multitasking.checked = value;
  }

  async #pair() {
    const code = codeOf(this.#code.value);
    if (!code) {
      setText(this.#pairing, say("Settings.pairing.sixDigits"));
      set(this.#pairing, { "data-state": "refused" });
      this.#code.focus();
      return;
    }
    this.#hasTried = true;
    const link = { ...this.#readLink(), enabled: true };
    /** @type {HTMLInputElement} */ (this.element.querySelector("[name=enabled]")).checked = true;
    await this.#parts.pair(code, link);
  }
}

/**
 * @param {string} title
 * @param {...any} children
 */
function fieldset(title, ...children) {
  return el("fieldset", {}, el("legend", {}, title), ...children);
}

/**
 * @param {string} name
 * @param {boolean} isChecked
 */
function checkbox(name, isChecked) {
  return el("input", { type: "checkbox", name, checked: isChecked });
}

/**
 * @param {HTMLElement} input
 * @param {string} label
 * @param {string} hint
 */
function checkRow(input, label, hint) {
  return el("label", { class: "aagm-check" }, input, el("span", {}, el("span", { class: "aagm-check-label" }, label), el("span", { class: "aagm-soft" }, hint)));
}

/**
 * @param {string} id  Of the field.
 * @param {string} label
 * @param {HTMLElement} field
 */
function row(id, label, field) {
  return el("div", { class: "aagm-row" }, el("label", { for: id }, label), field);
}

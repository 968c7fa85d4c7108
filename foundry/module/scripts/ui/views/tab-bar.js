/** The bar of tabs: arrows go from one to the next, Delete closes. */

/** @import { Tab } from "../tab-list.js" */
import { el, icon, iconButton, set } from "../dom.js";
import { say } from "../words.js";

/** Up to five tabs and a button for one more. */
export class TabBar {
  #act;
  #list = el("div", { role: "tablist", class: "aagm-tablist", "aria-label": say("Window.tabs") });
  #add;
  #prefix;
  /** @type {Map<string, HTMLElement>} */
  #buttons = new Map();

  /**
   * @param {object} parts
   * @param {string} parts.prefix  Of element ids.
   * @param {{ select: (id: string) => void, close: (id: string) => void, add: () => void }} parts.act
   */
  constructor({ prefix, act }) {
    this.#prefix = prefix;
    this.#act = act;
    this.#add = iconButton("add", say("Window.add.one"), () => act.add(), { class: "aagm-icon-button aagm-add" });
    this.#list.addEventListener("keydown", (event) => this.#onKey(event));
    this.element = el("div", { class: "aagm-tabs" }, this.#list, this.#add);
  }

  /**
   * @param {{ tabs: Tab[], active: string, isShown: boolean, mayAdd: boolean, isMultitasking: boolean }} model
   */
  update({ tabs, active, isShown, mayAdd, isMultitasking }) {
    this.element.hidden = !isShown;
    set(this.#add, { disabled: !mayAdd, title: say(`Window.add.${mayAdd ? "one" : isMultitasking ? "full" : "off"}`) });
    const hadFocus = this.#list.contains(document.activeElement);
    for (const [id, known] of this.#buttons) {
      if (tabs.some((tab) => tab.id === id)) continue;
      known.remove();
      this.#buttons.delete(id);
    }
    tabs.forEach((tab, at) => {
      const shown = this.#button(tab);
      this.#show(shown, tab, tab.id === active);
      if (this.#list.children[at] !== shown) this.#list.insertBefore(shown, this.#list.children[at] ?? null);
    });
    if (hadFocus) this.#buttons.get(active)?.focus();
  }

  /** @param {Tab} tab */
  #button({ id }) {
    const known = this.#buttons.get(id);
    if (known) return known;
    const close = el("span", { class: "aagm-tab-close", "aria-hidden": "true", title: say("Window.closeTab"), onclick: (/** @type {Event} */ event) => {
      event.stopPropagation();
      this.#act.close(id);
    } }, icon("close"));
    const made = el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${this.#prefix}-tab-${id}`,
        "aria-controls": `${this.#prefix}-panel-${id}`,
        "aria-keyshortcuts": "Delete",
        class: "aagm-tab",
        "data-tab": id,
        onclick: () => this.#act.select(id),
        onauxclick: (/** @type {MouseEvent} */ event) => event.button === 1 && this.#act.close(id),
      },
      el("span", { class: "aagm-dot", "aria-hidden": "true" }),
      el("span", { class: "aagm-tab-title", dir: "auto" }),
      el("span", { class: "aagm-spoken" }),
      close,
    );
    this.#buttons.set(id, made);
    return made;
  }

  /**
   * @param {HTMLElement} shown
   * @param {Tab} tab
   * @param {boolean} isActive
   */
  #show(shown, { title, state, isUnread, isLocal }, isActive) {
    const name = isLocal && !title ? say("Window.untitled") : title;
    const known = ["idle", "working", "done"].includes(state) ? state : "idle";
    set(shown, { "aria-selected": String(isActive), tabindex: isActive ? 0 : -1, "data-state": known, "data-unread": isUnread || null, title: name });
    const [, text, more] = shown.children;
    text.textContent = name;
    more.textContent = `, ${say(`Window.tabState.${known}`)}${isUnread ? `, ${say("Window.unread")}` : ""}`;
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const shown = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    const at = shown.findIndex((each) => each.contains(document.activeElement));
    if (at < 0) return;
    const id = (/** @type {number} */ index) => shown[(index + shown.length) % shown.length].dataset.tab ?? "";
    /** @type {Record<string, () => void>} */
    const moves = {
      ArrowRight: () => this.#act.select(id(at + 1)),
      ArrowLeft: () => this.#act.select(id(at - 1)),
      Home: () => this.#act.select(id(0)),
      End: () => this.#act.select(id(-1)),
      Delete: () => this.#act.close(id(at)),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  }
}

/** What outlives a reload: where the window stands, which tab is open, what is half typed. */

/** @typedef {{ left?: number, top?: number, width?: number, height?: number }} Place */
/** @typedef {{ active?: string, seen?: Record<string, string>, drafts?: Record<string, string> }} Session */
import { MODULE_ID } from "../identity.js";
import { readOwn, registerOwn, writeOwn } from "../settings.js";
import { readTyped, textsIn } from "../stored.js";
import { isPlain } from "../recorder/values.js";
import { tabStorage } from "../page.js";

const SIDES = Object.freeze(/** @type {const} */ (["left", "top", "width", "height"]));

export function registerMemory() {
  registerOwn("window", { config: false, type: Object });
}

/** The chat window's memory. */
export class WindowMemory {
  #storage = tabStorage();
  #sessionKey = `${MODULE_ID}.chat-${game.world.id}`;
  /** @type {Session} */
  #session = readTyped(this.#storage, this.#sessionKey, sessionIn);

  /** @returns {{ isOpen?: boolean, member?: string } & Place} */
  get #window() {
    const stored = readOwn("window");
    return isPlain(stored) ? stored : {};
  }

  /** @returns {Place}  Sides that are numbers. */
  get place() {
    const stored = this.#window;
    return Object.fromEntries(SIDES.filter((side) => Number.isFinite(stored[side])).map((side) => [side, stored[side]]));
  }

  get isOpen() {
    return this.#window.isOpen === true;
  }

  /** The member's name, as the relay said it last; empty before the first accepted hello. */
  get member() {
    const { member } = this.#window;
    return typeof member === "string" ? member : "";
  }

  /** @param {{ isOpen?: boolean, member?: string } & Place} changes */
  keepWindow(changes) {
    const before = this.#window;
    const after = { ...before, ...changes };
    if (JSON.stringify(before) !== JSON.stringify(after)) void writeOwn("window", after);
  }

  get session() {
    return this.#session;
  }

  /** @param {Session} changes */
  keepSession(changes) {
    this.#session = { ...this.#session, ...changes };
    try {
      this.#storage?.setItem(this.#sessionKey, JSON.stringify(this.#session));
    } catch {
      // full or forbidden: it lives as long as the page
    }
  }
}

/**
 * @param {unknown} value
 * @returns {Session}
 */
function sessionIn(value) {
  if (!isPlain(value)) return {};
  const { active, seen, drafts } = value;
  return {
    ...(typeof active === "string" && { active }),
    ...(isPlain(seen) && { seen: textsIn(seen) }),
    ...(isPlain(drafts) && { drafts: textsIn(drafts) }),
  };
}

/**
 * Put a remembered window back where it can be seen and grasped, also on a smaller screen.
 * @param {Place} place
 * @param {{ width: number, height: number }} screen
 * @returns {Place}
 */
export function onScreen(place, screen) {
  const { width = 480, height = 640 } = place;
  const fitted = { width: Math.min(width, screen.width), height: Math.min(height, screen.height) };
  const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ room) => Math.max(0, Math.min(at, room - size));
  return {
    ...fitted,
    ...(place.left !== undefined && { left: within(place.left, fitted.width, screen.width) }),
    ...(place.top !== undefined && { top: within(place.top, fitted.height, screen.height) }),
  };
}

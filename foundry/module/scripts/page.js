/** What the page itself is asked for: signs that a dial may work now, and not to be put to sleep. */

/** @returns {boolean}  The page is in the background, where browsers slow it down. */
export function isPageHidden() {
  return globalThis.document?.hidden ?? false;
}

/**
 * @param {object} signs
 * @param {() => void} signs.nudge  Called when the page is seen again or the network is back.
 * @param {() => void} signs.turned  Called when the page is hidden, and when it is seen again.
 */
export function watchPage({ nudge, turned }) {
  globalThis.document?.addEventListener("visibilitychange", () => {
    turned();
    if (!isPageHidden()) nudge();
  });
  for (const sign of ["online", "focus"]) globalThis.addEventListener?.(sign, nudge);
}

/** Browsers may freeze a hidden, busy page; one that holds a Web Lock they leave alone. */
export class WakeLock {
  #release = () => {};
  #name;

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
  }

  hold() {
    this.#release();
    const locks = globalThis.navigator?.locks; // not on plain http pages of a LAN
    if (!locks) return;
    const held = new Promise((resolve) => {
      this.#release = () => resolve(undefined);
    });
    locks.request(this.#name, { mode: "shared" }, () => held).catch(() => {});
  }

  release() {
    this.#release();
    this.#release = () => {};
  }
}

/** @returns {Storage|null}  Null where the browser forbids it. */
export function tabStorage() {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** What our windows on ApplicationV2 share: an inside that is made once, and one window of a kind at a time. */

/**
 * @returns {any}  A subclass of ApplicationV2; its subclasses have `_renderHTML()` give the element inside.
 */
export function defineOneWindow() {
  const { ApplicationV2 } = /** @type {any} */ (foundry.applications.api);
  /** @type {any}  Open, or about to be. */
  let open = null;

  return class OneWindow extends ApplicationV2 {
    /**
     * Asked for again, the one there is comes to the front; a settings menu makes a new one each time.
     * @param {any} [options]
     * @param {any} [more]
     */
    async render(options, more) {
      if (open && open !== this) {
        if (open.rendered) open.bringToFront();
        return open;
      }
      open = this;
      try {
        return await super.render(options, more);
      } finally {
        if (!this.rendered) open = null;
      }
    }

    /**
     * @param {HTMLElement} result
     * @param {HTMLElement} content
     */
    _replaceHTML(result, content) {
      if (result.parentElement !== content) content.replaceChildren(result);
    }

    _onClose() {
      open = null;
    }
  };
}

/** Short notices in Foundry's own place for them. */

/**
 * Foundry may read a notice as HTML, and what we tell holds names and words of others: no notice has a tag.
 * @param {"info"|"warn"|"error"} kind
 * @param {string} text
 * @param {{ permanent?: boolean }} [options]  permanent: until it is clicked away.
 */
export function notice(kind, text, options = {}) {
  const notices = /** @type {any} */ (ui.notifications);
  notices[kind](text.replace(/</g, "\u2039").replace(/>/g, "\u203a"), options);
}

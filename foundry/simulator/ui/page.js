/** Where windows of the simulated world are drawn in a real page. */

/**
 * @param {import("../client/client.js").Client} client
 * @param {HTMLElement|null} chrome
 */
export function showPage(client, chrome) {
  const { document } = globalThis;
  client.page = { body: chrome ?? document.body, document };
}

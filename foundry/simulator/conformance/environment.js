/** What a scenario sees of a simulated client: the same names a macro finds on a page. */

/** @param {import("../client/client.js").Client} client */
export function environmentOf(client) {
  const { game, Hooks, CONFIG, CONST, foundry, canvas, fromUuid, getDocumentClass } = client.globals;
  const wait = (ms) => client.clock.advance(ms);
  return { game, Hooks, CONFIG, CONST, foundry, canvas, fromUuid, getDocumentClass, wait };
}

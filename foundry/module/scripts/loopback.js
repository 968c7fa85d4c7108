/** The relay runs on this machine; any other address is refused, since whoever answers there runs code as the GM. */

/**
 * @param {string} text  What the GM typed.
 * @returns {{ url: string, port: string }|null}  Null when it is not a plain WebSocket on a loopback address.
 */
export function parseRelayUrl(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  if (url.protocol !== "ws:" || url.username || url.password || !isLoopback(url.hostname)) return null;
  return { url: url.href, port: url.port };
}

/**
 * @param {string} host  As `URL` gives it: IPv4 in dotted form, IPv6 in brackets.
 */
export function isLoopback(host) {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * The addresses to dial in turn: the one asked for, and the other name of the same machine.
 *
 * Some hosts of Foundry pages let only `localhost` through, some resolvers only know the number.
 * @param {string} url  From `parseRelayUrl`.
 * @returns {string[]}
 */
export function dialList(url) {
  const other = new URL(url);
  other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return [url, other.href];
}

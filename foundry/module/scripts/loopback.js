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
 * Is a page from this host one that browsers let reach this machine without asking? They go by the address, so that of
 * a name nothing is known. Such a page may be told "prompt" or "denied" by the permission all the same.
 * @param {string} host  As `location.hostname` gives it.
 */
export function isLocalPage(host) {
  const isIPv4 = /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
  return isLoopback(host) || /\.(localhost|local)$/.test(host) || (isIPv4 && PRIVATE_IPV4.test(host)) || PRIVATE_IPV6.test(host);
}

/** LAN and link-local addresses. */
const PRIVATE_IPV4 = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\./;
const PRIVATE_IPV6 = /^\[f([cd][0-9a-f]|e[89ab])[0-9a-f]:/;

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

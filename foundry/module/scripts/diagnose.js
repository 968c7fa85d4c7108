/** Find out why a dial never opened; the browser's error event itself says nothing. */

/** @import { DialFacts } from "./reasons.js" */
import { isLocalPage } from "./loopback.js";

/**
 * @param {string} url  What was dialled.
 * @param {{ wasBlocked: boolean, failures: number }} known
 * @returns {Promise<DialFacts & { answersHttp: boolean }>}
 */
export async function diagnoseDial(url, { wasBlocked, failures }) {
  const permission = await loopbackPermission();
  const isLocal = isLocalPage(globalThis.location?.hostname ?? "localhost");
  // While the browser asks its question, this would wait for the answer too.
  const answersHttp = !wasBlocked && (permission !== "prompt" || isLocal) && (await answers(url));
  return {
    permission,
    isSecure: globalThis.isSecureContext ?? true,
    isLocal,
    isFramed: globalThis.top !== undefined && globalThis.top !== globalThis.self,
    wasBlocked,
    failures,
    answersHttp,
  };
}

/** @returns {Promise<string>} */
async function loopbackPermission() {
  for (const name of ["loopback-network", "local-network-access"]) {
    try {
      const { state } = await navigator.permissions.query({ name: /** @type {any} */ (name) });
      return state;
    } catch {
      // this browser does not know the name
    }
  }
  return "unknown";
}

/**
 * Does anything at all answer at that port? Then the relay is there and refuses this page.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
async function answers(url) {
  try {
    await fetch(url.replace(/^ws/, "http"), { mode: "no-cors", cache: "no-store", credentials: "omit" });
    return true;
  } catch {
    return false;
  }
}

/** The status line: what is, why, and what to do; for every state of connection, ownership, mode and listener. */

/** @import { Status } from "../api.js" */
/** @import { ListenerStatus } from "./chat-state.js" */
import { counted, say } from "./words.js";

/**
 * @typedef {"good"|"busy"|"idle"|"wait"|"bad"} Tone
 * @typedef {"settings"|"retry"|"takeOver"|"internal"|null} Cure  What the line's button does.
 * @typedef {{ tone: Tone, label: string, message: string, fix: string, cure: Cure, notes: string[] }} StatusLine
 */

/** Reasons that only the GM can do something about, and where. */
const CURES = Object.freeze(
  /** @type {Record<string, Cure>} */ ({
    disabled: "settings",
    code_refused: "settings",
    not_loopback: "settings",
    not_paired: "settings",
    not_gm: "retry",
    origin_refused: "settings",
    refused: "retry",
    taken_over: "takeOver",
    version_mismatch: "retry",
    connecting: null,
  }),
);

/**
 * @param {object} facts
 * @param {Status} facts.connection
 * @param {ListenerStatus|null} facts.listener
 * @param {string} facts.mode
 * @param {boolean} facts.isWorking  The open tab's prompt is being worked on.
 * @param {boolean} facts.isFamilyRelay
 * @param {number} facts.waiting  Prompts that the relay does not have yet.
 * @param {boolean} facts.wasHidden  The page was in the background when the connection broke.
 * @returns {StatusLine}
 */
export function statusLine({ connection, listener, mode, isWorking, isFamilyRelay, waiting, wasHidden }) {
  const notes = [];
  if (isFamilyRelay) notes.push(say("Status.familyRelay"));
  if (!connection.connected && waiting) notes.push(counted("Status.waiting", waiting));
  if (!connection.connected && wasHidden) notes.push(say("Status.wasHidden"));
  const line = connection.connected && connection.owner ? listenerLine({ listener, mode, isWorking, member: connection.relay?.member }) : connectionLine(connection);
  // The members that tell the mode with each status show it first.
  const prefix = connection.connected && listener?.mode ? `${say(listener.mode === "external" ? "Status.ext" : "Status.int")} ` : "";
  return { ...line, label: prefix + line.label, notes };
}

/**
 * @param {Status} connection
 * @returns {Omit<StatusLine, "notes">}
 */
function connectionLine({ connected, state, reason }) {
  const { code, message, fix } = reason ?? { code: "connecting", message: "", fix: "" };
  if (connected) return { tone: "idle", label: say("Status.elsewhere"), message, fix, cure: "takeOver" };
  if (state === "dialling") return { tone: "idle", label: say("Status.connecting"), message, fix: "", cure: null };
  const tone = code === "disabled" ? "idle" : "bad";
  return { tone, label: say(code === "disabled" ? "Status.off" : "Status.notConnected"), message, fix, cure: code in CURES ? CURES[code] : "retry" };
}

/**
 * @param {{ listener: ListenerStatus|null, mode: string, isWorking: boolean, member?: string }} facts
 * @returns {Omit<StatusLine, "notes">}
 */
function listenerLine({ listener, mode, isWorking, member }) {
  if (mode === "external") return { tone: "busy", ...texts("external"), cure: "internal" };
  if (!listener) return { tone: "idle", ...texts("asking"), cure: null };
  if (listener.state === "working") {
    const label = say("Status.working.label");
    const count = listener.count ?? 1;
    return { tone: "busy", label, message: listener.text || say("Status.working.message"), fix: count > 1 ? counted("Status.agents", count) : "", cure: null };
  }
  if (listener.state === "no-listener") {
    // What `aagm` means without the option is the first member.
    const option = !member || member === "kimi" ? "" : ` --member ${member}`;
    return { tone: "wait", ...texts("noListener", { option }), cure: null };
  }
  if (isWorking) return { tone: "busy", ...texts("busy"), cure: null };
  return { tone: "good", ...texts("ready"), cure: null };
}

/**
 * @param {string} key
 * @param {Record<string, string>} [data]  For what to do.
 */
function texts(key, data) {
  return { label: say(`Status.${key}.label`), message: say(`Status.${key}.message`), fix: say(`Status.${key}.fix`, data) };
}

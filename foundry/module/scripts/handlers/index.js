/** Every method the relay may call, and how it runs. This is the only list of them. */

/** @import { LogTail } from "../log-tail.js" */
/** @import { LootWatchdog } from "../loot/watchdog.js" */
/** @import { ProtectedDocuments } from "../protected-documents.js" */
/** @import { Recorder } from "../recorder/recorder.js" */
/** @import { WorldSearch } from "../search/world-search.js" */
import { damage } from "./damage.js";
import { evaluate } from "./eval.js";
import { logsSubscribe } from "./logs-subscribe.js";
import { logsUnsubscribe } from "./logs-unsubscribe.js";
import { lootPending } from "./loot-pending.js";
import { lootRestore } from "./loot-restore.js";
import { mirrorList } from "./mirror-list.js";
import { mirrorRestore } from "./mirror-restore.js";
import { ping } from "./ping.js";
import { queryActor } from "./query-actor.js";
import { queryJournal } from "./query-journal.js";
import { queryMacro } from "./query-macro.js";
import { queryScene } from "./query-scene.js";
import { queryUser } from "./query-user.js";
import { rollbackApply } from "./rollback-apply.js";
import { rollbackCheck } from "./rollback-check.js";
import { searchDocuments } from "./search.js";

/**
 * What handlers may use besides Foundry.
 * @typedef {object} HandlerContext
 * @property {ProtectedDocuments} protectedDocuments
 * @property {() => boolean} isFamilyRelay  The other end speaks the family's 2.0.
 * @property {Recorder} recorder
 * @property {LogTail} logTail
 * @property {LootWatchdog} loot
 * @property {WorldSearch} search
 */

/** @type {Record<string, (params: any, context: HandlerContext) => unknown>} */
const HANDLERS = {
  ping,
  damage,
  eval: evaluate,
  "logs.subscribe": logsSubscribe,
  "logs.unsubscribe": logsUnsubscribe,
  "loot.pending": lootPending,
  "loot.restore": lootRestore,
  "mirror.list": mirrorList,
  "mirror.restore": mirrorRestore,
  "query.actor": queryActor,
  "query.journal": queryJournal,
  "query.macro": queryMacro,
  "query.scene": queryScene,
  "query.user": queryUser,
  "rollback.apply": rollbackApply,
  "rollback.check": rollbackCheck,
  search: searchDocuments,
};

/**
 * What answers a method: a request with `rp` runs inside the recorder.
 * @param {HandlerContext} context
 * @returns {(method: string) => ((params: any) => unknown)|undefined}
 */
export function makeDispatch(context) {
  return (method) => {
    if (!Object.hasOwn(HANDLERS, method)) return undefined;
    const handler = HANDLERS[method];
    return (params) => {
      if (typeof params.rp?.id !== "string") return handler(params, context);
      return context.recorder.runRecorded({ rp: params.rp, method }, () => handler(params, context));
    };
  };
}

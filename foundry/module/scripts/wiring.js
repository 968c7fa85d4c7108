/** One bridge: its parts, joined. Loaded for a game master only. */

/** @import { HelloAnswer } from "./wire.js" */
/** @import { LinkState } from "./socket.js" */
/** @import { Peer } from "./rpc.js" */
import { DEFAULT_MEMBER, MODULE_ID, randomHex } from "./identity.js";
import { WakeLock, isPageHidden, tabStorage, watchPage } from "./page.js";
import { readOwn, registerSettings, worldSettings, writeOwn } from "./settings.js";
import { DEFAULT_LIMITS } from "./wire.js";
import { EntryStream } from "./recorder/stream.js";
import { Events } from "./events.js";
import { LogTail } from "./log-tail.js";
import { LootWatchdog } from "./loot/watchdog.js";
import { OwnHand } from "./recorder/own-hand.js";
import { PromptBox } from "./prompts.js";
import { ProtectedDocuments } from "./protected-documents.js";
import { Recorder } from "./recorder/recorder.js";
import { RelayLink } from "./socket.js";
import { diagnoseDial } from "./diagnose.js";
import { installHooks } from "./recorder/hooks.js";
import { makeApi } from "./api.js";
import { WorldSearch } from "./search/world-search.js";
import { makeDispatch } from "./handlers/index.js";
import { makeHello } from "./hello.js";
import { makeTimers } from "./timers.js";
import { registerLootSettings } from "./loot/macros.js";
import { tellConnection } from "./toasts.js";

/** Start the bridge, and say so with the hook `aagm.ready` once its API is there. */
export function start() {
  const tabInstance = randomHex();
  const timers = makeTimers();
  const events = new Events();
  const stream = new EntryStream();
  const protectedDocuments = new ProtectedDocuments();
  const ownHand = new OwnHand();
  const wakeLock = new WakeLock(`${MODULE_ID}-${game.world.id}`);
  /** @type {HelloAnswer|null}  Of the newest accepted hello, also after the connection broke. */
  let relay = null;
  const limits = () => ({ ...DEFAULT_LIMITS, ...relay?.limits });
  const knows = (/** @type {string} */ feature) => relay?.features?.includes(feature) ?? false;

  const recorder = new Recorder({
    stream,
    timers,
    protectedDocuments,
    ownHand,
    tabInstance,
    limits,
    uncovered: (what) => link.notify("rollback.uncovered", what),
  });
  const logTail = new LogTail({ notify: (entry) => link.notify("logs.entry", entry), timers });
  const isFamilyRelay = () => (relay?.protocol ?? 2) < 3;
  const loot = new LootWatchdog({
    recorder,
    timers,
    now: () => Date.now(),
    memberName: () => relay?.memberName ?? DEFAULT_MEMBER,
    tabInstance,
    storage: tabStorage(),
  });
  const search = new WorldSearch({ protectedDocuments });
  const methodNamed = makeDispatch({ protectedDocuments, recorder, logTail, loot, search, isFamilyRelay });

  const prompts = new PromptBox({
    notify: (method, params) => link.notify(method, params),
    isAcknowledging: () => relay === null || knows("prompt-ack"),
    changed: (waiting) => events.emit("waiting", waiting),
    storage: tabStorage(),
    storageKey: `${MODULE_ID}.waiting-${game.world.id}`,
  });

  const notified = (/** @type {string} */ method, /** @type {any} */ params) => {
    if (method === "rollback.entry.ack") stream.acknowledged(params);
    else if (method === "aagm.prompt.ack") prompts.acknowledged(params);
    else {
      if (method === "aagm.owner") link.ownerChanged(params);
      events.emit(method, params); // nobody listens to what we do not know
    }
  };

  const accepted = (/** @type {HelloAnswer} */ answer, /** @type {Peer} */ peer) => {
    relay = answer;
    protectedDocuments.replace(answer.protected);
    if (answer.token) void writeOwn("token", answer.token);
    if (readOwn("pairingCode")) void writeOwn("pairingCode", "");
    if (knows("stream")) stream.attach(peer);
    else stream.detach();
    if (answer.owner !== false) loot.provision().catch((error) => console.error("AAGM | the macros were not made", error));
  };

  let toldHidden = false;
  const hello = (/** @type {boolean} */ takeOver) => {
    toldHidden = isPageHidden();
    return makeHello({ tabInstance, recordings: stream.recordings, takeOver, hidden: toldHidden });
  };
  /** The relay can then say why a call is slow; what changes during a hello is told after it. */
  const tellHidden = () => {
    const hidden = isPageHidden();
    if (hidden !== toldHidden && link.notify("aagm.hidden", { hidden })) toldHidden = hidden;
  };

  const changed = (/** @type {LinkState} */ state, /** @type {LinkState} */ before) => {
    if (state.kind === "connected" && before.kind !== "connected") {
      wakeLock.hold();
      tellHidden();
      prompts.resend();
      link.notify("aagm.status.request", {});
    } else if (state.kind !== "connected") {
      wakeLock.release();
      // Sent again it would cost another try, and typed again it would be no change.
      if (state.reason.code === "code_refused") void writeOwn("pairingCode", "");
      logTail.unsubscribe();
      stream.detach();
    }
    tellConnection(state, before);
    events.emit("connection", api.status());
  };

  const link = new RelayLink({
    settings: () => ({ enabled: readOwn("enabled"), url: readOwn("relayUrl") }),
    hello,
    methodNamed,
    notified,
    beforeAnswer: () => stream.flush(),
    accepted,
    changed,
    timers,
    open: (url) => new WebSocket(url),
    diagnose: diagnoseDial,
    limit: () => limits().message,
  });

  const api = makeApi({ loot, link, prompts, events, tabInstance, windows: () => windows });
  const self = /** @type {any} */ (game.modules.get(MODULE_ID));
  self.api = api;

  registerSettings({
    worldChanged: () => {
      link.notify("settings.sync", worldSettings());
      events.emit("settings", worldSettings());
    },
    linkChanged: () => link.restart(),
  });
  registerLootSettings();
  ownHand.watch(globalThis.document ?? new EventTarget());
  installHooks(recorder);
  watchPage({ nudge: () => link.nudge(), turned: tellHidden });
  // Loaded last: nothing of the bridge waits for them.
  const windows = import("./ui/start.js").then(({ startWindows }) => startWindows({ api, exemption: recorder.exemption }));
  windows.catch((thrown) => console.error("AAGM | the windows did not start", thrown));
  link.restart();
  /** @type {any} */ (Hooks).callAll(`${MODULE_ID}.ready`, api);
}

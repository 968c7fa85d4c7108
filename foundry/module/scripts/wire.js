/**
 * What module and relay say to each other, as names, numbers and shapes.
 *
 * The contract is the page WIRE; where it left room, this file decides, and both sides are built to it.
 * Each decision is marked "Decided:". Nothing here touches Foundry or the network.
 */

/** Our protocol number. A hello or an answer without one is the family's 2.0. */
export const PROTOCOL = 3;

/** What this module knows beyond the family's 2.0; sent in hello. */
export const FEATURES = Object.freeze(["stream", "check", "prompt-ack", "take-over"]);

/** JSON-RPC error codes. */
export const CODES = Object.freeze({
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notCapable: -33001,
  handlerThrew: -33002,
  noModule: -33003,
  pairingRequired: -33006,
  versionMismatch: -33007,
  notGm: -33008,
  tooLarge: -33009,
  timeLimit: -33010,
  laneBusy: -33012,
  disk: -33013,
  protected: -33014,
});

/** WebSocket close codes. */
export const CLOSES = Object.freeze({
  disabled: 1000,
  tooLarge: 1009,
  helloNotFirst: 4000,
  helloRefused: 4001,
  duplicate: 4002,
  notLoopback: 4003,
  pairingRequired: 4005,
  versionMismatch: 4006,
  takenOver: 4007,
  noHello: 4008,
});

/** What holds until hello's answer brought the relay's own limits. */
export const DEFAULT_LIMITS = Object.freeze({
  message: 32 * 1024 * 1024, // bytes
  readSeconds: 30,
  writeSeconds: 300,
  settleMs: 250,
  settleMaxMs: 2000,
});

/** One `rollback.entry` frame holds at most this many entries and this many bytes of them. */
export const FRAME_ENTRIES = 256;
export const FRAME_BYTES = 4 * 1024 * 1024;

/**
 * `hello`, request, module → relay, the first frame.
 * @typedef {object} HelloParams
 * @property {string} userId
 * @property {string} userName
 * @property {boolean} isGM
 * @property {string} worldId
 * @property {string} foundryVersion
 * @property {string} moduleVersion
 * @property {WorldSettings} settings
 * @property {number} protocol
 * @property {string[]} features
 * @property {string} tabInstance  16 hex
 * @property {string} worldTitle
 * @property {string} systemId
 * @property {string} systemVersion
 * @property {boolean} hidden
 * @property {string} [token]
 * @property {string} [pairingCode]  Sent beside `token` when both are there.
 * @property {RecordingState[]} recordings
 * @property {boolean} [takeOver]
 */

/**
 * @typedef {object} RecordingState
 * @property {string} pointId
 * @property {number} lastSeq  Highest seq made so far; 0 when there is none yet.
 * @property {boolean} running  True until the recording is closed.
 * @property {string} [failed]
 * @property {boolean} [runaway]
 */

/**
 * The answer to hello. A family relay sends the first three only.
 * @typedef {object} HelloAnswer
 * @property {string} sessionId
 * @property {string} capabilitySet
 * @property {boolean} auditLogging
 * @property {number} [protocol]
 * @property {string[]} [features]
 * @property {"kimi"|"grok"} [member]
 * @property {string} [memberName]
 * @property {string} [relayVersion]
 * @property {boolean} [owner]
 * @property {{ userName: string, since: string }} [ownedBy]
 * @property {string} [token]
 * @property {ProtectedList} [protected]
 * @property {Partial<typeof DEFAULT_LIMITS>} [limits]
 * @property {{ pointId: string, fromSeq: number }[]} [resend]
 *   Decided: the module sends again what it still holds from `fromSeq` on; it also sends, unasked, everything
 *   not yet acknowledged and every `rollback.closed` not yet acknowledged. The relay drops a seq it has.
 */

/**
 * @typedef {object} ProtectedList
 * @property {string[]} [ids]
 * @property {string[]} [names]  Whole name, case-insensitive; a trailing `*` matches any rest.
 * @property {{ scope: string, key: string }[]} [flags]
 */

/**
 * The family's five world settings, in hello and as the notification `settings.sync`.
 * @typedef {object} WorldSettings
 * @property {string} mode  assistant, cogm or custom
 * @property {boolean} multitasking
 * @property {boolean} mirrorEnabled
 * @property {string} mirrorPath
 * @property {boolean} mirrorContextualSort
 */

/**
 * `params.rp` of a request that is to be recorded.
 * @typedef {object} RecordedPoint
 * @property {string} id
 * @property {number} [limitSeconds]  Instead of `limits.writeSeconds`.
 * @property {number} [seq]
 *   Decided: the last seq the relay holds for this id; a tab that never saw the id goes on from there. Needed when
 *   one redo point is shared by several `rollback.apply` and the tab was reloaded between them.
 */

/**
 * One changed leaf. `before` absent: the key did not exist. `after` absent: it is gone.
 *
 * Paths are dotted, from the document's stored source. Arrays are leaves; where kinds differ, an object is empty
 * or a key holds a dot, the path ends above and the whole value is the leaf.
 * Decided: in an intent `after` is a guess and may be missing; only a confirmed entry's is compared with anything.
 * Never in `changes`: `_id`, every `_stats` field but `compendiumSource` and `duplicateSource`, other top-level
 * keys that begin with an underscore, and child collections in a confirmed entry.
 * Decided: a child of an unlinked token's delta is one leaf, `delta.items.<id>` or `delta.effects.<id>`, its value
 * the stored override (or tombstone) without `_stats`.
 * @typedef {object} Change
 *
 * Decided: merging looks at paths above and below as well. A newer change below a known path is written into the
 * known `after`; a newer change above known paths takes their `before` into its own and replaces them. What came back
 * to its `before` is left out once all is merged, not before: a later change of that path must find it. (`recorder/merge.js` does it so.) Updates of a document created in the same point
 * go into the create (its `hash`); created and deleted again leaves nothing; an update and the delete that follows
 * stay two entries; what happened to a document before it, or what it lies in, was deleted is never merged with what happened to
 * another of the same uuid later; entries with `own` are merged among themselves only.
 * @property {string} path
 * @property {unknown} [before]
 * @property {unknown} [after]
 */

/**
 * What every entry of an operation has.
 * @typedef {object} EntryHead
 * @property {number} seq
 * @property {string|null} uuid  Null only in an intent to create without a kept id.
 * @property {string} documentName
 * @property {string|null} name
 * @property {string|null} parentUuid
 * @property {string|null} pack
 * @property {string} userId
 * @property {false} [confirmed]  Present in an intent. Absent: what the entry says has happened.
 * @property {true} [tail]
 * @property {true} [own]
 * @property {true} [partner]  Decided: a side change the server makes (contents of a deleted folder, the scene that
 *   was active, combatants of a deleted token), guessed beforehand; dropped at closing when it did not come.
 * @property {true} [side]  Decided: while `rollback.apply` ran, somebody else wrote this (a module that answers what the
 *   rollback did). It is in the redo point like the rest; the card can say so.
 * @property {string[]} [types]
 *   Decided: the document types the hooks named, where they are not `documentName`. A change to an unlinked
 *   token's actor is an update of the Token at `delta.…` with `types: ["Actor"]` (or "Item", "ActiveEffect"). What
 *   a plug-in declares in `writes` is judged by `types` where present.
 * @property {string} [hash]  Decided: of the source as the write left it, in a create and in a confirmed update, so
 *   that the newest hash of a created document is known whatever point changed it last.
 */

/**
 * Decided: inline children (`actor.update({items})`) are sent whole in the intent, as the change
 * `{path: "items", before: [...]}`; the confirmation leaves that path out and is followed by entries of the children
 * themselves, each with its own uuid, `documentName` and seq. `rollback.apply` takes both forms.
 * @typedef {EntryHead & { op: "update", changes: Change[] }} UpdateEntry
 */

/**
 * Decided: `children` lists every descendant, flat. In an intent `hash` and `children` are absent. The descendants a
 * point left are these, and then what its later child entries say (a create adds, an update renews the hash, a delete
 * takes away, with all below); their uuids begin with the created document's.
 * @typedef {EntryHead & { op: "create", children?: HashedChild[] }} CreateEntry
 * @typedef {{ uuid: string, hash: string }} HashedChild
 */

/**
 * `data` is the full stored source, children inside. A folder's contents and subfolders that went with it are
 * delete entries of their own (`partner`), those that moved up are update entries with the path `folder`.
 * @typedef {EntryHead & { op: "delete", data: Record<string, any> }} DeleteEntry
 */

/**
 * Says that the intent `confirms` happened.
 *
 * Decided: its members replace the intent's. `changes` and `hash` (update): the whole list anew, shorter or longer;
 * `uuid`, `name`, `hash`, `children` (create); `data` of a delete, where the document changed after it was asked for.
 * @typedef {object} Confirmation
 * @property {number} seq
 * @property {number} confirms
 * @property {string} uuid
 * @property {string|null} [name]
 * @property {Change[]} [changes]
 * @property {string} [hash]
 * @property {HashedChild[]} [children]
 * @property {Record<string, any>} [data]
 * @property {true} [tail]
 * @property {true} [own]
 */

/**
 * Says that the named intents came to nothing. Decided: always a list.
 * @typedef {{ seq: number, drops: number[] }} Drops
 */

/**
 * @typedef {object} Uncovered
 * @property {"update"|"create"|"delete"} op
 * @property {string} uuid
 * @property {string} documentName
 * @property {string|null} [name]
 * @property {"noHook"|"other-client"|"server"|"runaway"|"protected"} why
 *   Decided: `protected` is a document of the protected list that was changed or lost all the same; it is never in
 *   a point and never restored.
 * @property {string} [suspect]  The runaway's rp, with `why: "runaway"`.
 */

/**
 * One piece of an entry that does not fit a frame; `json` joined over `part` 1 … `parts` is the entry as JSON text.
 * A piece is alone in its frame and never ends inside a surrogate pair. Only the last piece is acknowledged.
 * @typedef {{ seq: number, part: number, parts: number, json: string }} EntryPart
 */

/**
 * @typedef {UpdateEntry|CreateEntry|DeleteEntry} OperationEntry
 * @typedef {OperationEntry|Confirmation|Drops|{ seq: number, uncovered: Uncovered }} RawEntry
 */

/**
 * `rollback.entry`, notification, module → relay.
 * @typedef {{ pointId: string, entries: (RawEntry|EntryPart)[] }} EntryFrame
 */

/**
 * `rollback.entry.ack`, notification, relay → module: everything up to `seq` is in the journal.
 *
 * Decided: the acknowledgement of `rollback.closed` is the same notification with `closed: true`; without it the
 * module keeps reporting the recording in hello and sends `rollback.closed` again after each reconnect.
 * @typedef {{ pointId: string, seq: number, closed?: boolean }} EntryAck
 */

/**
 * `rollback.closed`, notification, module → relay.
 *
 * Decided: when several requests share one rp (the applies of one rollback), a recording that was closed is opened
 * again by the next request, seq goes on, and `rollback.closed` comes once more with the higher `lastSeq`.
 * Entries that come after it (a late confirmation) carry higher seqs and no further `rollback.closed` follows.
 * A create that is still an intent in a closed recording *may exist*.
 * @typedef {object} Closed
 * @property {string} pointId
 * @property {number} lastSeq
 * @property {string} [failed]
 * @property {boolean} [runaway]
 * @property {string} [suspect]  The rp of a runaway that lived while this was recorded.
 */

/**
 * The member `rollback` of a recorded request's result, and of `error.data`.
 *
 * Decided: a result that is no plain object is wrapped as `{value, rollback}` first. Without streaming (a family
 * relay) `entries` are merged: no intents, confirmations or drops, one update entry a document.
 * @typedef {{ streamed: number, suspect?: string }|{ entries: OperationEntry[], suspect?: string }} RollbackPart
 */

/**
 * An expectation of `rollback.check`.
 *
 * Three kinds of row: with `path` one leaf (`value`, or `absent: true`), with `hash` a whole document and, when
 * `children` is given, the set of its descendants, or `exists` alone.
 * @typedef {object} Expected
 * @property {string} uuid
 * @property {string} [path]
 * @property {unknown} [value]
 * @property {true} [absent]
 * @property {string} [hash]
 * @property {HashedChild[]} [children]
 * @property {boolean} exists
 */

/**
 * A row of the answer, only for what differs. `index` is the place in `expected`.
 *
 * Decided: with `path` it holds the leaf as it is now; with `hash` the hash as it is now and, when the descendants
 * differ, `children` as they are now; `exists: false` alone when the document is gone.
 * @typedef {object} Found
 * @property {number} index
 * @property {string} uuid
 * @property {string} [path]
 * @property {unknown} [value]
 * @property {true} [absent]
 * @property {string} [hash]
 * @property {HashedChild[]} [children]
 * @property {boolean} exists
 * @property {string|null} name
 * @property {string} documentName
 */

/**
 * `rollback.apply`.
 *
 * Decided: `entries` may be sent merged or unmerged (intents with their confirmations already folded in), in order of
 * seq; the module works out the net effect. `confirmed: false` marks what nobody confirmed: it is undone when the
 * world does not equal `before`. Entries with `own` are sent only when they are to be undone. `force` overwrites
 * what others changed and also restores what policy leaves alone (a playlist's `playing`).
 * @typedef {{ pointId: string, entries: OperationEntry[], rp?: RecordedPoint, force?: boolean }} ApplyParams
 */

/**
 * One row an entry, in the order of `entries`.
 * @typedef {object} AppliedRow
 * @property {number} seq
 * @property {string|null} uuid
 * @property {"update"|"create"|"delete"} op  The entry's, not what was done to take it back.
 * @property {boolean} ok
 * @property {string} [error]
 * @property {string} [note]
 */

/**
 * `aagm.rollback.request`, request, module → relay.
 * @typedef {object} RollbackRequest
 * @property {string} [pointId]
 * @property {"rollback"|"redo"|"check"} action
 * @property {boolean} [force]  Overwrite what others changed since.
 * @property {boolean} [keep]  Leave that, and take back the rest. Decided: a document with a conflict stays as a whole.
 * @property {boolean} [only]
 */

/**
 * `eval`'s result. With `captureConsole` a throw is a success of the second form.
 * @typedef {{ ok: true, valueType: string, value: unknown, console?: ConsoleLine[], rollback?: RollbackPart }} EvalValue
 * @typedef {{ ok: false, thrown: { message: string, stack?: string }, console: ConsoleLine[], rollback?: RollbackPart }} EvalThrown
 * @typedef {{ level: string, ts: number, source: string, msg: string }} ConsoleLine
 */

/**
 * Why the module is not connected, or connected and idle; what a person reads.
 * @typedef {{ code: string, message: string, fix: string }} Reason
 */

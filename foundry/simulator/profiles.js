/** Version profiles, and the answers to the open questions of FOUNDRY_FACTS section 11. */

export const VERSIONS = { 12: "12.343", 13: "13.351", 14: "14.364" };

/**
 * Facts that nobody could verify: each has a default and can be switched, so that tests run under both answers.
 *
 * - `emitDeltaHooks`: ActorDelta hooks fire beside the Actor hooks of a synthetic actor's update.
 * - `keepEmbeddedIds`: the default of the creation option of that name.
 * - `folderContents`: `events` (post hooks for what a folder's deletion moves or deletes) or `silent`.
 * - `activation`: who switches the other scene or combat off: the `server`, or the asking `client` as a write of its own.
 * - `statsInChanges`: the changes that post hooks get name what the server wrote to `_stats`.
 * - `staleDeltaUpdate`: `token.update({delta})` does not reach `token.actor` until a reload.
 * - `animationsStall`: animations never end while the page is hidden.
 * - `itemPilesOrder`: the order of Item Piles' hook arguments: that of its `code` or that of its `docs`.
 * - `legacyTransferral`: the requester copies effects of new items to the actor.
 */
export const FACTS = {
  emitDeltaHooks: false,
  keepEmbeddedIds: false,
  folderContents: "events",
  activation: "server",
  statsInChanges: true,
  staleDeltaUpdate: false,
  animationsStall: false,
  itemPilesOrder: "code",
  legacyTransferral: false,
};

/** Read `"12"`, `12`, `"12.343"` or `"13"` as a profile. */
export function readVersion(version) {
  const text = String(version);
  const generation = Number(text.split(".")[0]);
  if (!(generation in VERSIONS)) throw new Error(`no profile for Foundry ${text}: 12, 13 and 14 are known`);
  return { generation, version: text.includes(".") ? text : VERSIONS[generation] };
}

/** Who holds goods, and which of them are piles. */

const PILES = "item-piles";

/**
 * The document that goods belong to: a token for an actor of its own, else the world actor.
 * @param {any} document  A token or an actor.
 * @returns {any|null}
 */
export function holderOf(document) {
  const at = document?.document ?? document;
  if (at?.documentName === "Actor") return at.isToken ? at.token : at;
  if (at?.documentName !== "Token") return null;
  return at.actorLink && at.actor ? at.actor : at;
}

/**
 * @param {any} holder
 * @returns {any|null}  The actor whose items they are; null for a token without one.
 */
export function actorOf(holder) {
  return holder.documentName === "Token" ? holder.actor : holder;
}

/**
 * What Item Piles keeps of a holder; a token's own flags count before its actor's.
 * @param {any} holder
 * @returns {Record<string, any>|null}  Null when it is no pile.
 */
export function pileData(holder) {
  const own = holder.flags?.[PILES]?.data;
  const data = own ?? (holder.documentName === "Token" ? holder.actor?.flags?.[PILES]?.data : undefined);
  if (!data?.enabled) return null;
  return holder.documentName === "Actor" && isPattern(holder) ? null : data;
}

/**
 * Is this actor only what unlinked tokens are made from? Then they are the piles.
 * @param {any} actor
 */
function isPattern(actor) {
  if (actor.pack || actor.prototypeToken?.actorLink) return Boolean(actor.pack);
  return game.scenes.some((/** @type {any} */ scene) => tokensOf(scene).some(({ actorId, actorLink }) => actorId === actor.id && !actorLink));
}

/**
 * @param {any} scene
 * @returns {any[]}
 */
export function tokensOf(scene) {
  return scene.tokens?.contents ?? [];
}

/** @returns {any[]}  Every holder that there is: world actors, and unlinked tokens that are piles. */
export function allHolders() {
  const tokens = game.scenes.contents.flatMap(tokensOf).filter((token) => !token.actorLink && pileData(token));
  return [...game.actors.contents, ...tokens];
}

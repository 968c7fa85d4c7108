/** Who is meant: an actor by name, id or uuid, or a token by uuid. Nothing is guessed between two. */

const MOST_CANDIDATES = 20;
const SHORTEST_WORD = 3; // characters of a word worth looking for

/**
 * @typedef {object} Target
 * @property {any} actor
 * @property {any|null} token  The token of an actor that is a token's own.
 * @property {string} uuid  Of the token for a token's own actor, else of the actor.
 * @property {string} name
 * @property {string} [note]
 *
 * @typedef {{ target: string, name: string, uuid: string, id: string }} Candidate
 * @typedef {{ error: string, candidates: Candidate[], fix?: string }} NotResolved
 */

/**
 * @param {string[]} named  The same one may be named twice.
 * @returns {Promise<Target[]|NotResolved>}
 */
export async function findTargets(named) {
  /** @type {Target[]} */
  const targets = [];
  /** @type {string[]} */
  const errors = [];
  /** @type {Candidate[]} */
  const candidates = [];
  for (const text of named) {
    const found = await findTarget(text);
    if (!("error" in found)) targets.push(found);
    else if (!errors.includes(found.error)) {
      errors.push(found.error);
      candidates.push(...found.candidates);
    }
  }
  if (errors.length === 0) return targets;
  const fix = candidates.length > 0 ? "Name one of candidates by its uuid." : "Find the actor with foundry_search and name it by its uuid.";
  return { error: errors.join("; "), candidates, fix };
}

/**
 * @param {string} named
 * @returns {Promise<Target|NotResolved>}
 */
async function findTarget(named) {
  const document = named.includes(".") ? await byUuid(named) : null;
  if (document?.documentName === "Token") {
    if (!document.actor) return { error: `the token ${named} has no actor: its base actor is gone`, candidates: [] };
    return targetOf(document.actor);
  }
  if (document?.documentName === "Actor") return targetOf(document);
  const byId = game.actors.get(named);
  const fitting = byId ? [byId] : byName(named);
  if (fitting.length === 1) return withTokens(targetOf(fitting[0]));
  if (fitting.length === 0) return { error: `no actor is called "${named}"`, candidates: similar(named) };
  return {
    error: `"${named}" may be ${fitting.length} actors: name one by id or uuid`,
    candidates: fitting.map((actor) => candidate(named, actor)),
  };
}

/**
 * @param {string} uuid
 * @returns {Promise<any>}
 */
async function byUuid(uuid) {
  try {
    return await fromUuid(/** @type {any} */ (uuid));
  } catch {
    return null; // a name with a dot in it
  }
}

/**
 * The exact name, else the name but for case and composition, else part of one name alone.
 * @param {string} named
 * @returns {any[]}
 */
function byName(named) {
  const actors = /** @type {any[]} */ (game.actors.contents);
  const wanted = folded(named);
  if (wanted === "") return [];
  const exact = actors.filter(({ name }) => name === named);
  if (exact.length) return exact;
  const alike = actors.filter(({ name }) => folded(name) === wanted);
  return alike.length ? alike : actors.filter(({ name }) => folded(name).includes(wanted));
}

/** @param {string} name */
function folded(name) {
  return name.normalize("NFC").toLowerCase().trim();
}

/**
 * @param {any} actor
 * @returns {Target}
 */
function targetOf(actor) {
  const token = actor.isToken ? actor.token : null;
  const { uuid, name } = token ?? actor;
  const note = actor.pack ? `in the compendium ${actor.pack}, not in the world` : undefined;
  return { actor, token, uuid, name, ...(note === undefined ? {} : { note }) };
}

/**
 * A world actor may not be the one on the map.
 * @param {Target} target
 * @returns {Target}
 */
function withTokens(target) {
  const scene = /** @type {any} */ (game.scenes.active);
  const own = scene?.tokens.filter((/** @type {any} */ token) => token.actorId === target.actor.id && !token.actorLink) ?? [];
  if (own.length === 0) return target;
  const list = own.map((/** @type {any} */ token) => `${token.name} ${token.uuid}`).join(", ");
  return { ...target, note: `this is the world actor; its unlinked tokens on the active scene have hit points of their own: ${list}` };
}

/**
 * @param {string} named
 * @param {any} document
 * @returns {Candidate}
 */
function candidate(named, { name, uuid, id }) {
  return { target: named, name, uuid, id };
}

/**
 * Whom a name that fits nobody may have meant: tokens called so, then actors that share a word with it.
 * @param {string} named
 * @returns {Candidate[]}
 */
function similar(named) {
  const wanted = folded(named);
  const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= SHORTEST_WORD);
  const shares = (/** @type {any} */ { name }) => words.some((word) => folded(name).includes(word));
  const tokens = /** @type {any[]} */ (/** @type {any} */ (game.scenes.active)?.tokens.contents ?? []);
  const fitting = [
    ...tokens.filter(({ name, actor }) => actor && wanted !== "" && folded(name).includes(wanted)),
    .../** @type {any[]} */ (game.actors.contents).filter(shares),
  ];
  return fitting.slice(0, MOST_CANDIDATES).map((document) => candidate(named, document));
}

/** Words and texts as they are compared: without case, accents and markup. Nothing here touches Foundry. */

const ENTITIES = Object.freeze({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", "#39": "'" });

/**
 * Fold a text so that "Anführer", "ANFÜHRER" and "anfuhrer" are one.
 * @param {string} text
 */
export function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * @param {string} query
 * @returns {string[]}  The words that must all be found.
 */
export function wordsOf(query) {
  return [...new Set(fold(query).split(/\s+/u).filter(Boolean))];
}

/**
 * The readable text of HTML.
 * @param {string} html
 */
export function plainText(html) {
  const text = html.includes("<") ? html.replace(/<[^>]*>/g, " ") : html;
  const read = text.includes("&") ? text.replace(/&(\w+|#39);/g, (whole, name) => /** @type {any} */ (ENTITIES)[name] ?? whole) : text;
  return read.replace(/\s+/gu, " ").trim();
}

/**
 * How well a name fits: 0 is the same, higher is worse, null is not at all.
 * @param {string} name  Folded.
 * @param {string[]} words
 * @param {string} whole  The folded query.
 * @returns {number|null}
 */
export function rankName(name, words, whole) {
  if (!words.every((word) => name.includes(word))) return null;
  if (name === whole) return 0;
  if (name.startsWith(whole)) return 1;
  return words.every((word) => startsWord(name, word)) ? 2 : 3;
}

/**
 * @param {string} name
 * @param {string} word
 */
function startsWord(name, word) {
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1])) return true;
  }
  return false;
}

/**
 * A few words around the first place where one of the words stands.
 * @param {string} text
 * @param {string[]} words
 * @param {number} [around]  Characters before and after.
 */
export function excerpt(text, words, around = 60) {
  const at = firstPlace(text, words);
  const start = at <= around ? 0 : text.indexOf(" ", at - around) + 1 || at - around;
  const end = Math.min(text.length, at + around);
  return `${start > 0 ? "… " : ""}${text.slice(start, end).trim()}${end < text.length ? " …" : ""}`;
}

/**
 * @param {string} text
 * @param {string[]} words
 * @returns {number}  An index of the text as it is, not as it is folded.
 */
function firstPlace(text, words) {
  const lower = text.toLowerCase();
  if (lower.length === text.length) {
    const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
    if (found.length > 0) return Math.min(...found);
  }
  let folded = "";
  /** @type {number[]} */
  const places = []; // of each folded unit, where it came from
  let index = 0;
  for (const letter of text) {
    const piece = fold(letter);
    for (let i = 0; i < piece.length; i += 1) places.push(index);
    folded += piece;
    index += letter.length;
  }
  const found = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  return found.length === 0 ? 0 : places[Math.min(...found)];
}

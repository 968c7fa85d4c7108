/** Every text the GM reads, from the language file. */

/** Making a formatter takes longer than all else that a line needs. */
const FORMATTERS = new Map();

/**
 * @template T
 * @param {new (lang: string, options?: any) => T} Formatter
 * @param {object} [options]
 * @returns {T}  Of the GM's language.
 */
function formatter(Formatter, options) {
  const lang = /** @type {any} */ (game.i18n).lang || "en";
  const key = `${Formatter.name} ${lang}`;
  if (!FORMATTERS.has(key)) FORMATTERS.set(key, new Formatter(lang, options));
  return FORMATTERS.get(key);
}

/**
 * @param {string} key  Below `AAGM.`.
 * @param {Record<string, any>} [data]  Fills the text's places.
 * @returns {string}
 */
export function say(key, data) {
  const i18n = /** @type {any} */ (game.i18n);
  return data === undefined ? i18n.localize(`AAGM.${key}`) : i18n.format(`AAGM.${key}`, data);
}

/**
 * A text that counts: `<key>.one` or `<key>.other`, as the language has it.
 * @param {string} key
 * @param {number} count
 * @param {Record<string, any>} [data]
 * @returns {string}
 */
export function counted(key, count, data = {}) {
  const i18n = /** @type {any} */ (game.i18n);
  const form = formatter(Intl.PluralRules).select(count);
  const known = i18n.has(`AAGM.${key}.${form}`) ? form : "other";
  return say(`${key}.${known}`, { count, ...data });
}

/**
 * @param {string} ts  ISO 8601.
 * @returns {string}  The time of day; empty when it is none.
 */
export function timeOf(ts) {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return "";
  return formatter(Intl.DateTimeFormat, { hour: "2-digit", minute: "2-digit" }).format(date);
}

/**
 * @param {number} characters
 * @returns {string}  As "200 KB".
 */
export function sizeOf(characters) {
  return characters < 10_000 ? say("Window.characters", { count: characters }) : say("Window.kilobytes", { count: Math.round(characters / 1000) });
}

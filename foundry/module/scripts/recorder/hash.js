/**
 * A short name for a document's content: 64-bit FNV-1a over canonical JSON.
 *
 * Canonical: keys in code-unit order, no spaces, everything outside ASCII escaped, `_stats` left out at every depth.
 * `crypto.subtle` does not exist on plain http pages of a LAN, hence a hash of our own. It guards against accidents
 * (somebody edited the document), not against an attacker.
 */

const SKIPPED = "_stats";

/**
 * @param {unknown} value  Anything JSON can hold.
 * @param {ReadonlySet<string>} [without]  Top-level keys to leave out.
 * @returns {string}
 */
export function canonical(value, without) {
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "string":
      return text(value);
    case "number":
      return Number.isFinite(value) ? String(value === 0 ? 0 : value) : "null";
    case "boolean":
      return value ? "true" : "false";
    case "object":
      break;
    default:
      return "null";
  }
  if (Array.isArray(value)) {
    let out = "[";
    for (let i = 0; i < value.length; i++) out += (i ? "," : "") + canonical(value[i]);
    return `${out}]`;
  }
  const object = /** @type {Record<string, unknown>} */ (value);
  let out = "{";
  for (const key of Object.keys(object).sort()) {
    const inner = object[key];
    if (inner === undefined || key === SKIPPED || without?.has(key)) continue;
    out += `${out.length > 1 ? "," : ""}${text(key)}:${canonical(inner)}`;
  }
  return `${out}}`;
}

/**
 * @param {string} value
 * @returns {string}
 */
function text(value) {
  const quoted = JSON.stringify(value);
  // eslint-disable-next-line no-control-regex -- everything that is not ASCII
  return /[^\x00-\x7f]/.test(quoted) ? quoted.replace(/[^\x00-\x7f]/g, escape) : quoted;
}

/** @param {string} unit  One UTF-16 code unit. */
function escape(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * FNV-1a, 64 bit, of an ASCII text; 16 hex digits.
 *
 * The prime is 2^40 + 0x1B3, so a product is two lanes of 32 bits: the low one times 0x1B3 with its carry, the high
 * one times 0x1B3 plus the low one shifted by 8. BigInt would be some fifty times slower.
 * @param {string} ascii
 * @returns {string}
 */
export function fnv1a64(ascii) {
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  for (let i = 0; i < ascii.length; i++) {
    low ^= ascii.charCodeAt(i);
    const first = (low & 0xffff) * 0x1b3;
    const second = (low >>> 16) * 0x1b3 + (first >>> 16);
    high = (Math.imul(high, 0x1b3) + (second >>> 16) + (low << 8)) | 0;
    low = ((second & 0xffff) << 16) | (first & 0xffff);
  }
  return hex(high) + hex(low);
}

/** @param {number} lane */
function hex(lane) {
  return (lane >>> 0).toString(16).padStart(8, "0");
}

/**
 * The hash of one stored document without its children.
 * @param {Record<string, any>} source
 * @param {ReadonlySet<string>} [childKeys]  Keys of its child collections.
 * @returns {string}
 */
export function hashSource(source, childKeys) {
  return fnv1a64(canonical(source, childKeys));
}

/**
 * A short name for a document's content: 64-bit FNV-1a over canonical JSON.
 *
 * Canonical: keys in code-unit order, no spaces, everything outside ASCII taken as escaped, `_stats` left out at every
 * depth.
 * `crypto.subtle` does not exist on plain http pages of a LAN, hence a hash of our own. It guards against accidents
 * (somebody edited the document), not against an attacker.
 */

const SKIPPED = "_stats";

/**
 * @param {unknown} value  Anything JSON can hold.
 * @param {(key: string) => boolean} [isLeftOut]  Of a top-level key.
 * @returns {string}
 */
export function canonical(value, isLeftOut) {
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
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
    if (inner === undefined || key === SKIPPED || isLeftOut?.(key)) continue;
    out += `${out.length > 1 ? "," : ""}${JSON.stringify(key)}:${canonical(inner)}`;
  }
  return `${out}}`;
}

/**
 * FNV-1a, 64 bit, of a text as ASCII: what lies outside is taken as its escape `\\uXXXX`. 16 hex digits.
 *
 * The prime is 2^40 + 0x1B3, so a product is two lanes of 32 bits: the low one times 0x1B3 with its carry, the high
 * one times 0x1B3 plus the low one shifted by 8. BigInt would be some fifty times slower.
 * @param {string} text
 * @returns {string}
 */
export function fnv1a64(text) {
  let low = 0x84222325 | 0;
  let high = 0xcbf29ce4 | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    for (let step = unit < 0x80 ? 6 : 0; step < 7; step++) {
      if (unit >= 0x80 && step === 6) break;
      low ^= unit < 0x80 ? unit : escapeAt(unit, step);
      const first = (low & 0xffff) * 0x1b3;
      const second = (low >>> 16) * 0x1b3 + (first >>> 16);
      high = (Math.imul(high, 0x1b3) + (second >>> 16) + (low << 8)) | 0;
      low = ((second & 0xffff) << 16) | (first & 0xffff);
    }
  }
  return hex(high) + hex(low);
}

/**
 * @param {number} unit  One UTF-16 code unit.
 * @param {number} step  0 … 5: backslash, u, four hex digits.
 * @returns {number}  An ASCII code.
 */
function escapeAt(unit, step) {
  if (step < 2) return step === 0 ? 0x5c : 0x75;
  const digit = (unit >>> (4 * (5 - step))) & 0xf;
  return digit < 10 ? 0x30 + digit : 0x57 + digit;
}

/** @param {number} lane */
function hex(lane) {
  return (lane >>> 0).toString(16).padStart(8, "0");
}

/**
 * The inside of a paragraph: emphasis, code, links, documents. Every piece of text is read a bounded number of times.
 */

/**
 * @typedef {{ kind: "text", text: string }
 *   | { kind: "code", text: string }
 *   | { kind: "break" }
 *   | { kind: "strong"|"em"|"del", children: Inline[] }
 *   | { kind: "link", href: string, children: Inline[] }
 *   | { kind: "uuid", uuid: string, label: string }} Inline
 */

const DEEPEST = 6;
const UUID = /@UUID\[([^\]\s]{1,300})\](?:\{([^}\n]{0,300})\})?/y;
const LINK = /\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,2000})?)\)/y;
const BARE = /<?(https?:\/\/[^\s<>"'`]{1,2000})>?/y;
const ESCAPED = /[!-/:-@[-`{-~]/;
const MARKS = Object.freeze([
  { mark: "**", kind: "strong" },
  { mark: "__", kind: "strong" },
  { mark: "~~", kind: "del" },
  { mark: "*", kind: "em" },
  { mark: "_", kind: "em" },
]);

/**
 * @param {string} text
 * @param {{ isPlain?: boolean }} [options]  isPlain: only documents and addresses are links, all else is as typed.
 * @returns {Inline[]}
 */
export function parseInline(text, { isPlain = false } = {}) {
  return new Reader(text, isPlain, 0).read();
}

class Reader {
  #text;
  #isPlain;
  #depth;
  #at = 0;
  #plain = "";
  /** @type {Inline[]} */
  #found = [];
  /** @type {Set<string>}  Marks that close nowhere further on. */
  #unclosed = new Set();

  /**
   * @param {string} text
   * @param {boolean} isPlain
   * @param {number} depth
   */
  constructor(text, isPlain, depth) {
    this.#text = text;
    this.#isPlain = isPlain;
    this.#depth = depth;
  }

  /** @returns {Inline[]} */
  read() {
    while (this.#at < this.#text.length) {
      const taken = this.#special(this.#text[this.#at]);
      if (!taken) {
        this.#plain += this.#text[this.#at];
        this.#at += 1;
      }
    }
    this.#flush();
    return this.#found;
  }

  /**
   * @param {string} first
   * @returns {boolean}  Was something taken?
   */
  #special(first) {
    if (first === "\n") return this.#take({ kind: "break" }, 1);
    if (first === "@") return this.#document();
    if (first === "h" || first === "<") return this.#address();
    if (this.#isPlain) return false;
    if (first === "\\") return this.#escaped();
    if (first === "`") return this.#code();
    if (first === "[") return this.#link();
    if ("*_~".includes(first)) return this.#emphasis();
    return false;
  }

  /**
   * @param {Inline} node
   * @param {number} length
   */
  #take(node, length) {
    this.#flush();
    this.#found.push(node);
    this.#at += length;
    return true;
  }

  #flush() {
    if (this.#plain) this.#found.push({ kind: "text", text: this.#plain });
    this.#plain = "";
  }

  /** @param {RegExp} pattern */
  #match(pattern) {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #document() {
    const found = this.#match(UUID);
    if (!found) return false;
    const [whole, uuid, label] = found;
    return this.#take({ kind: "uuid", uuid, label: label || uuid }, whole.length);
  }

  #address() {
    const before = this.#text[this.#at - 1] ?? " ";
    const found = /[\p{L}\p{N}]/u.test(before) ? null : this.#match(BARE);
    if (!found) return false;
    const bracketed = found[0].startsWith("<");
    if (bracketed !== found[0].endsWith(">")) return false;
    const href = bracketed ? found[1] : found[1].replace(/[.,;:!?*_)\]]+$/, "");
    return this.#take({ kind: "link", href, children: [{ kind: "text", text: href }] }, bracketed ? found[0].length : href.length);
  }

  #escaped() {
    const next = this.#text[this.#at + 1];
    if (next === undefined || !ESCAPED.test(next)) return false;
    this.#plain += next;
    this.#at += 2;
    return true;
  }

  #code() {
    let length = 1;
    while (this.#text[this.#at + length] === "`") length += 1;
    const fence = "`".repeat(length);
    const end = this.#unclosed.has(fence) ? -1 : this.#text.indexOf(fence, this.#at + length);
    if (end < 0) {
      this.#unclosed.add(fence);
      this.#plain += fence;
      this.#at += length;
      return true;
    }
    const text = this.#text.slice(this.#at + length, end).replace(/\n/g, " ");
    return this.#take({ kind: "code", text: text.trim() || text }, end + length - this.#at);
  }

  #link() {
    const found = this.#match(LINK);
    if (!found || this.#depth >= DEEPEST) return false;
    const [whole, label, href] = found;
    return this.#take({ kind: "link", href, children: withoutLinks(this.#inside(label)) }, whole.length);
  }

  #emphasis() {
    const known = MARKS.find(({ mark }) => this.#text.startsWith(mark, this.#at));
    if (!known || this.#depth >= DEEPEST) return false;
    const { mark, kind } = known;
    const start = this.#at + mark.length;
    const end = this.#opens(mark, start) ? this.#closing(mark, start) : -1;
    if (end < 0) {
      this.#plain += mark;
      this.#at += mark.length;
      return true;
    }
    const children = this.#inside(this.#text.slice(start, end));
    return this.#take(/** @type {Inline} */ ({ kind, children }), end + mark.length - this.#at);
  }

  /**
   * @param {string} mark
   * @param {number} start
   */
  #opens(mark, start) {
    if (this.#unclosed.has(mark) || /\s|^$/.test(this.#text[start] ?? "")) return false;
    return !mark.startsWith("_") || !/[\p{L}\p{N}]/u.test(this.#text[this.#at - 1] ?? "");
  }

  /**
   * @param {string} mark
   * @param {number} start
   * @returns {number}  Where it closes; -1 when nowhere, and then no later one does.
   */
  #closing(mark, start) {
    for (let end = this.#text.indexOf(mark, start + 1); end >= 0; end = this.#text.indexOf(mark, end + mark.length)) {
      const isDoubled = mark.length === 1 && (this.#text[end + 1] === mark || this.#text[end - 1] === mark);
      const isInWord = mark.startsWith("_") && /[\p{L}\p{N}]/u.test(this.#text[end + mark.length] ?? "");
      if (isDoubled || isInWord || /\s/.test(this.#text[end - 1])) continue;
      return mark.length === 2 && this.#text[end + 2] === mark[0] ? end + 1 : end; // ***both*** ends with the inner one
    }
    this.#unclosed.add(mark);
    return -1;
  }

  /** @param {string} text */
  #inside(text) {
    return new Reader(text, this.#isPlain, this.#depth + 1).read();
  }
}

/**
 * A link inside a link is none.
 * @param {Inline[]} nodes
 * @returns {Inline[]}
 */
function withoutLinks(nodes) {
  return nodes.flatMap((node) => {
    if (node.kind === "link") return node.children;
    if (node.kind === "uuid") return [{ kind: "text", text: node.label }];
    return "children" in node ? [{ ...node, children: withoutLinks(node.children) }] : [node];
  });
}

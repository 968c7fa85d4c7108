import assert from "node:assert/strict";
import test from "node:test";

import { parseBlocks } from "../../module/scripts/ui/markdown/blocks.js";
import { parseInline } from "../../module/scripts/ui/markdown/inline.js";

/** The tree as one line: what a reader would see, with marks. */
function shown(nodes) {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case "text":
          return node.text;
        case "code":
          return `\`${node.text}\``;
        case "break":
          return "⏎";
        case "link":
          return `[${shown(node.children)}→${node.href}]`;
        case "uuid":
          return `{${node.label}→${node.uuid}}`;
        default:
          return `<${node.kind}:${shown(node.children)}>`;
      }
    })
    .join("");
}

const inline = (text, options) => shown(parseInline(text, options));
const paragraph = (text) => shown(parseBlocks(text)[0].inline);

for (const [text, expected] of [
  ["plain", "plain"],
  ["**bold** and *lean* and ~~gone~~", "<strong:bold> and <em:lean> and <del:gone>"],
  ["__bold__ _lean_", "<strong:bold> <em:lean>"],
  ["***both***", "<strong:<em:both>>"],
  ["snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"],
  ["an open ** end and an open ` end", "an open ** end and an open ` end"],
  ["`a **b** c` and ``x ` y``", "`a **b** c` and `x ` y`"],
  ["\\*not lean\\*", "*not lean*"],
  ["[the rules](https://example.com/a_(b)?c=1)", "[the rules→https://example.com/a_(b)?c=1]"],
  ["see https://example.com/x, or (http://localhost:30000/game).", "see [https://example.com/x→https://example.com/x], or ([http://localhost:30000/game→http://localhost:30000/game])."],
  ["@UUID[Actor.abc]{Ottar Reed} and @UUID[Item.x]", "{Ottar Reed→Actor.abc} and {Item.x→Item.x}"],
  ["[**@UUID[Actor.abc]{Ottar}**](https://example.com)", "[<strong:{Ottar→Actor.abc}>]([https://example.com→https://example.com])"],
]) {
  test(`inside a paragraph: ${text}`, () => assert.equal(inline(text), expected));
}

for (const text of [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "[click](javascript:alert(1))",
  "[click](data:text/html,x)",
  "[click](JaVaScRiPt:alert(1))",
  "&lt;b&gt;",
  "@UUID[Actor.a b]{x}",
]) {
  test(`stays text: ${text}`, () => assert.equal(inline(text), text));
}

test("what the GM typed is as typed but for documents and addresses", () => {
  assert.equal(inline("*a* `b` @UUID[Actor.abc]{Ottar} http://x.example", { isPlain: true }), "*a* `b` {Ottar→Actor.abc} [http://x.example→http://x.example]");
});

test("blocks are read as an agent writes them", () => {
  const kinds = parseBlocks("# Title #\n\ntext\nmore\n\n- a\n- b\n  1. c\n\n> said\n\n```js\n# no title\n```\n\n---\n\n|a|b|\n|-|-|\n|1|2|\n").map(({ kind }) => kind);
  assert.deepEqual(kinds, ["heading", "paragraph", "list", "quote", "code", "rule", "table"]);
});

test("a paragraph keeps its line breaks", () => {
  assert.equal(paragraph("one\ntwo"), "one⏎two");
});

test("lists nest, and number from where they begin", () => {
  const [list] = parseBlocks("3. three\n4. four\n   - inner\n   - other\n5. five");
  assert.equal(list.start, 3);
  assert.equal(list.items.length, 3);
  const [, [head, nested]] = list.items;
  assert.equal(shown(head.inline), "four");
  assert.deepEqual(nested.items.map(([item]) => shown(item.inline)), ["inner", "other"]);
});

test("a code fence that never closes goes to the end", () => {
  const [code] = parseBlocks("```\na\n**b**");
  assert.deepEqual(code, { kind: "code", text: "a\n**b**" });
});

test("a table has the cells of its head, whatever its rows have", () => {
  const [table] = parseBlocks("| who | hp |\n|:--|--:|\n| Ottar | 31 | 99 |\n| Brunna |");
  assert.deepEqual(table.rows.map((row) => row.map(shown)), [["Ottar", "31"], ["Brunna", ""]]);
});

for (const piece of ["*a ", "**", "[", "[a](", "`", "_a", "@UUID[", "> ", "- ", "| a |\n|-|\n", "http://", "<", "\\", "~~x ", "***a** "]) {
  test(`200 KB of ${JSON.stringify(piece)} is read in linear time`, () => {
    const text = piece.repeat(200_000 / piece.length);
    const began = process.cpuUsage(); // a machine that stands still is no fault of the text's
    parseBlocks(text);
    parseBlocks(text.replace(/\n/g, " "));
    assert.ok(process.cpuUsage(began).user < 2_000_000);
  });
}

test("a broken surrogate and a right-to-left override are characters like any other", () => {
  assert.equal(inline("a\uD800b \u202Eoppah"), "a\uD800b \u202Eoppah");
});

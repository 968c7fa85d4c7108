/** What aagm/docs/undo.md lists as reasons why a rollback leaves something. */

import { readFileSync } from "node:fs";

const PAGE = readFileSync(new URL("../../../aagm/docs/undo.md", import.meta.url), "utf8");
const [SECTION] = PAGE.split("## What a rollback says where it leaves something\n")[1].split("\n## ");

/** `…` stands for anything. */
export const CAUSES = [...SECTION.matchAll(/^- `([^`]+)`: /gm)].map(([, cause]) => cause);

const PATTERNS = CAUSES.map((cause) => new RegExp(`^${cause.split("…").map(escape).join(".+")}$`));

function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** @param {string} cause */
export function isListed(cause) {
  return PATTERNS.some((pattern) => pattern.test(cause));
}

/** What one tab shows, in order: lines, prompts on their way, rollback cards. Pure. */

/**
 * @typedef {{ role: string, text: string, ts: string, promptId?: string, cancelled?: boolean, interrupt?: boolean }} Line
 * @typedef {{ id: string, ts: string, summary: string, tabId: string|null, kind: string, state: string, [more: string]: any }} Point
 * @typedef {{ promptId: string, text: string, tabId?: string, ts: string, isSent: boolean }} Echo
 *   A prompt that the table of tabs does not hold yet. isSent: the relay has it on disk.
 * @typedef {{ text: string, ts: string, isSystem: boolean }} Heard  A reply that the table does not hold yet, or never will.
 * @typedef {{ kind: "line", key: string, role: string, text: string, ts: string, promptId?: string, isCancelled: boolean,
 *   isInterrupt: boolean, waits: ""|"waiting"|"sent" }} LineItem
 * @typedef {{ kind: "card", key: string, point: Point }} CardItem
 * @typedef {{ kind: "older", key: string, count: number }} OlderItem
 * @typedef {LineItem|CardItem|OlderItem} Item
 */

const CARDS = 30; // shown a tab, unless all are asked for
const CUT = 8000; // characters of a line in the table

/**
 * @param {object} parts
 * @param {Line[]} parts.lines
 * @param {Point[]} [parts.points]  Of this tab, oldest first.
 * @param {Echo[]} [parts.echoes]
 * @param {Heard[]} [parts.heard]
 * @param {{ promptId: string, text: string }[]} [parts.cancelled]
 * @param {string[]} [parts.whole]  Replies longer than a line of the table.
 * @param {boolean} [parts.isAll]  Every card.
 * @returns {Item[]}
 */
export function itemsOf({ lines, points = [], echoes = [], heard = [], cancelled = [], whole = [], isAll = false }) {
  const known = new Set(lines.map(({ promptId }) => promptId));
  const lost = cancelled.filter(({ promptId }) => !known.has(promptId));
  const shown = isAll ? points : points.slice(-CARDS);
  /** @type {Item[]} */
  const items = [
    ...lost.map(({ promptId, text }) => line({ role: "user", text, ts: "", promptId, cancelled: true })),
    ...lines.map((each) => line({ ...each, text: wholeOf(each, whole) })),
  ];
  for (const { text, ts, isSystem } of heard) place(items, line({ role: isSystem ? "system" : "assistant", text, ts }));
  for (const point of shown) place(items, { kind: "card", key: `card|${point.id}`, point });
  for (const { promptId, text, ts, isSent } of echoes) {
    if (!known.has(promptId)) items.push(line({ role: "user", text, ts, promptId }, isSent ? "sent" : "waiting"));
  }
  if (shown.length < points.length) items.unshift({ kind: "older", key: "older", count: points.length - shown.length });
  return numbered(items);
}

/**
 * @param {Line} from
 * @param {LineItem["waits"]} [waits]
 * @returns {LineItem}
 */
function line({ role, text, ts, promptId, cancelled = false, interrupt = false }, waits = "") {
  const key = `${role}|${promptId ?? ""}|${text.slice(0, 120)}`;
  return { kind: "line", key, role, text, ts, promptId, isCancelled: cancelled, isInterrupt: interrupt, waits };
}

/**
 * The table cuts a line; what came as a reply in this session is whole.
 * @param {Line} line
 * @param {string[]} whole
 */
function wholeOf({ role, text }, whole) {
  if (role !== "assistant" || text.length < CUT) return text;
  return whole.findLast((reply) => reply.startsWith(text)) ?? text;
}

/**
 * Put an item behind everything that is older.
 * @param {Item[]} items
 * @param {LineItem|CardItem} item
 */
function place(items, item) {
  const ts = timeOf(item);
  let at = items.length;
  while (at > 0 && timeOf(items[at - 1]) > ts) at -= 1;
  items.splice(at, 0, item);
}

/** @param {Item} item */
function timeOf(item) {
  if (item.kind === "older") return 0;
  const time = Date.parse(item.kind === "card" ? item.point.ts : item.ts);
  return Number.isNaN(time) ? 0 : time;
}

/**
 * Two equal lines are two.
 * @param {Item[]} items
 * @returns {Item[]}
 */
function numbered(items) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return items.map((item) => {
    const count = seen.get(item.key) ?? 0;
    seen.set(item.key, count + 1);
    return count === 0 ? item : { ...item, key: `${item.key}#${count}` };
  });
}

/**
 * Does a table's line hold this reply?
 * @param {Line[]} lines
 * @param {Heard} heard
 */
export function holds(lines, { text, isSystem }) {
  const role = isSystem ? "system" : "assistant";
  const begin = text.slice(0, CUT);
  return lines.some((each) => (each.role === role || (isSystem && each.role === "assistant")) && each.text.slice(0, CUT) === begin);
}

/** @param {string} text */
export function isLong(text) {
  return text.length > CUT;
}

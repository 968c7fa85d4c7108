/**
 * Faults: a script of rules, each off until it is added. A rule matches operations and says what goes wrong.
 *
 * Source: WORLD_SIMULATOR section 5.
 */

const KNOWN = new Set([
  "rejectAfterPre", "delay", "neverSettle", "duplicateAnswer", "dropBroadcast", "reorder", "partialBatch", "lockPack", "permissionDenied", "payloadTooLarge", "clearStats",
  "staleDelta", "slowHook", "quotaExceeded",
]);

/** The rules in force. */
export class Faults {
  #rules = [];

  /** @param {object[]} [rules] */
  constructor(rules = []) {
    for (const rule of rules) this.add(rule);
  }

  /**
   * Add a rule.
   * @param {object} rule
   * @param {string} rule.fault Its name, from section 5 of the design.
   * @param {object} [rule.match] `{action, documentName, pack, uuid, userId, client}`; absent members match everything.
   * @param {number} [rule.times] How often it strikes before it is spent; without end by default.
   * @param {number} [rule.after] How many matching operations pass first.
   * @returns {() => void} Takes the rule back.
   */
  add(rule) {
    if (!KNOWN.has(rule.fault)) throw new Error(`unknown fault ${rule.fault}`);
    const entry = { times: Infinity, after: 0, match: {}, ...rule };
    this.#rules.push(entry);
    return () => {
      this.#rules = this.#rules.filter((known) => known !== entry);
    };
  }

  clear() {
    this.#rules = [];
  }

  /** No rule is in force: nothing needs to ask. */
  get isQuiet() {
    return this.#rules.length === 0;
  }

  /** The rule that strikes now, counted; undefined when none does. */
  strike(fault, subject = {}) {
    for (const rule of this.#rules) {
      if (rule.fault !== fault || rule.times <= 0 || !covers(rule.match, subject)) continue;
      if (rule.after > 0) {
        rule.after -= 1;
        continue;
      }
      rule.times -= 1;
      return rule;
    }
    return undefined;
  }

  /** The reason the server refuses a request; undefined when it does not. */
  onServer(request, userId) {
    if (this.isQuiet) return undefined;
    const subject = { ...request, userId };
    if (this.strike("payloadTooLarge", subject)) return "The request exceeds the maximum payload size";
    if (this.strike("permissionDenied", subject)) return `You lack permission to ${request.action} this ${request.documentName}`;
    if (this.strike("lockPack", subject)) return `You may not modify the ${request.pack} Compendium, which is currently locked.`;
    const partial = this.strike("partialBatch", subject);
    if (partial) return `${request.documentName} validation errors: document ${partial.index ?? 0} of the batch was refused`;
    return undefined;
  }

  clearStats() {
    return Boolean(this.strike("clearStats"));
  }
}

function covers(match, subject) {
  return Object.entries(match).every(([key, wanted]) => {
    const value = subject[key];
    if (key === "uuid") return uuidsOf(subject).some((uuid) => (wanted instanceof RegExp ? wanted.test(uuid) : uuid === wanted));
    return wanted instanceof RegExp ? wanted.test(String(value)) : wanted === value;
  });
}

function uuidsOf({ documentName, parentUuid, pack, ids, updates, data }) {
  const own = ids ?? (updates ?? data ?? []).map((entry) => entry._id);
  const prefix = parentUuid ? `${parentUuid}.` : pack ? `Compendium.${pack}.` : "";
  return own.map((id) => `${prefix}${documentName}.${id}`);
}

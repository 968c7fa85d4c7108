/** Who made and touched a document, and when: `_stats`, kept by the server. */
import { isPlain } from "../core/objects.js";

/** Members a caller may set. */
export const OPEN_STATS = ["compendiumSource", "duplicateSource"];

/** Writes `_stats` for one server. */
export class Stats {
  /** @param {{clock: object, version: string, system: {id: string, version: string}}} world */
  constructor({ clock, version, system }) {
    this.clock = clock;
    this.about = { coreVersion: version, systemId: system.id, systemVersion: system.version };
  }

  /** Stamp a source that is being created. */
  created(table, source, userId) {
    if (!table.stats) return;
    const given = source._stats ?? {};
    const now = this.clock.now();
    for (const key of Object.keys(given)) if (!OPEN_STATS.includes(key) && key !== "exportSource") given[key] = null;
    Object.assign(given, this.about, { createdTime: now, modifiedTime: now, lastModifiedBy: userId });
    source._stats = given;
  }

  /**
   * Stamp a source that is being updated.
   * @param {boolean} clear The fault of FOUNDRY_FACTS 1.6: a non-recursive update loses what was known.
   * @returns {object|undefined} The part of `_stats` that changed.
   */
  updated(table, source, sent, userId, clear) {
    if (!table.stats) return undefined;
    const change = { modifiedTime: this.clock.now(), lastModifiedBy: userId };
    if (clear) {
      Object.assign(change, { createdTime: null, compendiumSource: null, duplicateSource: null });
      if ("exportSource" in (source._stats ?? {})) change.exportSource = null;
    }
    for (const key of OPEN_STATS) if (isPlain(sent) && key in sent) change[key] = sent[key];
    for (const [key, value] of Object.entries(this.about)) if (source._stats?.[key] !== value) change[key] = value;
    source._stats = { ...source._stats, ...change };
    return change;
  }
}

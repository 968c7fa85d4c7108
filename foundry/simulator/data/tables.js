/** The document tables of one generation, with what is derived from them. */
import { any, children, object, string } from "./fields.js";
import { EMBEDDED, LATER } from "./tables-embedded.js";
import { PRIMARY } from "./tables-primary.js";

const STATS = {
  coreVersion: null, systemId: null, systemVersion: null, createdTime: null, modifiedTime: null, lastModifiedBy: null, compendiumSource: null, duplicateSource: null,
};

/**
 * Build the tables of a generation.
 * @param {number} generation 12, 13 or 14.
 * @returns {Record<string, DocumentTable>}
 *
 * @typedef {{name: string, collection: string, primary: boolean, pack: boolean, folder: boolean, hasType: boolean, hasSystem: boolean, types: string[]|null, stats: boolean, required: string[],
 *   fields: Record<string, object>, embedded: Record<string, string>, childFields: Array<[string, string]>, keys: string[], ownKeys: string[]}} DocumentTable
 * keys: of all fields; ownKeys: of those that hold no children.
 */
export function buildTables(generation) {
  const tables = {};
  for (const [name, entry] of Object.entries(PRIMARY)) tables[name] = complete(name, entry, true, generation);
  for (const [name, entry] of Object.entries(EMBEDDED)) {
    if (name === "MeasuredTemplate" && generation >= 14) continue;
    // Item and ActiveEffect exist once: as a primary type where they are one.
    tables[name] ??= complete(name, entry, name === "ActiveEffect" && generation >= 14, generation);
  }
  for (const [name, entry] of Object.entries(LATER)) {
    if (generation < entry.since) continue;
    tables[name] = complete(name, entry, false, generation);
    tables[entry.parent].fields[entry.collection] = children(name);
  }
  byGeneration(tables, generation);
  for (const table of Object.values(tables)) {
    table.childFields = Object.entries(table.fields)
      .filter(([, field]) => field.kind === "children")
      .map(([key, field]) => [key, field.documentName]);
    table.embedded = Object.fromEntries(table.childFields.map(([key, name]) => [name, key]));
    table.keys = Object.keys(table.fields);
    table.ownKeys = table.keys.filter((key) => table.fields[key].kind !== "children");
  }
  return tables;
}

function complete(name, entry, primary, generation) {
  const stats = primary ? name !== "Setting" || generation >= 13 : Boolean(entry.stats);
  const initial = generation >= 13 ? { ...STATS, exportSource: null } : STATS;
  return {
    name,
    primary,
    pack: Boolean(entry.pack),
    folder: Boolean(entry.folder),
    hasType: Boolean(entry.hasType),
    hasSystem: Boolean(entry.hasSystem),
    types: entry.types ?? null,
    collection: entry.collection,
    required: entry.required,
    stats,
    fields: { ...entry.fields, ...(stats ? { _stats: object(initial) } : {}) },
  };
}

function byGeneration(tables, generation) {
  if (generation >= 14) {
    delete tables.Scene.fields.templates;
    tables.ActiveEffect.collection = "effects";
    Object.assign(tables.ActiveEffect, { pack: true, folder: true });
    tables.ActiveEffect.fields.folder = { kind: "ref", initial: null, documentName: "Folder" };
    tables.ActiveEffect.fields.ownership = object({ default: 0 });
    tables.Folder.types = [...tables.Folder.types, "ActiveEffect"];
  }
  if (generation >= 13) {
    tables.Setting.fields.user = any(null);
    tables.TableResult.fields.name = string();
    tables.TableResult.fields.description = string();
    tables.TableResult.fields.documentUuid = string(null);
    tables.JournalEntryPage.fields.category = string(null);
    tables.Combatant.fields.group = string(null);
    tables.Token.fields._movementHistory = { kind: "array", initial: [] };
    tables.TableResult.types = ["text", "document"];
    tables.TableResult.fields.type = string("text");
  }
}

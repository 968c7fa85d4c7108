/** Create, update and delete, as the server does them: all or nothing, JSON in, events out. */
import { deepClone, isPlain } from "../core/objects.js";
import { indexOf } from "../data/lists.js";
import * as cascades from "./cascades.js";
import { ServerRefusal } from "./refusal.js";
import { Target } from "./target.js";

/**
 * Check one operation without changing anything.
 * @param {import("./server.js").Server} server
 * @param {object} request `{action, documentName, parentUuid, pack, data|updates|ids, options}`
 * @param {object} user The requester's source.
 * @returns {Target} Where it will be applied.
 */
export function check(server, request, user) {
  const target = new Target(server, request);
  if (request.action === "create") checkCreate(server, request, target, user);
  else {
    for (const entry of request.action === "update" ? request.updates : request.ids.map((_id) => ({ _id }))) {
      const source = target.get(entry._id);
      if (!source) throw new ServerRefusal(`${request.documentName} ${entry._id} does not exist in ${target.where}`);
      checkPermission(server, request, target, user, source, entry);
      if (request.action === "update") checkChanges(server, request, source, entry);
    }
  }
  return target;
}

function checkCreate(server, request, target, user) {
  const table = server.schema.tables[request.documentName];
  const seen = new Set();
  for (const data of request.data) {
    for (const key of table.required) {
      if (data[key] === undefined || data[key] === null || data[key] === "") {
        throw new ServerRefusal(`${table.name} validation errors: ${key}: may not be undefined`);
      }
    }
    checkType(server, table, data.type);
    if (data._id !== null && data._id !== undefined) {
      if (!/^[A-Za-z0-9]{16}$/.test(data._id)) throw new ServerRefusal(`${table.name} validation errors: _id: must be a valid 16-character alphanumeric ID`);
      if (target.get(data._id) || seen.has(data._id)) {
        throw new ServerRefusal(`The _id [${data._id}] already exists within the parent collection: ${target.where}`);
      }
      seen.add(data._id);
    }
    if (table.name === "Setting" && target.all().some((source) => source.key === data.key && (source.user ?? null) === (data.user ?? null))) {
      throw new ServerRefusal(`The setting key ${data.key} already exists`);
    }
    checkPermission(server, request, target, user, data, data);
  }
}

function checkChanges(server, request, source, changes) {
  const table = server.schema.tables[request.documentName];
  for (const key of table.required) {
    if (key in changes && (changes[key] === null || changes[key] === "")) {
      throw new ServerRefusal(`${table.name} validation errors: ${key}: may not be undefined`);
    }
  }
  if (changes.type !== undefined) checkType(server, table, changes.type);
}

function checkType(server, table, type) {
  if (!table.hasType || type === undefined || type === null || typeof type !== "string") return;
  const types = server.schema.typesOf(table.name);
  if (types && !types.includes(type)) {
    throw new ServerRefusal(`${table.name} validation errors: type: "${type}" is not a valid type for the ${table.name} Document class`);
  }
}

function checkPermission(server, request, target, user, source, changes) {
  const chain = [source, ...target.chain];
  const base = source.actorId && server.store.primary("Actor").get(source.actorId);
  if (request.documentName === "Token" && base) chain.splice(1, 0, base);
  if (!server.allows(user, request.action, { documentName: request.documentName, chain, changes })) {
    const name = source.name ? `"${source.name}"` : `[${source._id}]`;
    throw new ServerRefusal(`User ${user.name} lacks permission to ${request.action} ${request.documentName} ${name} in ${target.where}`);
  }
}

/**
 * Apply one operation that was checked.
 * @returns {object[]} The event that answers it, and those of its cascades.
 */
export function apply(server, request, target, userId) {
  const { action, documentName, pack = null, parentUuid = null, options = {} } = request;
  const event = { action, documentName, pack, parentUuid, options, userId, silent: false };
  const followers = [];
  if (action === "create") event.data = request.data.map((data) => create(server, target, data, options, userId));
  else if (action === "update") {
    event.updates = request.updates.map((changes) => update(server, target, changes, options, userId));
    followers.push(...cascades.activation(server, { ...event, updates: event.updates }));
  } else {
    const sources = request.ids.map((id) => target.get(id));
    if (documentName === "Folder") followers.push(...cascades.folderDeletion(server, { pack, sources, options, userId }));
    if (documentName === "Scene" && !pack) followers.push(...cascades.sceneDeletion(server, { ids: request.ids, userId }));
    target.remove(request.ids);
    event.ids = request.ids;
  }
  if (target.synthetic) event.delta = { tokenUuid: target.synthetic.tokenUuid, source: deepClone(target.synthetic.token.delta) };
  for (const follower of followers) applyFollower(server, follower);
  return [event, ...followers];
}

function applyFollower(server, event) {
  const target = new Target(server, event);
  if (event.action === "delete") target.remove(event.ids);
  else for (const changes of event.updates) server.schema.apply(target.table, target.get(changes._id), changes);
}

function create(server, target, data, options, userId) {
  const { schema } = server;
  const source = deepClone(data);
  if (!options.keepEmbeddedIds) dropChildIds(schema, target.table, source);
  const clean = schema.cleanSource(target.table, source, () => server.randomID());
  while (!clean._id || (data._id !== clean._id && target.get(clean._id))) clean._id = server.randomID();
  stampAll(server, target.table, clean, userId);
  target.add(clean);
  return deepClone(clean);
}

/** Children get new ids unless the caller asked to keep them. */
function dropChildIds(schema, table, source) {
  for (const [key, name] of table.childFields) {
    for (const child of source[key] ?? []) {
      if (child._tombstone) continue;
      delete child._id;
      dropChildIds(schema, schema.tables[name], child);
    }
  }
}

function stampAll(server, table, source, userId) {
  server.stats.created(table, source, userId);
  for (const [key, name] of table.childFields) {
    for (const child of source[key]) if (!child._tombstone) stampAll(server, server.schema.tables[name], child, userId);
  }
}

function update(server, target, changes, options, userId) {
  const { schema } = server;
  const recursive = options.recursive !== false;
  const source = target.own(changes._id);
  const { _stats, ...rest } = changes;
  completeInline(server, target.table, source, rest, userId);
  becomeUnlinked(server, target.table, source, rest);
  schema.apply(target.table, source, rest, { recursive });
  const stats = server.stats.updated(target.table, source, _stats, userId, !recursive && server.faults.clearStats());
  return stats ? { ...rest, _stats: stats } : rest;
}

/** Inline children that are new get their id and their whole source, so that all clients make the same. */
function completeInline(server, table, source, changes, userId) {
  const { schema } = server;
  for (const [key, name] of table.childFields) {
    if (!Array.isArray(changes[key])) continue;
    const known = indexOf(source[key] ?? []);
    const childTable = schema.tables[name];
    changes[key] = changes[key].map((child) => {
      if (child._tombstone) return child;
      const existing = known.get(child._id);
      if (existing) {
        const clean = schema.cleanChanges(childTable, child, existing.type);
        completeInline(server, childTable, existing, clean, userId);
        return clean;
      }
      const whole = schema.cleanSource(childTable, child, () => server.randomID());
      whole._id ??= server.randomID();
      stampAll(server, childTable, whole, userId);
      return whole;
    });
  }
  if (table.name === "Token" && isPlain(changes.delta) && source.delta) {
    completeInline(server, schema.tables.ActorDelta, source.delta, changes.delta, userId);
  }
}

/** A token that loses its link gets an empty delta. */
function becomeUnlinked(server, table, source, changes) {
  if (table.name !== "Token" || source.delta || changes.delta) return;
  const linked = changes.actorLink ?? source.actorLink;
  const actorId = changes.actorId ?? source.actorId;
  if (linked || !actorId) return;
  changes.delta = server.schema.cleanDelta({ actorLink: false, actorId }, () => server.randomID());
}


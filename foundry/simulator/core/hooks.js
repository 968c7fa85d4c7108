/**
 * `Hooks`: synchronous listeners in the order of registration.
 *
 * Source: FOUNDRY_FACTS 1.1; a throwing listener is reported and the rest still run.
 */

/**
 * Make the `Hooks` object of one client.
 * @param {(location: string, error: Error, data: object) => void} report Told of every listener that throws.
 */
export function createHooks(report) {
  const events = {};
  const byId = new Map();
  let nextId = 1;

  function remove(entry) {
    const listeners = events[entry.hook];
    const index = listeners?.indexOf(entry) ?? -1;
    if (index >= 0) listeners.splice(index, 1);
    byId.delete(entry.id);
  }

  function run(entry, args) {
    if (entry.once) remove(entry);
    try {
      return entry.fn(...args);
    } catch (error) {
      Hooks.onError("Hooks.call", error, { hook: entry.hook, fn: entry.fn });
      return undefined;
    }
  }

  const Hooks = {
    events,

    on(hook, fn, { once = false } = {}) {
      const entry = { hook, id: nextId, fn, once };
      nextId += 1;
      (events[hook] ??= []).push(entry);
      byId.set(entry.id, entry);
      return entry.id;
    },

    once(hook, fn) {
      return Hooks.on(hook, fn, { once: true });
    },

    /** Remove a listener, by its number or by its function. */
    off(hook, listener) {
      const entry =
        typeof listener === "number" ? byId.get(listener) : events[hook]?.find((known) => known.fn === listener);
      if (entry) remove(entry);
    },

    /** Call every listener; what they return is ignored. */
    callAll(hook, ...args) {
      for (const entry of Array.from(events[hook] ?? [])) run(entry, args);
      return true;
    },

    /** Call listeners until one returns an explicit false. */
    call(hook, ...args) {
      for (const entry of Array.from(events[hook] ?? [])) {
        if (run(entry, args) === false) return false;
      }
      return true;
    },

    onError(location, error, { msg = "", notify = null, log = null, ...data } = {}) {
      report(location, error, { msg, notify, log, ...data });
      if (data.hook !== "error") Hooks.callAll("error", location, error, data);
    },
  };
  return Hooks;
}

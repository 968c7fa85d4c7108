/**
 * Modules that get in the way, as real ones do. Each is made by a function, so that every world has its own; what a test
 * turns is on the module object, found by `world.module(name)`.
 */
import { createRandom } from "../core/random.js";

/**
 * Register listeners before the module under test, or after it.
 * @param {import("../client/client.js").Client} client
 * @param {"before"|"after"} when after: one turn after `ready`.
 * @param {() => void} register
 */
function register(client, when, run) {
  if (when === "before") run();
  else client.Hooks.once("ready", () => client.later(run));
}

const ACTIONS = ["Create", "Update", "Delete"];

/** Every hook name of an action, for the types of this client. */
function hooksOf(client, prefix) {
  return client.CONST.ALL_DOCUMENT_TYPES.map((name) => `${prefix}${name}`);
}

/** Refuses documents by uuid or by name; throws where it is told to. */
export function hostileVeto({ when = "before" } = {}) {
  const module = {
    id: "hostile-veto",
    title: "Hostile veto",
    version: "1.0.0",
    /** Uuids and names that are refused. */
    refuses: new Set(),
    /** Names of hooks in which it throws. */
    throwsIn: new Set(),
    setup(client) {
      register(client, when, () => {
        for (const hook of ACTIONS.flatMap((action) => hooksOf(client, `pre${action}`))) {
          client.Hooks.on(hook, (document) => {
            if (module.throwsIn.has(hook)) throw new Error(`hostile-veto throws in ${hook}`);
            return module.refuses.has(document.uuid) || module.refuses.has(document.name) ? false : undefined;
          });
        }
      });
    },
  };
  return module;
}

/** Edits what others write, adds options, and writes itself when something was written. */
export function hostileMutator({ when = "before" } = {}) {
  const module = {
    id: "hostile-mutator",
    title: "Hostile mutator",
    version: "1.0.0",
    /** Called with (document, changes, options) before an update of an actor or item. */
    mutate: null,
    /** Milliseconds after which it writes in a post hook: 0, 50, 500; null: never; `"sync"`: at once. */
    delay: null,
    /** How many writes follow each other. */
    chain: 1,
    setup(client) {
      register(client, when, () => {
        for (const name of ["Actor", "Item"]) {
          client.Hooks.on(`preUpdate${name}`, (document, changes, options) => {
            options.hostile = true;
            module.mutate?.(document, changes, options);
          });
        }
        client.Hooks.on("updateActor", (actor, changes, options, userId) => {
          if (userId !== client.userId || options.follows >= module.chain || module.delay === null) return;
          const follows = (options.follows ?? 0) + 1;
          const write = () => actor.update({ [`flags.hostile-mutator.n${follows}`]: client.randomID(4) }, { follows }).catch((error) => client.report(error));
          if (module.delay === "sync") write();
          else client.clock.setTimeout(write, module.delay);
        });
      });
    },
  };
  return module;
}

/** Sets and takes away conditions as hit points pass zero. */
export function hostileAutoConditions() {
  return {
    id: "hostile-auto-conditions",
    title: "Hostile auto-conditions",
    version: "1.0.0",
    setup(client) {
      client.Hooks.on("updateActor", async (actor, changes, options, userId) => {
        if (userId !== client.userId) return;
        const path = client.game.system.primaryTokenAttribute;
        if (!client.utils.hasProperty(changes, `system.${path}`)) return;
        const value = client.utils.getProperty(actor.system, path)?.value;
        if (typeof value !== "number") return; // the write took the resource itself away
        const wanted = value > 0 ? [] : [value === 0 ? "unconscious" : "dead"];
        const marked = actor.effects.filter((effect) => effect.flags["hostile-auto-conditions"]);
        const wrong = marked.filter((effect) => !wanted.some((status) => effect.statuses.has(status)));
        const missing = wanted.filter((status) => !marked.some((effect) => effect.statuses.has(status)));
        try {
          if (wrong.length) await actor.deleteEmbeddedDocuments("ActiveEffect", wrong.map((effect) => effect.id));
          const effects = missing.map((status) => ({ name: status, statuses: [status], flags: { "hostile-auto-conditions": { on: true } } }));
          if (effects.length) await actor.createEmbeddedDocuments("ActiveEffect", effects);
        } catch (error) {
          client.report(error);
        }
      });
    },
  };
}

/** Somebody clicking about while others work: random small updates by this client's user. */
export function hostileNoise() {
  const timers = new Set();
  const module = {
    id: "hostile-noise",
    title: "Hostile noise",
    version: "1.0.0",
    /** Uuids it has written to. */
    touched: new Set(),
    setup() {},

    /** Write something small once. */
    async click(client, random) {
      const { game } = client;
      const targets = [...game.actors, ...game.items, ...(game.scenes.active?.tokens ?? [])].filter((document) => document.canUserModify(game.user, "update"));
      const target = targets[Math.floor(random() * targets.length)];
      if (!target) return;
      module.touched.add(target.uuid);
      const change = target.documentName === "Token" ? { x: Math.floor(random() * 3000) } : { sort: Math.floor(random() * 1e6) };
      await target.update(change).catch((error) => client.report(error));
    },

    /** Click every so often until `stop()`. */
    start(client, everyMs = 20, seed = 1) {
      const random = createRandom(`noise/${seed}`);
      timers.add([client.clock, client.clock.setInterval(() => module.click(client, random), everyMs)]);
    },

    stop() {
      for (const [clock, timer] of timers) clock.clearInterval(timer);
      timers.clear();
    },
  };
  return module;
}

/** Wraps `Macro#execute` and loses what it returns. */
export function macroWrapper() {
  return {
    id: "macro-wrapper",
    title: "Macro wrapper",
    version: "1.0.0",
    setup(client) {
      const { prototype } = client.CONFIG.Macro.documentClass;
      const { execute } = prototype;
      prototype.execute = async function wrapped(...args) {
        await execute.apply(this, args);
      };
    },
  };
}

/** Wraps the methods of the backend, as a wrapping library does for others. */
export function libWrapperLike() {
  const module = {
    id: "lib-wrapper-like",
    title: "Wrapper of the backend",
    version: "1.0.0",
    calls: [],
    setup(client) {
      for (const method of ["create", "update", "delete"]) {
        const wrapped = client.backend[method].bind(client.backend);
        client.backend[method] = async (Class, operation) => {
          module.calls.push(`${method} ${Class.documentName}`);
          await null;
          return wrapped(Class, operation);
        };
      }
    },
  };
  return module;
}

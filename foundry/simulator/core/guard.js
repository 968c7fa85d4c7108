/** The guard that makes missing parts of the simulator loud. */

/** Thrown where code reads a name that the simulator does not have. */
export class SimulatorGap extends Error {
  constructor(path) {
    super(`SimulatorGap: ${path}`);
    this.name = "SimulatorGap";
    this.path = path;
  }
}

// Names that engines, assertion libraries and consoles read from any object.
const ALWAYS_ABSENT = new Set(["then", "toJSON", "nodeType", "tagName", "asymmetricMatch", "inspect", "$$typeof"]);

/**
 * Wrap a namespace so that an unknown name throws.
 * @param {object} target
 * @param {string} path Its name in messages, for example `foundry.utils`.
 * @param {object} [options]
 * @param {Iterable<string>} [options.absent] Names known not to exist in this profile: read as undefined.
 * @param {Record<string, string>} [options.deprecated] Names that work and warn, with the text of the warning.
 * @param {(path: string, text: string) => void} [options.warn] Told of each deprecated read.
 */
export function guard(target, path, { absent = [], deprecated = {}, warn = () => {} } = {}) {
  const missing = new Set(absent);
  return new Proxy(target, {
    get(object, key) {
      if (typeof key === "symbol" || key in object) {
        if (Object.hasOwn(deprecated, key)) warn(`${path}.${key}`, deprecated[key]);
        return object[key];
      }
      if (missing.has(key) || ALWAYS_ABSENT.has(key)) return undefined;
      throw new SimulatorGap(`${path}.${key}`);
    },
  });
}

/** Show a value read-only, at every depth; a write throws. */
export function readOnly(value) {
  if (typeof value !== "object" || value === null) return value;
  const refuse = () => {
    throw new TypeError("_source must not be written to directly: use update() or updateSource()");
  };
  return new Proxy(value, {
    get: (object, key) => readOnly(object[key]),
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
  });
}

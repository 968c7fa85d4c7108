/** The server: validates, stores, answers, broadcasts. */
import { Stats } from "./stats.js";
import { Store } from "./store.js";
import { mayModify } from "../data/permissions.js";
import { apply, check } from "./operations.js";
import { ServerRefusal } from "./refusal.js";

/** The one server of a world. */
export class Server {
  #payloadLimit;

  /**
   * @param {object} parts
   * @param {import("../data/changes.js").Schema} parts.schema
   * @param {object} parts.clock
   * @param {() => string} parts.randomID
   * @param {object} parts.facts Answers to the open questions of FOUNDRY_FACTS 11.
   * @param {import("./faults.js").Faults} parts.faults
   * @param {import("../core/trace.js").TraceLog} parts.log
   */
  constructor({ schema, clock, randomID, facts, faults, log, version, system, payloadLimit = 100_000_000 }) {
    Object.assign(this, { schema, clock, randomID, facts, faults, log });
    this.stats = new Stats({ clock, version, system });
    this.store = new Store(schema);
    this.requests = 0;
    /** Called after each stored request: whoever keeps the world elsewhere replaces it. */
    this.onStored = () => {};
    this.#payloadLimit = payloadLimit;
  }

  allows(user, action, subject) {
    return mayModify(user, action, subject);
  }

  /**
   * Do what a client asked for.
   * @param {string} userId
   * @param {object} request
   * @param {number} size Characters of the request.
   * @returns {{events: object[]}|{error: string}}
   */
  process(userId, request, size) {
    this.requests += 1;
    const user = this.store.primary("User").get(userId);
    try {
      if (!user) throw new ServerRefusal("This session has no user");
      if (size > this.#payloadLimit) throw new ServerRefusal("The request exceeds the maximum payload size");
      const fault = this.faults.onServer(request, userId);
      if (fault) throw new ServerRefusal(fault);
      const operations = request.action === "batch" ? request.operations : [request];
      const events = request.action.endsWith("Pack") ? this.#pack(request, user) : this.#run(operations, user);
      for (const event of events) {
        this.log.add("server", "stored", { documentName: event.documentName, action: event.action, userId, uuid: event.parentUuid });
      }
      this.onStored();
      return { events };
    } catch (error) {
      if (!(error instanceof ServerRefusal)) throw error;
      this.log.add("server", "refused", { documentName: request.documentName, action: request.action, userId, reason: error.message });
      return { error: error.message };
    }
  }

  /** Check everything, then store everything. */
  #run(operations, user) {
    const targets = operations.map((operation) => check(this, operation, user));
    return operations.flatMap((operation, i) => apply(this, operation, targets[i], user._id));
  }

  /** The whole state, as JSON of its own. */
  snapshot() {
    return JSON.parse(JSON.stringify(this.store));
  }

  restore(snapshot) {
    this.store.load(JSON.parse(JSON.stringify(snapshot)));
  }

  /** Make, configure or delete a whole pack. */
  #pack({ action, pack, metadata }, user) {
    if (user.role < 3) throw new ServerRefusal(`User ${user.name} may not configure compendium packs`);
    const { packs } = this.store;
    const id = pack ?? metadata.id;
    if (action === "createPack" ? packs.has(id) : !packs.has(id)) throw new ServerRefusal(`Compendium pack ${id} ${packs.has(id) ? "exists already" : "does not exist"}`);
    if (action === "createPack") this.store.addPack({ ...metadata });
    else if (action === "managePack") Object.assign(packs.get(id).metadata, metadata);
    else packs.delete(id);
    return [{ action, pack: id, metadata, userId: user._id, options: {} }];
  }
}

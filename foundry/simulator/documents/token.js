/** Token and ActorDelta: synthetic actors. Source: FOUNDRY_FACTS 1.7. */
import { getProperty, isPlain } from "../core/objects.js";
import { mergeDelta } from "../data/deltas.js";
import { SOURCE, TRUSTED } from "./symbols.js";

const PLACE = ["x", "y", "elevation", "width", "height"];

const pick = (object, keys) => Object.fromEntries(keys.map((key) => [key, object[key]]));

export const tokenMixin = (Base, client) =>
  class TokenDocument extends Base {
    #synthetic = null;
    #base = null;

    _initialize(keys = null) {
      super._initialize(keys);
      this._initializeDelta();
      if (this.parent && !this.pack) client.watchToken(this);
    }

    /** Follow the source of the delta. */
    _initializeDelta() {
      const source = this[SOURCE].delta;
      if (!source) this.delta = null;
      else if (this.delta) {
        this.delta[SOURCE] = source;
        this.delta.reset();
      } else this.delta = new (client.classOf("ActorDelta"))(source, { parent: this, [TRUSTED]: true });
    }

    _applyChanges(changes, options) {
      super._applyChanges(changes, options);
      if (client.facts.staleDeltaUpdate && "delta" in changes) return;
      this._rebuildActor();
    }

    /** From 13 on a change of place is a movement: it can be refused, and only an undo rewrites its history. */
    async _preUpdate(changes, options, user) {
      if ((await super._preUpdate(changes, options, user)) === false) return false;
      if (client.generation < 13) return undefined;
      if (!options.isUndo) delete changes._movementHistory;
      const moved = PLACE.filter((key) => key in changes && changes[key] !== this[SOURCE][key]);
      if (!moved.length) return undefined;
      const from = Object.fromEntries(PLACE.map((key) => [key, this[SOURCE][key]]));
      const movement = { id: client.randomID(), origin: from, destination: { ...from, ...pick(changes, moved) }, method: options.isUndo ? "undo" : "api" };
      if (!options.isUndo && client.Hooks.call("preMoveToken", this, movement, options) === false) {
        for (const key of moved) delete changes[key];
        return undefined;
      }
      if (!options.isUndo && this.inCombat) changes._movementHistory = [...this[SOURCE]._movementHistory, from];
      options._movement = { ...options._movement, [this.id]: movement };
      return undefined;
    }

    _onUpdate(changes, options, userId) {
      super._onUpdate(changes, options, userId);
      const movement = options._movement?.[this.id];
      if (movement) client.Hooks.callAll("moveToken", this, movement, options, client.game.users.get(userId));
    }

    /** Take over what the server stored. */
    _receiveDelta(source) {
      this[SOURCE].delta = source;
      this._initializeDelta();
      this._rebuildActor();
    }

    get isLinked() {
      return this.actorLink;
    }

    get baseActor() {
      return client.game.actors.get(this.actorId) ?? null;
    }

    /** The world actor of a linked token, else the synthetic one; null without a base actor. */
    get actor() {
      const base = this.actorId ? this.baseActor : null;
      if (!base) return null;
      if (this.actorLink || !this[SOURCE].delta) return base;
      if (!this.#synthetic || this.#base !== base) this.#build(base);
      return this.#synthetic;
    }

    #build(base) {
      const source = mergeDelta(client.schema, base[SOURCE], this[SOURCE].delta);
      this.#base = base;
      if (this.#synthetic) {
        this.#synthetic[SOURCE] = source;
        this.#synthetic.reset();
      } else this.#synthetic = new (client.classOf("Actor"))(source, { parent: this, [TRUSTED]: true });
    }

    /** Make the synthetic actor again, if somebody has looked at it. */
    _rebuildActor() {
      const base = this.baseActor;
      if (this.#synthetic && base && !this.actorLink && this[SOURCE].delta) this.#build(base);
    }

    /** A token belongs to whom its actor belongs. */
    get _permissionChain() {
      const [own, ...above] = super._permissionChain;
      return this.baseActor ? [own, this.baseActor[SOURCE], ...above] : [own, ...above];
    }

    get inCombat() {
      return client.game.combats.some((combat) => combat.combatants.some((combatant) => combatant.tokenId === this.id));
    }

    get object() {
      return client.canvas.tokens.get(this.id) ?? null;
    }

    getBarAttribute(barName, { alternative } = {}) {
      const attribute = alternative ?? this[barName]?.attribute;
      if (!attribute || !this.actor) return null;
      const data = getProperty(this.actor.system, attribute);
      if (data === null || data === undefined) return null;
      if (isPlain(data)) return { type: "bar", attribute, value: Number(data.value), max: Number(data.max), editable: true };
      return { type: "value", attribute, value: Number(data), editable: true };
    }

    /** The active GM's client takes the combatants of deleted tokens away, after the fact. */
    static async _onDeleteOperation(documents, operation, user) {
      await super._onDeleteOperation(documents, operation, user);
      if (client.game.users.activeGM?.id !== client.userId || !client.leadsUser) return;
      const gone = new Set(documents.map((token) => token.id));
      for (const combat of client.game.combats) {
        const ids = combat.combatants.filter((combatant) => gone.has(combatant.tokenId)).map((combatant) => combatant.id);
        if (ids.length) combat.deleteEmbeddedDocuments("Combatant", ids).catch((error) => client.report(error));
      }
    }
  };

export const actorDeltaMixin = (Base, client) =>
  class ActorDelta extends Base {
    /** Apply to a base actor: the synthetic actor's source. */
    apply(baseActor) {
      return new (client.classOf("Actor"))(mergeDelta(client.schema, baseActor[SOURCE], this[SOURCE]), { parent: this.parent, [TRUSTED]: true });
    }
  };

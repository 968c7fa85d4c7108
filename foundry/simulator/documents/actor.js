/** Actor, Item and ActiveEffect. */
import { getProperty, isPlain, setProperty } from "../core/objects.js";
import { SOURCE } from "./symbols.js";

const ADD = 2;
const OVERRIDE = 5;

export const actorMixin = (Base, client) =>
  class Actor extends Base {
    /** The token of a synthetic actor; null for a world actor. */
    get token() {
      return this.parent?.documentName === "Token" ? this.parent : null;
    }

    get isToken() {
      return this.token !== null;
    }

    get itemTypes() {
      const byType = Object.fromEntries(client.schema.typesOf("Item").map((type) => [type, []]));
      for (const item of this.items) byType[item.type]?.push(item);
      return byType;
    }

    get statuses() {
      const statuses = new Set();
      for (const effect of this.effects) if (!effect.disabled) for (const status of effect.statuses) statuses.add(status);
      return statuses;
    }

    get appliedEffects() {
      return Array.from(this.allApplicableEffects()).filter((effect) => !effect.disabled);
    }

    get temporaryEffects() {
      return this.effects.filter((effect) => effect.isTemporary && !effect.disabled);
    }

    get inCombat() {
      return client.game.combats.some((combat) => combat.combatants.some((combatant) => combatant.actor === this));
    }

    get hasPlayerOwner() {
      return client.game.users.some((user) => !user.isGM && this.testUserPermission(user, "OWNER"));
    }

    *allApplicableEffects() {
      for (const effect of this.effects) yield effect;
      if (client.CONFIG.ActiveEffect.legacyTransferral) return;
      for (const item of this.items) for (const effect of item.effects) if (effect.transfer) yield effect;
    }

    prepareEmbeddedDocuments() {
      this.applyActiveEffects();
    }

    /** Only addition and override on `system` paths: the rest of the arithmetic is a known divergence. */
    applyActiveEffects() {
      for (const effect of this.allApplicableEffects()) {
        if (effect.disabled) continue;
        for (const { key, value, mode } of effect.changes) {
          if (!key.startsWith("system.")) continue;
          if (Number(mode) === OVERRIDE) setProperty(this, key, numeric(value));
          else if (Number(mode) === ADD) setProperty(this, key, (getProperty(this, key) ?? 0) + numeric(value));
        }
      }
    }

    prepareData() {
      super.prepareData();
      if (!this.isToken && !this.pack && client.game.actors?.get(this.id) === this) client.rebuildSynthetics(this.id);
    }

    getActiveTokens(linked = false, document = false) {
      if (this.isToken) return document ? [this.token] : [client.canvas.tokens.get(this.token.id)].filter(Boolean);
      const scene = client.canvas.scene;
      const tokens = scene ? scene.tokens.filter((token) => token.actorId === this.id && (!linked || token.actorLink)) : [];
      return document ? tokens : tokens.map((token) => client.canvas.tokens.get(token.id)).filter(Boolean);
    }

    getRollData() {
      return this.system;
    }

    /** The data of a token of this actor, not yet placed. */
    async getTokenDocument(data = {}, options = {}) {
      const { flags, ...prototype } = this.prototypeToken;
      const source = client.utils.mergeObject({ ...prototype, flags: { ...flags }, actorId: this.id, name: prototype.name || this.name }, data);
      return new (client.classOf("Token"))(source, options);
    }

    async modifyTokenAttribute(attribute, value, isDelta = false, isBar = true) {
      const current = getProperty(this.system, attribute);
      const wasBar = isBar && isPlain(current);
      const before = wasBar ? current.value : current;
      let after = isDelta ? Number(before) + value : value;
      if (wasBar) after = Math.min(Math.max(after, current.min ?? 0), current.max ?? after);
      if (before === after) return this;
      const updates = { [`system.${attribute}${wasBar ? ".value" : ""}`]: after };
      const allowed = client.Hooks.call("modifyTokenAttribute", { attribute, value, isDelta, isBar }, updates, this);
      return allowed === false ? this : this.update(updates);
    }

    async toggleStatusEffect(statusId, { active, overlay = false } = {}) {
      const existing = this.effects.filter((effect) => effect.statuses.has(statusId) && effect.statuses.size === 1);
      if (existing.length) {
        if (active) return true;
        await this.deleteEmbeddedDocuments("ActiveEffect", existing.map((effect) => effect.id));
        return false;
      }
      if (active === false) return undefined;
      const statuses = client.CONFIG.statusEffects;
      const status = (Array.isArray(statuses) ? statuses : Object.values(statuses)).find((known) => known.id === statusId);
      if (!status) throw new Error(`Invalid status ID "${statusId}" provided to Actor#toggleStatusEffect`);
      const data = { name: status.name, img: status.img ?? status.icon ?? null, statuses: [statusId] };
      if (overlay) data.flags = { core: { overlay: true } };
      const [effect] = await this.createEmbeddedDocuments("ActiveEffect", [data]);
      return effect;
    }
  };

export const itemMixin = (Base, client) =>
  class Item extends Base {
    get actor() {
      return this.parent?.documentName === "Actor" ? this.parent : null;
    }

    get isOwned() {
      return this.actor !== null;
    }

    get transferredEffects() {
      return this.effects.filter((effect) => effect.transfer);
    }

    getRollData() {
      return this.system;
    }

    /** Legacy transferral: the requester copies an item's effects to the actor. */
    static async _onCreateOperation(documents, operation, user) {
      await super._onCreateOperation(documents, operation, user);
      if (!client.CONFIG.ActiveEffect.legacyTransferral || user?.id !== client.userId) return;
      for (const item of documents) {
        if (!item.actor || !item.transferredEffects.length) continue;
        const copies = item.transferredEffects.map((effect) => ({ ...effect.toObject(), origin: item.uuid }));
        item.actor.createEmbeddedDocuments("ActiveEffect", copies).catch((error) => client.report(error));
      }
    }
  };

export const activeEffectMixin = (Base, client) =>
  class ActiveEffect extends Base {
    _initializeField(key, source) {
      if (key === "statuses") this.statuses = new Set(source.statuses);
      else super._initializeField(key, source);
    }

    get active() {
      return !this.disabled;
    }

    get isTemporary() {
      return Boolean(this.duration?.seconds || this.duration?.rounds || this.duration?.turns) || this.statuses.size > 0;
    }

    get target() {
      return this.parent?.documentName === "Item" && this.transfer ? this.parent.actor : this.parent;
    }

    toObject(source = true) {
      const object = super.toObject(source);
      if (!source) object.statuses = Array.from(this.statuses);
      return object;
    }

    static async fromStatusEffect(statusId, options = {}) {
      const status = Object.values(client.CONFIG.statusEffects).find((known) => known.id === statusId);
      if (!status) throw new Error(`Invalid status ID "${statusId}"`);
      return new this({ name: status.name, img: status.img, statuses: [statusId] }, options);
    }
  };

const numeric = (value) => (typeof value === "string" && value.trim() !== "" && !Number.isNaN(Number(value)) ? Number(value) : value);

/** The source of a document, for the simulated systems. */
export const sourceOf = (document) => document[SOURCE];

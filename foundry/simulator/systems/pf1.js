/**
 * A system that stores hit points as Pathfinder 1 does: an offset from a derived maximum. It reports the id `pf1`.
 *
 * Source: FOUNDRY_FACTS 3.1.
 */
import { getProperty } from "../core/objects.js";

const POOLS = ["hp", "vigor", "wounds"];

const TEMPLATE = {
  attributes: {
    hp: { base: 0, temp: 0, nonlethal: 0, offset: 0 },
    vigor: { base: 0, temp: 0, offset: 0 },
    wounds: { offset: 0 },
  },
  abilities: { con: { value: 10 } },
  traits: { size: "med" },
  currency: { pp: 0, gp: 0, sp: 0, cp: 0 },
};

const SIZES = { tiny: 0.5, sm: 1, med: 1, lg: 2, huge: 3, grg: 4 };

/** Extend the actor of one client. */
function pf1Actor(client, Base) {
  return class ActorPF extends Base {
    prepareDerivedData() {
      super.prepareDerivedData();
      const { attributes, abilities } = this.system;
      if (!attributes?.hp) return;
      const con = abilities?.con?.value;
      if (abilities?.con) abilities.con.total = con ?? null;
      const { hp, vigor, wounds } = attributes;
      hp.max = hp.base;
      hp.value = hp.max + hp.offset;
      if (vigor) Object.assign(vigor, { max: vigor.base || hp.base, value: (vigor.base || hp.base) + vigor.offset });
      if (wounds) Object.assign(wounds, { max: (con ?? 0) * 2, threshold: con ?? 0, value: (con ?? 0) * 2 + wounds.offset });
    }

    /** A written value becomes an offset, unless the caller wants its data stored as it is. */
    async _preUpdate(changes, options, user) {
      if ((await super._preUpdate(changes, options, user)) === false) return false;
      await null;
      if (options.diff === false || options.recursive === false) return undefined;
      const attributes = changes.system?.attributes;
      for (const pool of POOLS) {
        const written = attributes?.[pool];
        if (written?.value === undefined) continue;
        written.offset = Number(written.value) - this.system.attributes[pool].max;
        delete written.value;
      }
      return undefined;
    }

    /** A new size resizes the actor's tokens, a little later and from the client that asked. */
    _onUpdate(changes, options, userId) {
      super._onUpdate(changes, options, userId);
      const size = getProperty(changes, "system.traits.size");
      if (!size || userId !== client.userId) return;
      const side = SIZES[size] ?? 1;
      for (const token of this.getActiveTokens(false, true)) {
        if (token.width !== side) token.update({ width: side, height: side }).catch((error) => client.report(error));
      }
    }

    get usesWoundsAndVigor() {
      const variant = { character: "pc", npc: "npc" }[this.type];
      return Boolean(variant && client.game.settings.get("pf1", "healthConfig").variants[variant].useWoundsAndVigor);
    }

    /** Positive hurts, negative heals. With Shift held a dialog opens, and the promise waits for it. */
    async applyDamage(value, options = {}) {
      return this.constructor.applyDamage(value, { targets: [this], ...options });
    }

    static async applyDamage(value, { targets = [], asNonlethal = false, forceDialog = client.shiftHeld ?? false } = {}) {
      if (!Number.isFinite(value) || value === 0) return undefined;
      if (forceDialog) {
        const { DialogV2 } = client.globals.foundry.applications.api;
        const agreed = await DialogV2.confirm({ window: { title: "Apply Damage" }, content: "", rejectClose: false });
        if (!agreed) return false;
      }
      const updated = [];
      for (const actor of targets) {
        if (!actor.isOwner) continue;
        updated.push(await actor.update(actor.usesWoundsAndVigor ? woundsUpdate(actor, value) : hitPointsUpdate(actor, value, asNonlethal)));
      }
      return updated;
    }

    async addTempHP(value) {
      return this.update({ "system.attributes.hp.temp": this.system.attributes.hp.temp + value });
    }

    async setCondition(id, enabled) {
      const existing = this.effects.find((effect) => effect.statuses.has(id));
      if (Boolean(existing) === enabled) return {};
      if (enabled) await this.createEmbeddedDocuments("ActiveEffect", [{ name: id, statuses: [id] }]);
      else await existing.delete();
      client.Hooks.callAll("pf1ToggleActorCondition", this, id, enabled);
      return { [id]: enabled };
    }
  };
}

function hitPointsUpdate(actor, value, asNonlethal) {
  const { hp } = actor.system.attributes;
  if (value < 0) {
    return {
      "system.attributes.hp.value": Math.min(hp.max, hp.value - value),
      "system.attributes.hp.nonlethal": Math.max(0, hp.nonlethal + value),
    };
  }
  let rest = value;
  const update = {};
  if (asNonlethal) {
    const room = Math.max(0, hp.max - hp.nonlethal);
    update["system.attributes.hp.nonlethal"] = hp.nonlethal + Math.min(room, rest);
    rest -= Math.min(room, rest);
  }
  const absorbed = Math.min(hp.temp, rest);
  if (absorbed) update["system.attributes.hp.temp"] = hp.temp - absorbed;
  if (rest - absorbed) update["system.attributes.hp.value"] = hp.value - (rest - absorbed);
  return update;
}

function woundsUpdate(actor, value) {
  const { vigor, wounds } = actor.system.attributes;
  if (value < 0) return { "system.attributes.vigor.value": Math.min(vigor.max, vigor.value - value) };
  const absorbed = Math.min(vigor.temp, value);
  const drained = Math.min(vigor.value, value - absorbed);
  const overflow = value - absorbed - drained;
  return {
    "system.attributes.vigor.temp": vigor.temp - absorbed,
    "system.attributes.vigor.value": vigor.value - drained,
    ...(overflow ? { "system.attributes.wounds.value": Math.max(0, wounds.value - overflow) } : {}),
  };
}

const actorTypes = ["character", "npc", "vehicle", "trap", "haunt", "basic"];

export const pf1 = {
  id: "pf1",
  title: "Simulated Pathfinder 1",
  version: "11.11",
  primaryTokenAttribute: "attributes.hp",
  types: {
    Actor: actorTypes,
    Item: ["weapon", "equipment", "implant", "consumable", "loot", "container", "class", "race", "spell", "feat", "buff", "attack"],
  },
  templates: { Actor: Object.fromEntries(actorTypes.map((type) => [type, TEMPLATE])) },

  setup(client) {
    client.CONFIG.PF1 = { tokenSizes: SIZES };
    client.CONFIG.Actor.documentClass = pf1Actor(client, client.documents.classes.Actor);
    client.Hooks.once("init", () => {
      const variant = { useWoundsAndVigor: false, useWoundThresholds: 0 };
      const initial = { variants: { pc: { ...variant }, npc: { ...variant } } };
      client.game.settings.register("pf1", "healthConfig", { scope: "world", type: Object, default: initial });
    });
  },
};

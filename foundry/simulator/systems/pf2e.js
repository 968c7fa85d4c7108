/**
 * A system that automates: its damage posts a chat card, makes an item, marks the defeated. It reports the id `pf2e`.
 *
 * Source: FOUNDRY_FACTS 3.3.
 */

const ACTOR = {
  attributes: { hp: { value: 0, max: 0, temp: 0, sp: { value: 0, max: 0 } } },
  details: { level: { value: 1 } },
  traits: { value: [], size: { value: "med" } },
};
const ITEM = { quantity: 1, description: { value: "" }, slug: null, value: { value: null }, persistent: { damageType: null } };

const actorTypes = ["character", "npc", "hazard", "loot", "vehicle", "familiar"];
const itemTypes = ["weapon", "armor", "equipment", "consumable", "treasure", "backpack", "condition", "effect", "feat", "spell"];
const models = (types, model) => Object.fromEntries(types.map((type) => [type, model]));

function actorOf(client, Base) {
  return class ActorPF2e extends Base {
    async _preUpdate(changes, options, user) {
      if ((await super._preUpdate(changes, options, user)) === false) return false;
      if (options.diff === false || options.recursive === false) return undefined;
      const written = changes.system?.attributes?.hp;
      if (typeof written?.value === "number") written.value = Math.min(Math.max(0, written.value), this.system.attributes.hp.max);
      return undefined;
    }

    async applyDamage({ damage, token, persistent = null } = {}) {
      if (!token) throw new Error("applyDamage needs the token");
      const hp = this.system.attributes.hp;
      const absorbed = Math.max(0, Math.min(hp.temp, damage));
      const value = Math.min(Math.max(0, hp.value - (damage - absorbed)), hp.max);
      await this.update({ "system.attributes.hp": { temp: hp.temp - absorbed, value } });
      await client.classOf("ChatMessage").create({ content: `${token.name} takes ${damage} damage.`, flags: { pf2e: { appliedDamage: { uuid: this.uuid } } } });
      if (persistent) await this.createEmbeddedDocuments("Item", [{ name: "Persistent damage", type: "condition", system: { persistent: { damageType: persistent } } }]);
      if (value === 0) await this.#fall(token);
      return this;
    }

    async #fall(token) {
      if (this.type === "character") await this.createEmbeddedDocuments("Item", [{ name: "Dying", type: "condition", system: { slug: "dying", value: { value: 1 } } }]);
      const combatant = client.game.combat?.getCombatantByToken(token.id);
      if (combatant && this.type === "npc") await combatant.update({ defeated: true });
    }
  };
}

export const pf2e = {
  id: "pf2e",
  title: "Simulated Pathfinder 2",
  version: "6.8.0",
  primaryTokenAttribute: "attributes.hp",
  types: { Actor: actorTypes, Item: itemTypes },
  models: { Actor: models(actorTypes, ACTOR), Item: models(itemTypes, ITEM) },

  setup(client) {
    client.CONFIG.PF2E = {};
    client.CONFIG.Actor.documentClass = actorOf(client, client.documents.classes.Actor);
  },
};

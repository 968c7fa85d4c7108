/**
 * A system with modelled data, as dnd5e has: unknown keys are dropped, hit points kept in bounds.
 *
 * Source: FOUNDRY_FACTS 3.2.
 */

const ACTOR = {
  attributes: { hp: { value: 0, max: 0, temp: 0, tempmax: 0 }, death: { success: 0, failure: 0 } },
  currency: { pp: 0, gp: 0, ep: 0, sp: 0, cp: 0 },
  details: { biography: { value: "" }, alignment: "" },
  traits: { size: "med" },
  resources: {},
};

const ITEM = { quantity: 1, description: { value: "" }, price: { value: 0, denomination: "gp" }, weight: { value: 0, units: "lb" }, properties: {} };

const actorTypes = ["character", "npc", "vehicle", "group"];
const itemTypes = ["weapon", "equipment", "consumable", "loot", "tool", "container", "feat", "spell"];
const models = (types, model) => Object.fromEntries(types.map((type) => [type, model]));

function actorOf(client, Base) {
  return class Actor5e extends Base {
    prepareDerivedData() {
      super.prepareDerivedData();
      const hp = this.system.attributes?.hp;
      if (!hp) return;
      hp.effectiveMax = (hp.max ?? 0) + (hp.tempmax ?? 0);
      hp.damage = hp.effectiveMax - hp.value;
      hp.pct = hp.effectiveMax ? Math.round((hp.value / hp.effectiveMax) * 100) : 0;
    }

    async _preUpdate(changes, options, user) {
      if ((await super._preUpdate(changes, options, user)) === false) return false;
      const written = changes.system?.attributes?.hp;
      if (typeof written?.value !== "number") return undefined;
      const hp = this.system.attributes.hp;
      const max = (written.max ?? hp.max ?? 0) + (written.tempmax ?? hp.tempmax ?? 0);
      written.value = Math.min(Math.max(0, written.value), max);
      return undefined;
    }

    /** A number, or a list of `{value, type}`; temporary hit points go first. */
    async applyDamage(damages, options = {}) {
      const list = Array.isArray(damages) ? damages : [{ value: damages }];
      if (client.Hooks.call("dnd5e.preApplyDamage", this, list, options) === false) return this;
      const hp = this.system.attributes.hp;
      const amount = Math.floor(list.reduce((sum, { value }) => sum + value, 0) * (options.multiplier ?? 1));
      const absorbed = Math.max(0, Math.min(hp.temp ?? 0, amount));
      const value = Math.min(Math.max(0, hp.value - (amount - absorbed)), hp.effectiveMax);
      await this.update({ "system.attributes.hp": { temp: (hp.temp ?? 0) - absorbed, value } });
      client.Hooks.callAll("dnd5e.applyDamage", this, amount, options);
      const concentrating = amount > 0 && this.effects.some((effect) => effect.statuses.has("concentrating"));
      if (concentrating) client.classOf("ChatMessage").create({ content: "Concentration check", whisper: [client.userId] }).catch((error) => client.report(error));
      return this;
    }
  };
}

export const dnd5e = {
  id: "dnd5e",
  title: "Simulated fifth edition",
  version: "5.3.3",
  primaryTokenAttribute: "attributes.hp",
  types: { Actor: actorTypes, Item: itemTypes },
  models: { Actor: models(actorTypes, ACTOR), Item: models(itemTypes, ITEM) },

  setup(client) {
    client.CONFIG.DND5E = {};
    client.CONFIG.Actor.documentClass = actorOf(client, client.documents.classes.Actor);
  },
};

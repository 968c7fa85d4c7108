/** Scene, Combat and Combatant. */

/** Where the server does not do it, the asking client switches the other active one off. */
function switchOthersOff(client, document, changes, userId) {
  if (client.facts.activation !== "client" || changes.active !== true || userId !== client.userId) return;
  for (const other of document.collection) {
    const same = document.documentName === "Scene" || other._source.scene === document._source.scene;
    if (other !== document && other.active && same) other.update({ active: false }).catch((error) => client.report(error));
  }
}

export const sceneMixin = (Base, client) =>
  class Scene extends Base {
    get isView() {
      return client.canvas.scene === this;
    }

    get dimensions() {
      const size = this.grid?.size ?? 100;
      return { width: this.width, height: this.height, size, distance: this.grid?.distance ?? 5, sceneWidth: this.width, sceneHeight: this.height, sceneX: 0, sceneY: 0 };
    }

    async activate() {
      return this.active ? this : this.update({ active: true });
    }

    async view() {
      client.viewScene(this);
      return this;
    }

    _onUpdate(changes, options, userId) {
      super._onUpdate(changes, options, userId);
      if (changes.active === true) client.viewScene(this);
      switchOthersOff(client, this, changes, userId);
    }

    _onDelete(options, userId) {
      super._onDelete(options, userId);
      if (this.isView) client.viewScene(client.game.scenes.active ?? null);
    }
  };

export const combatMixin = (Base, client) =>
  class Combat extends Base {
    get started() {
      return this.round > 0;
    }

    get isActive() {
      return this.active;
    }

    _onUpdate(changes, options, userId) {
      super._onUpdate(changes, options, userId);
      switchOthersOff(client, this, changes, userId);
    }

    /** Combatants in the order of their turns. */
    get turns() {
      return this.combatants.contents.sort((a, b) => (b.initiative ?? -Infinity) - (a.initiative ?? -Infinity) || (a.id > b.id ? 1 : -1));
    }

    get combatant() {
      return this.turn === null ? undefined : this.turns[this.turn];
    }

    get current() {
      return { round: this.round, turn: this.turn, combatantId: this.combatant?.id ?? null, tokenId: this.combatant?.tokenId ?? null };
    }

    async startCombat() {
      client.Hooks.callAll("combatStart", this, { round: 1, turn: 0 });
      return this.update({ round: 1, turn: 0 });
    }

    async nextTurn() {
      const next = (this.turn ?? -1) + 1;
      if (next >= this.turns.length) return this.nextRound();
      client.Hooks.callAll("combatTurn", this, { round: this.round, turn: next }, { direction: 1 });
      return this.update({ round: this.round, turn: next }, { direction: 1 });
    }

    async previousTurn() {
      if (!this.turn) return this.previousRound();
      return this.update({ turn: this.turn - 1 }, { direction: -1 });
    }

    async nextRound() {
      client.Hooks.callAll("combatRound", this, { round: this.round + 1, turn: 0 }, { direction: 1 });
      return this.update({ round: this.round + 1, turn: this.turns.length ? 0 : null }, { direction: 1 });
    }

    async previousRound() {
      const turns = this.turns.length;
      return this.update({ round: Math.max(0, this.round - 1), turn: turns ? turns - 1 : null }, { direction: -1 });
    }

    async activate(options = {}) {
      return this.update({ active: true }, options);
    }

    async endCombat() {
      return this.delete();
    }

    async setInitiative(id, value) {
      return this.combatants.get(id, { strict: true }).update({ initiative: value });
    }

    async rollInitiative(ids) {
      for (const id of [ids].flat()) {
        const roll = await new client.Roll("1d20").evaluate();
        await this.setInitiative(id, roll.total);
      }
      return this;
    }

    getCombatantByToken(token) {
      const id = typeof token === "string" ? token : token.id;
      return this.combatants.find((combatant) => combatant.tokenId === id);
    }
  };

export const combatantMixin = (Base, client) =>
  class Combatant extends Base {
    _initialize(keys = null) {
      super._initialize(keys);
      this.name ||= null;
    }

    get combat() {
      return this.parent;
    }

    get token() {
      return client.game.scenes?.get(this.sceneId)?.tokens.get(this.tokenId) ?? null;
    }

    get actor() {
      return this.token ? this.token.actor : (client.game.actors?.get(this.actorId) ?? null);
    }

    get isDefeated() {
      return this.defeated;
    }

    get isNPC() {
      return !this.actor?.hasPlayerOwner;
    }
  };

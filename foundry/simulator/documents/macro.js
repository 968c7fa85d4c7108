/** Macro: running a script with names bound to values. Source: FOUNDRY_FACTS 6. */

const AsyncFunction = (async () => {}).constructor;

export const macroMixin = (Base, client) =>
  class Macro extends Base {
    get canExecute() {
      if (!this.testUserPermission(client.game.user, "LIMITED")) return false;
      return this.type !== "script" || client.game.user.can("MACRO_SCRIPT");
    }

    get isAuthor() {
      return this.author === client.game.user;
    }

    /**
     * Run the macro.
     * @param {object} [scope] Names for the script; `speaker`, `actor` and `token` are taken out of it.
     * @returns {Promise<unknown>|undefined} Syntax errors are thrown at once, runtime errors reject.
     */
    execute(scope = {}) {
      if (!this.canExecute) {
        client.ui.notifications.warn(`You do not have permission to execute Macro "${this.name}".`);
        return undefined;
      }
      return this.type === "chat" ? this.#executeChat(scope.speaker) : this.#executeScript(scope);
    }

    #executeChat(speaker) {
      return client.classOf("ChatMessage").create({ content: this.command, speaker: speaker ?? client.classOf("ChatMessage").getSpeaker() });
    }

    #executeScript({ speaker, actor, token, ...scope }) {
      for (const key of Object.keys(scope)) {
        if (/^\d+$/.test(key)) throw new Error("Illegal numeric Macro parameter passed to execution scope.");
      }
      const ChatMessage = client.classOf("ChatMessage");
      const spokesman = speaker ?? ChatMessage.getSpeaker({ actor, token });
      const { character } = client.game.user;
      const chosen = token ?? client.canvas.tokens.get(spokesman.token);
      const who = actor ?? chosen?.actor ?? client.game.actors.get(spokesman.actor);
      const names = Object.keys(scope);
      const body = new AsyncFunction("speaker", "actor", "token", "character", "scope", ...names, `{${this.command}\n}`);
      return body.call(this, spokesman, who, chosen, character, scope, ...names.map((name) => scope[name]));
    }
  };

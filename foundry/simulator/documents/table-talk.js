/** Folder, User, ChatMessage and Setting: the documents around the play. */
import { hasPermission, isGM } from "../data/permissions.js";
import { SOURCE } from "./symbols.js";

export const folderMixin = (Base, client) =>
  class Folder extends Base {
    get #siblings() {
      return this.pack ? client.game.packs.get(this.pack).folders : client.game.folders;
    }

    get contents() {
      const collection = this.pack ? client.game.packs.get(this.pack).index : client.game.collections.get(this.type);
      return collection?.filter((document) => (document.folder?.id ?? document.folder) === this.id) ?? [];
    }

    /** The folders directly below. */
    getSubfolders(recursive = false) {
      const direct = this.#siblings.filter((folder) => folder[SOURCE].folder === this.id);
      return recursive ? direct.flatMap((folder) => [folder, ...folder.getSubfolders(true)]) : direct;
    }

    get children() {
      return this.getSubfolders().map((folder) => ({ folder, entries: folder.contents, children: folder.children, depth: folder.depth, root: false }));
    }

    get ancestors() {
      return this.folder ? [this.folder, ...this.folder.ancestors] : [];
    }

    getParentFolders() {
      return this.ancestors;
    }

    get depth() {
      return this.ancestors.length + 1;
    }
  };

export const userMixin = (Base, client) =>
  class User extends Base {
    targets = new Set();

    get isGM() {
      return isGM(this[SOURCE]);
    }

    get isSelf() {
      return this.id === client.userId;
    }

    get active() {
      return client.world.network.onlineUsers.has(this.id);
    }

    get isActiveGM() {
      return client.game.users.activeGM === this;
    }

    get isTrusted() {
      return this.role >= 2;
    }

    get viewedScene() {
      return this.isSelf ? (client.canvas.scene?.id ?? null) : null;
    }

    can(action) {
      return action in client.CONST.USER_PERMISSIONS ? this.hasPermission(action) : this.hasRole(action);
    }

    hasPermission(permission) {
      return hasPermission(this[SOURCE], permission);
    }

    hasRole(role, { exact = false } = {}) {
      const wanted = typeof role === "string" ? client.CONST.USER_ROLES[role] : role;
      return exact ? this.role === wanted : this.role >= wanted;
    }
  };

export const chatMessageMixin = (Base, client) =>
  class ChatMessage extends Base {
    static getSpeaker({ scene, actor, token, alias } = {}) {
      const chosen = token?.document ?? token ?? client.canvas.tokens.controlled[0]?.document ?? null;
      const who = actor ?? chosen?.actor ?? client.game.user.character ?? null;
      const name = alias ?? chosen?.name ?? who?.name ?? client.game.user.name;
      return {
        scene: scene?.id ?? chosen?.parent?.id ?? client.canvas.scene?.id ?? null,
        actor: who?.id ?? null,
        token: chosen?.id ?? null,
        alias: name,
      };
    }

    static getSpeakerActor(speaker) {
      const token = client.game.scenes.get(speaker.scene)?.tokens.get(speaker.token);
      return token?.actor ?? client.game.actors.get(speaker.actor) ?? null;
    }

    static getWhisperRecipients(name) {
      const wanted = name.toLowerCase();
      if (["gm", "dm"].includes(wanted)) return client.game.users.filter((user) => user.isGM);
      return client.game.users.filter((user) => user.name.toLowerCase() === wanted || user.character?.name.toLowerCase() === wanted);
    }

    get isAuthor() {
      return this[SOURCE].author === client.userId;
    }

    get user() {
      return this.author;
    }

    get alias() {
      return this.speaker.alias ?? this.author?.name ?? "";
    }

    get visible() {
      if (!this.whisper.length) return true;
      return this.isAuthor || this.whisper.includes(client.userId) || (client.game.user.isGM && !this.blind);
    }

    async _preCreate(data, options, user) {
      const allowed = await super._preCreate(data, options, user);
      if (allowed === false) return false;
      this.updateSource({ author: this[SOURCE].author ?? user.id, timestamp: this[SOURCE].timestamp ?? client.clock.now() });
      return undefined;
    }

    _onCreate(data, options, userId) {
      super._onCreate(data, options, userId);
      client.showMessage?.(this);
    }
  };

export const settingMixin = (Base, client) =>
  class Setting extends Base {
    get config() {
      return client.game.settings.settings.get(this.key);
    }

    _onCreate(data, options, userId) {
      super._onCreate(data, options, userId);
      client.game.settings._changed(this.key, this[SOURCE].value, options, userId, this[SOURCE].user);
    }

    _onUpdate(changes, options, userId) {
      super._onUpdate(changes, options, userId);
      if ("value" in changes) client.game.settings._changed(this.key, this[SOURCE].value, options, userId, this[SOURCE].user);
    }
  };

export const rollTableMixin = (Base, client) =>
  class RollTable extends Base {
    /** Draw by weight of the range; level C: one roll of the formula, the result that holds it. */
    async roll() {
      const roll = await new client.Roll(this.formula || `1d${this.results.size || 1}`).evaluate();
      const results = this.results.filter(({ range: [from, to] }) => from <= roll.total && roll.total <= to);
      return { roll, results };
    }

    async draw({ displayChat = true } = {}) {
      const drawn = await this.roll();
      if (displayChat) {
        const content = drawn.results.map((result) => result.text).join(", ");
        await client.classOf("ChatMessage").create({ content, flavor: this.name });
      }
      return drawn;
    }
  };

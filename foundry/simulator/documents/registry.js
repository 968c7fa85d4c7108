/** The document classes of one client. */
import { activeEffectMixin, actorMixin, itemMixin } from "./actor.js";
import { defineDocument } from "./base.js";
import { macroMixin } from "./macro.js";
import { withOperations } from "./operations.js";
import { combatMixin, combatantMixin, sceneMixin } from "./scene.js";
import { SOURCE } from "./symbols.js";
import { chatMessageMixin, folderMixin, rollTableMixin, settingMixin, userMixin } from "./table-talk.js";
import { actorDeltaMixin, tokenMixin } from "./token.js";

const MIXINS = {
  Actor: actorMixin,
  ActiveEffect: activeEffectMixin,
  ActorDelta: actorDeltaMixin,
  ChatMessage: chatMessageMixin,
  Combat: combatMixin,
  Combatant: combatantMixin,
  Folder: folderMixin,
  Item: itemMixin,
  Macro: macroMixin,
  RollTable: rollTableMixin,
  Scene: sceneMixin,
  Setting: settingMixin,
  Token: tokenMixin,
  User: userMixin,
};

/** Placeables are `XDocument`; the bare name is the object on the canvas. */
const SUFFIXED = new Set([
  "Token", "Wall", "Tile", "Drawing", "Note", "AmbientLight", "AmbientSound", "MeasuredTemplate", "Region",
]);

/** The global name of a document's class. */
export const classNameOf = (documentName) => (SUFFIXED.has(documentName) ? `${documentName}Document` : documentName);

/**
 * Define a class for every table.
 * @param {import("../client/client.js").Client} client
 * @returns {{Document: Function, classes: Record<string, Function>, bases: Record<string, Function>}}
 */
export function defineDocuments(client) {
  const Document = withOperations(defineDocument(client));
  const classes = {};
  const bases = {};
  for (const [name, table] of Object.entries(client.schema.tables)) {
    const Base = named(`Base${name}`, Document);
    Base.table = table;
    defineReferences(Base, table, client);
    bases[name] = Base;
    classes[name] = named(classNameOf(name), MIXINS[name]?.(Base, client) ?? Base);
  }
  return { Document, classes, bases };
}

function named(name, Parent) {
  const Class = class extends Parent {};
  Object.defineProperty(Class, "name", { value: name });
  return Class;
}

/** Fields that hold an id are prepared as the document of that id. */
function defineReferences(Class, table, client) {
  for (const [key, field] of Object.entries(table.fields)) {
    if (field.kind !== "ref") continue;
    Object.defineProperty(Class.prototype, key, {
      configurable: true,
      get() {
        const id = this[SOURCE][key];
        if (!id) return null;
        if (field.documentName === "Folder" && this.pack) return client.game.packs.get(this.pack)?.folders.get(id) ?? null;
        return client.game.collections.get(field.documentName)?.get(id) ?? null;
      },
      set() {},
    });
  }
}

/** The names a client puts on the page, and the `foundry` namespace. */
import { guard } from "../core/guard.js";
import { classNameOf } from "../documents/registry.js";
import { buildApplications } from "../ui/index.js";
import { buildData } from "./fields.js";

/** @param {import("./client.js").Client} client */
export function buildGlobals(client) {
  const { generation, documents, CONFIG } = client;
  const warn = client.warnDeprecated;
  const later = generation < 13 ? ["ux", "handlebars", "apps", "sidebar", "sheets", "instances"] : [];
  const spaces = buildApplications(client);
  const utils = { ...client.utils, parseUuid: client.parseUuid, fromUuid: client.fromUuid, fromUuidSync: client.fromUuidSync };
  const saveDataToFile = (data, type, name) => client.files.push({ name, type, data });
  if (generation >= 13) utils.saveDataToFile = saveDataToFile;
  const documentSpace = Object.fromEntries(Object.entries(documents.bases).map(([name, Base]) => [`Base${name}`, Base]));
  if (generation >= 13) for (const [name, Class] of Object.entries(documents.classes)) documentSpace[classNameOf(name)] = Class;
  if (generation >= 13) documentSpace.collections = { ...client.collectionClasses, ...client.packClasses };
  if (generation >= 14) documentSpace.modifyBatch = (operations) => client.backend.modifyBatch(operations);
  const foundry = {
    utils: guard(utils, "foundry.utils", { absent: ["saveDataToFile"], warn }),
    abstract: guard({ Document: documents.Document, DataModel: documents.Document, TypeDataModel: class TypeDataModel {} }, "foundry.abstract"),
    documents: guard(documentSpace, "foundry.documents", { absent: ["modifyBatch", "collections"] }),
    data: guard(buildData(client), "foundry.data", { absent: ["operators"] }),
    applications: guard(spaces.applications, "foundry.applications", { absent: later }),
    helpers: guard({}, "foundry.helpers", { absent: ["media", "interaction"] }),
    packages: guard({}, "foundry.packages"),
    CONST: client.CONST,
    CONFIG,
  };
  if (spaces.appv1) foundry.appv1 = guard(spaces.appv1, "foundry.appv1");
  const globals = {
    foundry: guard(foundry, "foundry", { absent: ["appv1", "canvas", "dice", "nue", "av", "audio", "prosemirror", "grid", "config"], warn }),
    game: client.game,
    Hooks: guard(client.Hooks, "Hooks"),
    CONFIG,
    CONST: guard(client.CONST, "CONST", { absent: ["CHAT_MESSAGE_TYPES", "SETTING_SCOPES"], warn }),
    ui: client.ui,
    canvas: client.canvas,
    fromUuid: client.fromUuid,
    fromUuidSync: client.fromUuidSync,
    getDocumentClass: (name) => client.classOf(name),
    Collection: client.utils.Collection,
    ...client.packClasses,
    Roll: client.Roll,
    ...spaces.globals,
  };
  if (generation === 12) globals.saveDataToFile = saveDataToFile;
  for (const [name, Class] of Object.entries(documents.classes)) globals[classNameOf(name)] = Class;
  if (generation >= 14) Object.assign(globals, { _del: new client.operators.ForcedDeletion(), _replace: (value) => new client.operators.ForcedReplacement(value) });
  return globals;
}

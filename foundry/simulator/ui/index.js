/** The user interface of one client, as far as modules' own windows need it. */
import { guard } from "../core/guard.js";
import { defineApplicationV2 } from "./application.js";
import { defineAppV1 } from "./appv1.js";
import { buildChat } from "./chat-log.js";
import { TextEditor, buildSceneControls } from "./controls.js";
import { answerDialog, defineDialogV2 } from "./dialog.js";
import { FormDataExtended } from "./forms.js";
import { defineSettingsConfig } from "./settings-config.js";

/** `ui`; `answer` is ours, for tests. */
export function buildUi(client, notifications) {
  const directory = () => ({ render: async () => {}, collection: null });
  const ui = {
    notifications,
    windows: {},
    activeWindow: null,
    chat: buildChat(client),
    sidebar: { activateTab() {}, changeTab() {}, render: async () => {}, expand() {}, collapse() {} },
    controls: { render: async () => buildSceneControls(client), initialize: () => buildSceneControls(client), get controls() { return buildSceneControls(client); } },
    hotbar: { render: async () => {}, page: 1 },
    nav: { render: async () => {} },
    answer: (answer) => answerDialog(client, answer),
  };
  for (const name of ["actors", "items", "scenes", "journal", "tables", "playlists", "cards", "combat", "macros", "compendium", "settings", "players", "pause"]) ui[name] = directory();
  return guard(ui, "ui", { absent: ["webrtc", "menu", "context"], warn: client.warnDeprecated });
}

/** The application classes: `foundry.applications`, `foundry.appv1` and globals. */
export function buildApplications(client) {
  const ApplicationV2 = defineApplicationV2(client);
  const DialogV2 = defineDialogV2(client, ApplicationV2);
  const SettingsConfig = defineSettingsConfig(client, ApplicationV2);
  client.SettingsConfig = SettingsConfig;
  const v1 = defineAppV1(client);
  const api = { ApplicationV2, DialogV2, DocumentSheetV2: defineDocumentSheet(ApplicationV2), HandlebarsApplicationMixin: (Base) => class HandlebarsApplication extends Base {} };
  const applications = { api: guard(api, "foundry.applications.api", { absent: ["CategoryBrowser", "Dialog"] }), instances: client.instances };
  if (client.generation === 12) {
    return { applications, globals: { ...v1, FormDataExtended, TextEditor, SettingsConfig, renderTemplate, loadTemplates: async () => [] } };
  }
  const editor = Object.assign(class {}, TextEditor);
  applications.ux = guard({ TextEditor: Object.assign(class {}, TextEditor, { implementation: editor }), FormDataExtended }, "foundry.applications.ux");
  applications.handlebars = guard({ renderTemplate, loadTemplates: async () => [] }, "foundry.applications.handlebars");
  applications.settings = guard({ SettingsConfig }, "foundry.applications.settings");
  applications.apps = guard({}, "foundry.applications.apps", { absent: ["FilePicker"] });
  applications.sheets = guard({}, "foundry.applications.sheets");
  applications.sidebar = guard({ tabs: {}, apps: {} }, "foundry.applications.sidebar");
  const warned = {};
  for (const [name, Class] of Object.entries(v1)) warned[name] = Class;
  return { applications, appv1: { api: guard(v1, "foundry.appv1.api") }, globals: { ...warned, FormDataExtended, TextEditor: editor } };
}

function defineDocumentSheet(ApplicationV2) {
  return class DocumentSheetV2 extends ApplicationV2 {
    get document() {
      return this.options.document;
    }
  };
}

async function renderTemplate(path) {
  throw new Error(`the simulator has no template engine: ${path}`);
}

export { buildCanvas } from "./canvas.js";

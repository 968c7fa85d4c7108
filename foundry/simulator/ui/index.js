/** The user interface of one client, as far as modules' own windows need it. */
import { guard } from "../core/guard.js";
import { defineApplicationV2 } from "./application.js";

/** `ui`. */
export function buildUi(client, notifications) {
  const ui = { notifications, windows: {}, activeWindow: null };
  return guard(ui, "ui", { warn: client.warnDeprecated });
}

/** `canvas`: a scene, tokens that can be selected, and nothing drawn. */
export function buildCanvas(client) {
  const placeables = new Map();
  const tokens = {
    controlled: [],
    get placeables() {
      return Array.from(placeables.values());
    },
    get(id) {
      return placeables.get(id);
    },
    get documentCollection() {
      return canvas.scene?.tokens ?? null;
    },
    releaseAll() {
      tokens.controlled = [];
      return 0;
    },
  };
  const canvas = {
    ready: false,
    scene: null,
    tokens,
    dimensions: null,
    stage: { pivot: { x: 0, y: 0 }, scale: { x: 1, y: 1 } },
    animatePan: async () => true,
    pan() {},
    /** Show a scene: its tokens become placeables. */
    _view(scene) {
      canvas.scene = scene;
      canvas.dimensions = scene?.dimensions ?? null;
      tokens.controlled = [];
      canvas._refresh();
      canvas.ready = scene !== null;
      if (scene) client.Hooks.callAll("canvasReady", shown);
    },
    /** Follow the tokens of the scene. */
    _refresh() {
      placeables.clear();
      for (const token of canvas.scene?.tokens ?? []) placeables.set(token.id, placeable(client, canvas, token));
    },
  };
  const shown = guard(canvas, "canvas", { warn: client.warnDeprecated });
  for (const hook of ["createToken", "deleteToken"]) {
    client.Hooks.on(hook, (token) => {
      if (token.parent === canvas.scene) canvas._refresh();
    });
  }
  return shown;
}

function placeable(client, canvas, document) {
  const token = {
    document,
    id: document.id,
    get name() {
      return document.name;
    },
    get actor() {
      return document.actor;
    },
    get controlled() {
      return canvas.tokens.controlled.includes(token);
    },
    get x() {
      return document.x;
    },
    get y() {
      return document.y;
    },
    control({ releaseOthers = true } = {}) {
      canvas.tokens.controlled = [...(releaseOthers ? [] : canvas.tokens.controlled), token];
      client.Hooks.callAll("controlToken", token, true);
      return true;
    },
    release() {
      canvas.tokens.controlled = canvas.tokens.controlled.filter((known) => known !== token);
      client.Hooks.callAll("controlToken", token, false);
      return true;
    },
  };
  return token;
}

/** The application classes: `foundry.applications`, `foundry.appv1` and globals. */
export function buildApplications(client) {
  const api = defineApplicationV2(client);
  return { applications: { api: guard(api, "foundry.applications.api"), instances: client.instances }, globals: {} };
}

/** `canvas`: a scene, tokens that can be selected, and nothing drawn. */
import { guard } from "../core/guard.js";

/** @param {import("../client/client.js").Client} client */
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
      const released = tokens.controlled.length;
      for (const token of tokens.controlled) token.release();
      return released;
    },
  };
  const canvas = {
    ready: false,
    scene: null,
    tokens,
    dimensions: null,
    stage: { pivot: { x: 0, y: 0 }, scale: { x: 1, y: 1 } },
    /** While the page is hidden no frame is drawn, and an animation never ends. */
    animatePan: () => (globalThis.document?.hidden && client.facts.animationsStall ? new Promise(() => {}) : Promise.resolve(true)),
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
  const shown = guard(canvas, "canvas", { absent: ["app", "interface", "primary", "notes", "walls", "grid"], warn: client.warnDeprecated });
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
    get scene() {
      return document.parent;
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
      if (releaseOthers) for (const other of canvas.tokens.controlled) if (other !== token) other.release();
      if (!token.controlled) canvas.tokens.controlled = [...canvas.tokens.controlled, token];
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

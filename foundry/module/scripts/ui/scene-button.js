/** One button among the scene controls. */

import { refreshSceneControls } from "./compat.js";

const NAME = "aagm-chat";

/** @param {() => void} open */
export function addSceneButton(open) {
  Hooks.on("getSceneControlButtons", (/** @type {any} */ controls) => addTool(controls, open));
  refreshSceneControls(); // they were built before we were ready
}

/**
 * @param {any} controls  An array of controls in 12, a record from 13 on.
 * @param {() => void} open
 */
export function addTool(controls, open) {
  const tool = { name: NAME, title: "AAGM.Window.open", icon: "fa-solid fa-robot", button: true, visible: true };
  if (Array.isArray(controls)) {
    const tokens = controls.find(({ name }) => name === "token");
    tokens?.tools.push({ ...tool, onClick: () => open() });
  } else if (controls.tokens) {
    const order = Object.keys(controls.tokens.tools).length;
    controls.tokens.tools[NAME] = { ...tool, order, onChange: () => open() };
  }
}

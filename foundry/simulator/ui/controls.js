/** Scene controls, drag data, and the settings window's contents. */

/**
 * Build the scene controls as they are when they are drawn: an array in 12, a record from 13 on.
 * @param {import("../client/client.js").Client} client
 */
export function buildSceneControls(client) {
  const names = ["tokens", "tiles", "drawings", "walls", "lighting", "sounds", "notes"];
  let controls;
  if (client.generation === 12) {
    controls = names.map((name) => ({ name: name === "tokens" ? "token" : name, title: name, layer: name, icon: "fas fa-circle", visible: true, tools: [{ name: "select", title: "Select", icon: "fas fa-expand" }], activeTool: "select" }));
  } else {
    controls = Object.fromEntries(
      names.map((name, order) => [name, { name, order, title: name, layer: name, icon: "fa-solid fa-circle", visible: true, activeTool: "select", tools: { select: { name: "select", order: 0, title: "Select", icon: "fa-solid fa-expand" } } }]),
    );
  }
  client.Hooks.callAll("getSceneControlButtons", controls);
  return controls;
}

/** Press a tool that a module has added. */
export function pressTool(controls, controlName, toolName, active = true) {
  const control = Array.isArray(controls) ? controls.find((known) => known.name === controlName) : controls[controlName];
  const tool = Array.isArray(control?.tools) ? control.tools.find((known) => known.name === toolName) : control?.tools[toolName];
  if (!tool) throw new Error(`no tool ${toolName} in ${controlName}`);
  return tool.onChange ? tool.onChange(new Event("change"), active) : tool.onClick?.(active);
}

/** `TextEditor`: only what drag and drop and plain text need. */
export const TextEditor = {
  /** The JSON of a drop; `{}` when it is something else. */
  getDragEventData(event) {
    try {
      return JSON.parse(event.dataTransfer.getData("text/plain"));
    } catch {
      return {};
    }
  },

  async enrichHTML(content) {
    return String(content ?? "");
  },
};

/** A drop event's `dataTransfer` for a document, where a test has none. */
export function dragEventOf(document) {
  const text = JSON.stringify(document.toDragData());
  return { preventDefault() {}, stopPropagation() {}, dataTransfer: { getData: (type) => (type === "text/plain" ? text : "") } };
}

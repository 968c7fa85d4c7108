/** The frame of a window: our own look, the names modules select by. */

const element = (tag, properties = {}, children = []) => {
  const made = Object.assign(globalThis.document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/**
 * @param {object} app An ApplicationV2.
 * @param {import("../client/client.js").Client} client
 * @returns {HTMLElement}
 */
export function buildFrame(app, client) {
  const { tag, id, classes, window: settings } = app.options;
  const root = element(tag, { id });
  root.classList.add("application", ...classes);
  if (tag === "form") root.autocomplete = "off";
  if (!app.hasFrame) return root;
  root.setAttribute("role", "dialog");
  const icon = element("i", { className: `window-icon ${settings.icon || "hidden"}` });
  const title = element("h1", { className: "window-title", textContent: app.title });
  title.id = `${id}-title`;
  root.setAttribute("aria-labelledby", title.id);
  const label = client.game.i18n.has("APPLICATION.TOOLS.Close") ? client.game.i18n.localize("APPLICATION.TOOLS.Close") : "Close";
  const close = element("button", { type: "button", className: "header-control icon fa-solid fa-xmark", textContent: "×", ariaLabel: label });
  close.dataset.action = "close";
  const controls = app._getHeaderControls().filter((control) => control.visible !== false).map((control) => controlButton(control, client));
  const header = element("header", { className: "window-header" }, [icon, title, ...controls, close]);
  const content = element(settings.contentTag ?? "section", { className: ["window-content", ...(settings.contentClasses ?? [])].join(" ") });
  root.append(header, content);
  if (settings.resizable) root.append(resizeHandle(app));
  Object.assign(app.window, { header, icon, title, close, content });
  makeDraggable(app, header);
  applyTheme(root, client);
  return root;
}

function controlButton({ action, icon, label }, client) {
  const button = element("button", { type: "button", className: `header-control icon ${icon ?? ""}`, ariaLabel: client.game.i18n.localize(label ?? action) });
  button.dataset.action = action;
  return button;
}

/** From generation 13 on a class says which scheme a window has. */
export function applyTheme(root, client) {
  if (client.generation < 13) return;
  const { colorScheme } = client.game.settings.get("core", "uiConfig");
  root.classList.add("themed", `theme-${colorScheme.applications || "dark"}`);
}

function makeDraggable(app, header) {
  header.addEventListener("pointerdown", (start) => {
    if (start.target.closest("button")) return;
    const box = app.element.getBoundingClientRect();
    followPointer(start, (dx, dy) => app.setPosition({ left: box.left + dx, top: box.top + dy }));
  });
}

function resizeHandle(app) {
  const handle = element("div", { className: "window-resize-handle" });
  Object.assign(handle.style, { position: "absolute", right: "0", bottom: "0", width: "14px", height: "14px", cursor: "nwse-resize", touchAction: "none" });
  handle.addEventListener("pointerdown", (start) => {
    const box = app.element.getBoundingClientRect();
    followPointer(start, (dx, dy) => app.setPosition({ width: Math.max(200, box.width + dx), height: Math.max(100, box.height + dy) }));
  });
  return handle;
}

/** Tell how far the pointer went until it is let go. */
function followPointer(start, went) {
  const move = (event) => went(event.clientX - start.clientX, event.clientY - start.clientY);
  globalThis.document.addEventListener("pointermove", move);
  globalThis.document.addEventListener("pointerup", () => globalThis.document.removeEventListener("pointermove", move), { once: true });
}

/** Put a window where its position says; in the middle where it says nothing. */
export function placeFrame(root, position) {
  const size = (value) => (typeof value === "number" ? `${value}px` : "");
  Object.assign(root.style, { position: "fixed", width: size(position.width), height: size(position.height) });
  const box = root.getBoundingClientRect();
  const { innerWidth, innerHeight } = globalThis;
  position.left ??= Math.max(0, (innerWidth - box.width) / 2);
  position.top ??= Math.max(0, (innerHeight - box.height) / 2);
  Object.assign(root.style, { left: size(position.left), top: size(position.top), zIndex: String(position.zIndex ?? "") });
}

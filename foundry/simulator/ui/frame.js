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
  if (settings.resizable) root.append(element("div", { className: "window-resize-handle" }));
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
    const move = (event) => app.setPosition({ left: box.left + event.clientX - start.clientX, top: box.top + event.clientY - start.clientY });
    const stop = () => globalThis.document.removeEventListener("pointermove", move);
    globalThis.document.addEventListener("pointermove", move);
    globalThis.document.addEventListener("pointerup", stop, { once: true });
  });
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

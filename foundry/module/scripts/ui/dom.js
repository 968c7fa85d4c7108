/** Elements from text. Nothing here, and nothing that uses it, takes HTML. */

const SVG = "http://www.w3.org/2000/svg";

/** Line drawings of our own, on a 16 by 16 ground; no icon font is needed. */
const ICONS = Object.freeze({
  add: "M8 3v10M3 8h10",
  again: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  change: "M2.5 13.5l.7-3L10.5 3.2l2.3 2.3-7.3 7.3zM9 4.7L11.3 7",
  close: "M4 4l8 8M12 4l-8 8",
  down: "M8 3v10M4 9l4 4 4-4",
  fold: "M6 4l4 4-4 4",
  gear: "M8 5.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4",
  interrupt: "M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z",
  link: "M4 12L12 4M6 4h6v6",
  send: "M2.5 8h11M9 3.5L13.5 8 9 12.5",
  undo: "M6 3L2.5 6.5 6 10M3 6.5h6a4 4 0 0 1 0 8H6",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H7a4 4 0 0 0 0 8h3",
  warn: "M8 2.5L14.5 13.5h-13zM8 6.5v3.5M8 12v.2",
});

/**
 * Make an element. Functions are listeners; null, undefined and false leave an attribute out.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children  Strings become text.
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("on")) throw new TypeError(`${name} takes a function`);
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * Replace what is in an element, if it is another than before.
 * @param {Element} element
 * @param {...any} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {any[]} children
 * @returns {(Node|string)[]}
 */
function nodes(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * @param {keyof typeof ICONS} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ class: "aagm-icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/**
 * What a screen reader says and nobody sees.
 * @param {string} text
 */
export function spoken(text) {
  return el("span", { class: "aagm-spoken" }, text);
}

/**
 * @param {string} label
 * @param {(event: Event) => void} press
 * @param {{ icon?: keyof typeof ICONS, isMain?: boolean, isQuiet?: boolean, attributes?: Record<string, any> }} [options]
 */
export function button(label, press, { icon: name, isMain = false, isQuiet = false, attributes = {} } = {}) {
  const look = isMain ? " aagm-main" : isQuiet ? " aagm-quiet" : "";
  return el("button", { type: "button", class: `aagm-button${look}`, onclick: press, ...attributes }, name && icon(name), el("span", {}, label));
}

/**
 * A button that shows a picture only.
 * @param {keyof typeof ICONS} name
 * @param {string} label
 * @param {(event: Event) => void} press
 * @param {Record<string, any>} [attributes]
 */
export function iconButton(name, label, press, attributes = {}) {
  return el("button", { type: "button", class: "aagm-icon-button", "aria-label": label, title: label, onclick: press, ...attributes }, icon(name));
}

/** @returns {boolean}  Is there a page to draw on? In Node there is none. */
export function hasPage() {
  return typeof globalThis.document?.createElement === "function";
}

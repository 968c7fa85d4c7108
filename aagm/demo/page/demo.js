/** The demo page: a simulated world with the real module, and what became of it. */
import { boot } from "./simulator/boot.js";

const WORLD = "sunken-inn";
const SAVED = "aagm-demo/"; // keys of localStorage, one a run of the demo

const byId = (id) => document.getElementById(id);

/** Ask the demo's own server. */
async function ask(path) {
  const response = await fetch(path, { method: "POST" });
  return response.json();
}

/** Make an element from one of the page's templates. */
function fromTemplate(id) {
  return byId(id).content.firstElementChild.cloneNode(true);
}

/** A world that was saved by an earlier run knows nothing of this run's points. */
function forgetOtherRuns(run) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(SAVED) && !key.startsWith(SAVED + run)) localStorage.removeItem(key);
  }
}

function showActor(actor) {
  const card = fromTemplate("actor");
  const { value, max } = actor.system.resource ?? {};
  card.dataset.actor = actor.name;
  card.querySelector(".portrait").textContent = actor.name.split(" ").map((word) => word[0]).join("").slice(0, 2);
  card.querySelector("h3").textContent = actor.name;
  const meter = card.querySelector("meter");
  meter.max = max;
  meter.low = max / 3;
  meter.value = value;
  meter.setAttribute("aria-label", "hit points");
  card.querySelector(".number").textContent = `${value} / ${max}`;
  const items = actor.items.map((item) => Object.assign(document.createElement("li"), { textContent: item.name }));
  card.querySelector(".items").replaceChildren(...items);
  return card;
}

/** Draw the actors; those that changed since the last time light up. */
function showActors() {
  const before = new Map(Array.from(byId("actors").children, (card) => [card.dataset.actor, card.textContent]));
  const cards = game.actors.map(showActor);
  for (const card of cards) {
    card.classList.toggle("changed", before.size > 0 && before.get(card.dataset.actor) !== card.textContent);
  }
  byId("actors").replaceChildren(...cards);
}

function redrawOnChange() {
  let isDue = false;
  const redraw = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      showActors();
    });
  };
  for (const name of ["Actor", "Item", "ActiveEffect"]) {
    for (const event of ["create", "update", "delete"]) Hooks.on(`${event}${name}`, redraw);
  }
  showActors();
}

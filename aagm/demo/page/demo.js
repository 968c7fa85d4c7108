/** The demo page: a simulated world with the real module, and what became of it. */
import { boot } from "./simulator/boot.js";

const WORLD = "sunken-inn";
const SAVED = "aagm-demo/"; // keys of localStorage, one a run of the demo

const byId = (id) => document.getElementById(id);
const fromTemplate = (id) => byId(id).content.firstElementChild.cloneNode(true);

/** Ask the demo's own server. */
async function ask(path) {
  const response = await fetch(path, { method: "POST" });
  return response.json();
}

/** A world that was saved by an earlier run knows nothing of this run's points. */
function forgetOtherRuns(key) {
  for (const known of Object.keys(localStorage)) {
    if (known.startsWith(SAVED) && !known.startsWith(key)) localStorage.removeItem(known);
  }
}

function actorCard(actor) {
  const card = fromTemplate("actor");
  const { value, max } = actor.system.resource;
  card.dataset.actor = actor.name;
  card.querySelector(".portrait").textContent = initials(actor.name);
  card.querySelector("h3").textContent = actor.name;
  const meter = card.querySelector("meter");
  Object.assign(meter, { max, low: max / 3, high: (max * 2) / 3, optimum: max, value });
  meter.setAttribute("aria-label", `hit points of ${actor.name}`);
  card.querySelector(".number").textContent = `${value} / ${max}`;
  const items = actor.items.map((item) => Object.assign(document.createElement("li"), { textContent: item.name }));
  card.querySelector(".items").replaceChildren(...items);
  return card;
}

function initials(name) {
  return name.replace(/[^A-Z]/g, "").slice(0, 2);
}

/** Draw the actors; those that changed since the last time light up. */
function drawActors() {
  const before = new Map(Array.from(byId("actors").children, (card) => [card.dataset.actor, card.textContent]));
  const cards = game.actors.map(actorCard);
  for (const card of cards) {
    card.classList.toggle("changed", before.size > 0 && before.get(card.dataset.actor) !== card.textContent);
  }
  byId("actors").replaceChildren(...cards);
}

/** Redraw once after each burst of changes. */
function watchActors() {
  let isDue = false;
  const changed = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      drawActors();
    });
  };
  for (const name of ["Actor", "Item", "ActiveEffect"]) {
    for (const event of ["create", "update", "delete"]) Hooks.on(`${event}${name}`, changed);
  }
  drawActors();
}

/** Say how the module stands with the relay, in its own words. */
function drawState(status) {
  const { state, reason, relay, url } = status;
  byId("state").dataset.state = state;
  byId("state-title").textContent = state === "connected" ? `Connected to ${relay.memberName ?? "the relay"}` : "Not connected";
  byId("state-detail").textContent = reason ? `${reason.message} ${reason.fix}` : `module and relay talk on ${url}`;
}

/**
 * A demo that was started anew has another world and knows this page no more: begin anew with it.
 * The module itself says when to look: whenever it is turned away, and whenever it dials in vain.
 */
function followTheDemo(api, run) {
  let isAsking = false;
  api.onConnection(async ({ state, reason }) => {
    if (isAsking || !["off", "waiting"].includes(state)) return;
    isAsking = true;
    const invitation = await ask("invitation").catch(() => null); // null: the demo is not there
    isAsking = false;
    if (invitation === null) return;
    if (invitation.run !== run) location.reload();
    else if (reason.code === "not_paired" && invitation.pairingCode) await api.pair(invitation.pairingCode);
  });
}

/** Changes are looked at and taken back in the chat; one that was closed is opened again. */
function offerChat(api) {
  byId("open").addEventListener("click", () => api.openChat());
  const shown = () => {
    byId("closed").hidden = byId("windows").querySelector(".application .aagm-chat") !== null;
  };
  for (const event of ["render", "close"]) Hooks.on(`${event}ApplicationV2`, shown);
  shown();
}

/** One button a task; its answer is shown as an agent would read it. */
function offerTasks(tasks) {
  const buttons = Object.entries(tasks).map(([name, title]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: title });
    button.dataset.task = name;
    button.addEventListener("click", async () => {
      button.disabled = true;
      const answer = await ask(`play?task=${name}`).catch((error) => ({ error }));
      byId("told").textContent = answer.error ? answer.error.message : `What the agent gets back: ${JSON.stringify(answer.value)}`;
      button.disabled = false;
    });
    return button;
  });
  byId("tasks").replaceChildren(...buttons);
}

function offerAddress(url) {
  byId("mcp").textContent = url;
  byId("copy").addEventListener("click", async () => {
    await navigator.clipboard.writeText(url);
    byId("copy").textContent = "Copied";
  });
}

/** The module's window takes the focus when it opens; here that must not scroll the page away from its beginning. */
function stayAtTop() {
  byId("windows").addEventListener("focusin", () => requestAnimationFrame(() => scrollTo(0, 0)), { once: true });
}

async function start() {
  stayAtTop();
  const invitation = await ask("invitation");
  const key = `${SAVED}${invitation.run}`;
  forgetOtherRuns(key);
  offerAddress(invitation.mcp);
  offerTasks(invitation.tasks);
  await boot({
    module: "module/",
    until: "aagm.ready",
    chrome: byId("windows"),
    persist: key,
    storage: {
      [`aagm.enabled-${WORLD}`]: true,
      [`aagm.relayUrl-${WORLD}`]: invitation.bridge,
      [`aagm.pairingCode-${WORLD}`]: invitation.pairingCode ?? "",
    },
  });
  watchActors();
  const { api } = game.modules.get("aagm");
  offerChat(api);
  api.onConnection(drawState);
  followTheDemo(api, invitation.run);
  drawState(api.status());
  if (api.isConnected()) api.requestStatus();
}

start().catch((error) => {
  byId("state").dataset.state = "off";
  byId("state-title").textContent = "The page did not start";
  byId("state-detail").textContent = error.message;
  throw error;
});

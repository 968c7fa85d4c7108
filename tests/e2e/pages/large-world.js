/** A world as large as they get: 20,000 documents and 50 compendiums, with text to read in all of them. */
import { sunkenInn } from "/foundry/simulator/worlds/sunken-inn.js";

const WORDS = "lake rope bell cellar lantern eel tide barge oar reed salt cask heron jetty room four debt penny song net".split(" ");

/** Words that look like a text, the same for the same number. */
function prose(n, count = 60) {
  const words = [];
  for (let i = 0; i < count; i += 1) words.push(WORDS[(n * 31 + i * i * 7) % WORDS.length]);
  return `<p>${words.join(" ")}.</p>`;
}

const id = (kind, n) => kind + String(n).padStart(16 - kind.length, "0");
const item = (kind, n) => ({ _id: id(kind, n), name: `${WORDS[n % 20]} ${kind} ${n}`, type: "gear", system: { description: { value: prose(n) } } });

/** Documents, those inside others counted: 20,000. */
export function largeWorld() {
  const inn = sunkenInn();
  const range = (count, make) => Array.from({ length: count }, (_, n) => make(n));
  const docs = {
    ...inn.docs,
    Item: range(4000, (n) => item("thing", n)),
    Actor: range(3000, (n) => ({
      _id: id("actor", n), name: `Guest ${n} of the ${WORDS[n % 20]}`, type: "npc", system: { biography: prose(n) },
      items: [item("left", n), item("right", n)],
    })),
    JournalEntry: range(1000, (n) => ({
      _id: id("journal", n), name: `Tale ${n}`,
      pages: [0, 1, 2].map((p) => ({ _id: id("page", p), name: `Part ${p}`, type: "text", text: { content: prose(n * 3 + p, 200), format: 1 } })),
    })),
    Macro: range(3000, (n) => ({ _id: id("macro", n), name: `Macro ${n}`, type: "chat", command: prose(n, 20) })),
  };
  docs.JournalEntry[777].pages[1].text.content += "<p>Below the anvil lies the drowned key.</p>";
  const packs = range(50, (p) => ({
    id: `world.pack-${p}`, label: `Pack ${p}`, type: "Item",
    documents: range(200, (n) => ({ _id: id("ware", n), name: `Drowned ware ${p * 200 + n}`, type: "gear" })),
  }));
  return { ...inn, docs, packs };
}

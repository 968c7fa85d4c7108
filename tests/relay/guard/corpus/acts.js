//# write | a new hit point value
const actor = game.actors.getName("Mira");
await actor.update({ "system.attributes.hp.value": 12 });
//# write | heal the whole party
for (const a of game.actors.filter(a => a.hasPlayerOwner)) {
  const hp = a.system.attributes.hp;
  await a.update({ "system.attributes.hp.value": hp.max });
}
//# write | heal in parallel
await Promise.all(canvas.tokens.controlled.map(t => t.actor.update({ "system.attributes.hp.value": 10 })));
//# write | a new actor
const a = await Actor.create({ name: "Innkeeper", type: "npc" });
return a.id;
//# write | many actors at once
const made = await Actor.createDocuments([{ name: "A", type: "npc" }, { name: "B", type: "npc" }]);
return made.map(a => a.uuid);
//# write | items for an actor
const actor = game.actors.getName("Odo");
await actor.createEmbeddedDocuments("Item", [{ name: "Rope", type: "loot" }]);
//# write | change several items
const actor = game.actors.getName("Odo");
const updates = actor.items.filter(i => i.type === "loot").map(i => ({ _id: i.id, "system.quantity": 1 }));
await actor.updateEmbeddedDocuments("Item", updates);
//# write | a flag
await game.actors.getName("Mira").setFlag("world", "wound", "arm");
//# write | a flag goes
await game.actors.getName("Mira").unsetFlag("world", "wound");
//# write | a setting
await game.settings.set("core", "noCanvas", false);
//# write | a page of a journal
const entry = game.journal.getName("Rumours");
await entry.createEmbeddedDocuments("JournalEntryPage", [{ name: "New", type: "text", text: { content: "<p>x</p>" } }]);
//# write | a macro
await Macro.create({ name: "Rest", type: "script", command: "return 1;" });
//# write | the world's clock
await game.time.advance(3600);
//# write | the next turn
await game.combat.nextTurn();
//# write | roll initiative for all
await game.combat.rollAll();
//# write | move tokens
const updates = canvas.scene.tokens.map(t => ({ _id: t.id, x: t.x + 100 }));
await canvas.scene.updateEmbeddedDocuments("Token", updates);
//# write | a condition
await canvas.tokens.controlled[0].actor.toggleStatusEffect("prone", { active: true });
//# write | damage by the system
await game.actors.getName("Odo").applyDamage(5);
//# write | from a compendium
const pack = game.packs.get("world.bestiary");
await game.actors.importFromCompendium(pack, "abc");
//# write | clone and save
await game.actors.getName("Odo").clone({ name: "Odo the Second" }, { save: true });
//# write | change a value in memory
game.actors.getName("Odo").system.attributes.hp.value = 3;
//# write | the hotbar
await game.user.assignHotbarMacro(game.macros.getName("Rest"), 1);
//# write | unlock a pack
await game.packs.get("world.bestiary").configure({ locked: false });
//# write | play a playlist
await game.playlists.getName("Tavern").playAll();
//# write | a write in a reduce
await game.actors.contents.reduce(async (done, a) => { await done; await a.update({ name: a.name.trim() }); }, Promise.resolve());
//# write | a write in a helper
async function rename(doc, name) { if (doc.name !== name) await doc.update({ name }); }
await rename(await fromUuid("Actor.abc"), "Mira");
//# write | a synthetic actor by its token
await canvas.scene.tokens.getName("Goblin").actor.update({ "system.attributes.hp.value": 0 });
//# delete | one actor
await game.actors.getName("Odo (copy)").delete();
//# delete | many actors
const ids = game.actors.filter(a => a.name.endsWith("(copy)")).map(a => a.id);
await Actor.deleteDocuments(ids);
//# delete | items of an actor
const actor = game.actors.getName("Odo");
await actor.deleteEmbeddedDocuments("Item", actor.items.filter(i => i.type === "loot").map(i => i.id));
//# delete | a folder with all that is in it
await game.folders.getName("Old").delete({ deleteSubfolders: true, deleteContents: true });
//# delete | the combat
await game.combat.delete();
//# delete | all chat messages
await ChatMessage.deleteDocuments([], { deleteAll: true });
//# delete | every effect
for (const e of game.actors.getName("Mira").effects) await e.delete();
//# delete | out of a live collection
game.actors.delete("abc");
//# side-effect | say something
await ChatMessage.create({ content: "Hello", speaker: ChatMessage.getSpeaker() });
//# side-effect | roll to the chat
const roll = await new Roll("1d20").evaluate();
await roll.toMessage({ flavor: "Perception" });
//# side-effect | roll to the chat in one go
(await new Roll("1d20").evaluate()).toMessage();
//# side-effect | an update with a message after it
await game.actors.getName("Mira").update({ name: "Mira" });
await ChatMessage.create({ content: "renamed" });
//# side-effect | open a sheet
game.actors.getName("Mira").sheet.render(true);
//# side-effect | show a journal to all
await game.journal.getName("Rumours").show("text", true);
//# side-effect | activate a scene
await game.scenes.getName("Cellar").activate();
//# side-effect | look at a scene
await game.scenes.getName("Cellar").view();
//# side-effect | ask the GM
const yes = await Dialog.confirm({ title: "Sure?", content: "<p>Delete?</p>" });
if (yes) await game.actors.getName("Odo").delete();
//# side-effect | ask with the new dialog
await foundry.applications.api.DialogV2.confirm({ content: "Sure?" });
//# side-effect | emit
game.socket.emit("module.x", { go: true });
//# side-effect | call a hook
Hooks.callAll("updateActor", game.actors.contents[0], {});
//# side-effect | listen to a hook
Hooks.on("createToken", t => console.log(t.name));
//# side-effect | fetch a file
const text = await (await fetch("worlds/x/data.json")).json();
return text;
//# side-effect | upload a file
await FilePicker.upload("data", "worlds/x", new File(["x"], "x.txt"));
//# side-effect | reload
window.location.reload();
//# side-effect | go elsewhere
location.href = "https://example.org";
//# side-effect | pause
game.togglePause(true, true);
//# side-effect | pan
await canvas.animatePan({ x: 100, y: 100, scale: 1 });
//# side-effect | ping
canvas.ping({ x: 100, y: 100 });
//# side-effect | target
canvas.tokens.placeables[0].setTarget(true);
//# side-effect | a sound for all
foundry.audio.AudioHelper.play({ src: "x.ogg" }, true);
//# side-effect | hide the sidebar
document.querySelector("#sidebar").style.display = "none";
//# side-effect | click
document.querySelector("button.save").click();
//# side-effect | remember in the browser
localStorage.setItem("x", "y");
//# side-effect | download
saveDataToFile("x", "text/plain", "x.txt");
//# side-effect | a whole compendium goes
await game.packs.get("world.old").deleteCompendium();
//# unproven | run a macro
await game.macros.getName("Long Rest").execute();
//# unproven | use an item
await game.actors.getName("Mira").items.getName("Wand").use();
//# unproven | roll a skill by the system
await game.actors.getName("Mira").rollSkill("per");
//# unproven | a module's interface
await game.modules.get("item-piles").api.addItems("x", []);
//# unproven | a toast
ui.notifications.info("done");
//# unproven | sort a live array
game.combat.turns.sort((a, b) => a.name.localeCompare(b.name));
//# unproven | run text
return eval("1 + 1");
//# unproven | load code
return await import("/systems/pf1/pf1.js");
//# unproven | an unknown library
return SimpleCalendar.api.currentDateTime();
//# unproven | a method by a name from the world
const name = game.actors.contents[0].name;
return game.actors.contents[0][name]();
//# unproven | markup in a detached element
const div = document.createElement("div");
div.innerHTML = game.journal.contents[0].pages.contents[0].text.content;
return div.textContent;
//# unproven | roll on a table, which may make up its formula
return (await game.tables.getName("Tavern Talk").roll()).results.map(r => r.text);
//# protected | the Rescue Log by name
return game.journal.getName("ItemPile Rescue Log").pages.size;
//# protected | the Rescue Log in a filter
return game.journal.find(j => j.name.toLowerCase() === "itempile rescue log")?.id;
//# protected | the Rescue Log put together
return game.journal.getName(["ItemPile", "Rescue", "Log"].join(" "));
//# protected | the Rescue Log by its flag
return game.journal.filter(j => j.pages.some(p => p.getFlag("world", "aagm-k-loot-rescue"))).map(j => j.name);
//# protected | the Rescue Log by its flag, as a member
return game.journal.contents.filter(j => j.flags.world?.["aagm-g-loot-rescue"]).length;
//# protected | our relay's address
await game.settings.set("aagm", "relayUrl-x", "ws://127.0.0.1:1");
//# protected | our token
return game.settings.get("aagm", "token-x");
//# protected | our setting by its document
return game.settings.storage.get("world").find(s => s.key === "aagm.mirrorPath")?.value;
//# protected | our token in the browser's store
return localStorage.getItem("aagm.token-x");
//# protected | our flags
await game.user.update({ "flags.aagm.x": 1 });
//# protected | our flags, nested
await game.user.update({ flags: { aagm: { x: 1 } } });
//# protected | our flags by a computed key
const ns = "aagm";
await game.user.update({ [`flags.${ns}.x`]: 1 });
//# protected | our flags read
return game.user.getFlag("aagm", "x");
//# protected | our own interface
return game.modules.get("aagm").api.send("x");
//# read | our own version
return game.modules.get("aagm")?.version;
//# read | a Set deletes
const s = new Set(game.actors.map(a => a.type)); s.delete("npc"); return [...s];
//# read | a Map deletes and clears
const m = new Map(); m.set("a", 1); m.delete("a"); m.clear(); return m.size;
//# read | a function called create
const create = (name, n) => ({ name, n }); return [create("a", 1), create("b", 2)];
//# read | methods called update and delete
const book = { rows: {}, update(k, v) { this.rows[k] = v; return this; }, delete(k) { delete this.rows[k]; } };
book.update("a", 1).update("b", 2); book.delete("a"); return book.rows;
//# read | words that frighten
const help = "use actor.update() or ChatMessage.create() or fetch()"; return help.length; // game.socket.emit
//# read | a property called render
return game.items.map(i => ({ view: i.system.view, render: i.system.render, close: i.system.close }));
//# read | less or equal
return game.actors.filter(a => a.system.attributes.hp.value <= 5 && a.system.attributes.hp.value !== 0).length;
//# read | a constant that looks like an id
return "Actor.yB5klzKycb6bTbcy".split(".")[1];
//# read | accents are stripped
return game.actors.map(a => a.name.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase());
//# read | groups of a match
const m = game.actors.contents[0].name.match(/(?<first>\w+) (?<last>\w+)/);
return m ? `${m.groups.last.toUpperCase()}, ${m.groups.first}` : null;
//# read | numbers of the language
return [Math.PI.toFixed(2), Number.MAX_SAFE_INTEGER.toString(), Number.EPSILON < 1];
//# read | a bag of names that can be iterated
class Bag {
  constructor(...names) { this.names = names; }
  *[Symbol.iterator]() { for (const n of this.names) yield n; }
}
const out = [];
for (const name of new Bag("a", "b")) out.push(name.toUpperCase());
return out;

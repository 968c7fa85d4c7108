/** Hooks. All that a player's client ever loads of us is this file, which then does nothing. */

Hooks.once("ready", async () => {
  if (!game.user.isGM) return;
  const { start } = await import("./wiring.js");
  start();
});

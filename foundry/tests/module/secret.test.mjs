import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { evaluate } from "../../module/scripts/handlers/eval.js";
import { createWorld } from "../../simulator/index.js";

const TOKEN = "tokenOfTheSunkenInn0123456789";
let world;

beforeEach(async () => {
  world = createWorld({ version: 12, id: "sunken-inn" });
  world.gm.install(globalThis);
  game.settings.register("aagm", "token-sunken-inn", { scope: "client", config: false, type: String, default: "" });
  await game.settings.set("aagm", "token-sunken-inn", TOKEN);
});

afterEach(() => world.gm.uninstall());

test("a dump of the settings does not show the relay's token", async () => {
  const code = "return { all: [game.settings.get('aagm', 'token-sunken-inn')], name: 'The Sunken Inn' };";
  const { value } = await evaluate({ code });
  assert.deepEqual(value, { all: ["[AAGM's token]"], name: "The Sunken Inn" });
});

test("neither an error nor the console shows the token", async () => {
  const read = "game.settings.get('aagm', 'token-sunken-inn')";
  await assert.rejects(evaluate({ code: `throw new Error("it is " + ${read})` }), (error) => {
    assert.match(error.message, /it is \[AAGM's token\]/);
    return !JSON.stringify(error.data).includes(TOKEN);
  });
  const result = await evaluate({ code: `console.log(${read}); throw new Error(${read})`, captureConsole: true });
  assert.ok(!JSON.stringify(result).includes(TOKEN));
  assert.match(result.console[0].msg, /AAGM's token/);
});

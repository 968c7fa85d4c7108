/** `game` as far as words need it, with the module's English; a missing key fails the test that said it. */
import { readFileSync } from "node:fs";

export const ENGLISH = JSON.parse(readFileSync(new URL("../../module/lang/en.json", import.meta.url), "utf8"));

export function speakEnglish() {
  const localize = (key) => {
    if (!(key in ENGLISH)) throw new Error(`no text for ${key}`);
    return ENGLISH[key];
  };
  const i18n = {
    lang: "en",
    has: (key) => key in ENGLISH,
    localize,
    format: (key, data) => localize(key).replace(/\{([^}]+)\}/g, (_whole, name) => {
      if (!(name in data)) throw new Error(`${key} wants ${name}`);
      return data[name];
    }),
  };
  globalThis.game = { i18n, world: { id: "sunken-inn" } };
}

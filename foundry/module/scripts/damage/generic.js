/** Any other system: the attribute it shows on a token's bar first. */

/** @import { Adapter } from "./pools.js" */
import { Unreadable, numberAt, numberOrNull, valueOf } from "./pools.js";

/** @type {Adapter} */
export const generic = {
  read(actor) {
    const attribute = game.system.primaryTokenAttribute;
    if (!attribute) throw new Unreadable("the system's primary token attribute", undefined);
    const path = `system.${attribute}`;
    const attributeValue = foundry.utils.getProperty(actor, path);
    const isBar = typeof attributeValue === "object" && attributeValue !== null;
    const floor = isBar ? numberAt(actor, `${path}.min`, 0) : 0;
    const valuePath = isBar ? `${path}.value` : path;
    return {
      pools: [{ name: "hp", path: valuePath, value: numberAt(actor, valuePath), floor }],
      main: "hp",
      max: isBar ? numberOrNull(actor, `${path}.max`) : null,
      facts: { floor },
    };
  },

  judge(reading) {
    return valueOf(reading, "hp") <= reading.facts.floor ? "dead" : "up";
  },
};

/** What gets in the way of a program in a hostile world. */

import { Chance } from "./chance.mjs";
import { changesFor } from "./field-values.mjs";

const MODULES = ["hostile-veto", "hostile-mutator", "hostile-auto-conditions"];

export const HOSTILE_MODULES = MODULES;

/** Turn the hostile modules on, from this seed. */
export function provoke(world, seed) {
  const chance = new Chance(`hostile/${seed}`);
  const client = world.gm;
  const veto = world.module("hostile-veto");
  const mutator = world.module("hostile-mutator");
  const everybody = [...client.game.actors, ...client.game.items, ...client.game.scenes, ...client.game.macros];
  for (const one of everybody) if (chance.is(0.1)) veto.refuses.add(one.uuid);
  if (chance.is(0.5)) {
    mutator.mutate = (document, changes) => {
      if (document.id.charCodeAt(0) % 3 === 0) changes.flags = { ...changes.flags, "hostile-mutator": { seen: document.name } };
    };
  }
  mutator.delay = chance.pick([null, "sync", 0, 50]);
  mutator.chain = chance.between(1, 2);
}

/** Operations that only a hostile world has: writes a recorder cannot see, and other people's. */
export const HOSTILE_KINDS = {
  /** An update without pre hooks. */
  blind: (chance, client) => {
    const one = chance.pick([...client.game.actors, ...client.game.items]);
    return one?.update(changesFor(chance, one, client.generation), { noHook: true });
  },
  blindDelete: (chance, client) => chance.pick([...client.game.items])?.delete({ noHook: true }),
  role: (chance, client) => client.game.users.contents.at(-1).update({ role: chance.between(1, 2) }),
  play: async (chance, client) => {
    const playlist = chance.pick(client.game.playlists.contents);
    await playlist?.update({ playing: true });
    if (chance.is(0.5)) await playlist?.update({ playing: false });
  },
  late: (chance, client) => {
    const actor = chance.pick(client.game.actors.contents);
    client.clock.setTimeout(() => actor?.update({ sort: chance.below(999) }).catch(() => {}), chance.below(200));
  },
};

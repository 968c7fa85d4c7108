/** The simulated modules, by name: each entry makes one. */
import { itemPiles } from "./item-piles.js";
import { hostileAutoConditions, hostileMutator, hostileNoise, hostileVeto, libWrapperLike, macroWrapper } from "./hostile.js";

export const MODULES = {
  "sim-item-piles": itemPiles,
  "hostile-veto": hostileVeto,
  "hostile-mutator": hostileMutator,
  "hostile-auto-conditions": hostileAutoConditions,
  "hostile-noise": hostileNoise,
  "macro-wrapper": macroWrapper,
  "lib-wrapper-like": libWrapperLike,
};

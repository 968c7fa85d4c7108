/** A system with nothing of its own: open `system` data, one resource. */
export const generic = {
  id: "sim-generic",
  title: "Simulated generic system",
  version: "1.0.0",
  primaryTokenAttribute: "resource",
  types: { Actor: ["character", "npc"], Item: ["gear", "feature", "base"] },
  templates: {
    Actor: {
      character: { resource: { value: 10, max: 10 } },
      npc: { resource: { value: 10, max: 10 } },
    },
  },
};

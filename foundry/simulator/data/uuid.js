/** Uuids taken apart and put together. Source: FOUNDRY_FACTS 1.8. */

/**
 * Split a uuid into its pack and its steps from the primary document down.
 * @param {string} uuid
 * @param {(packId: string) => string|undefined} [packType] Names the type of a pack, for the older form without one.
 * @returns {{pack: string|null, steps: Array<[string, string]>}|null} null when it is not a uuid.
 */
export function splitUuid(uuid, packType = () => undefined) {
  if (typeof uuid !== "string" || uuid === "") return null;
  const parts = uuid.split(".");
  let pack = null;
  if (parts[0] === "Compendium") {
    if (parts.length < 4) return null;
    pack = `${parts[1]}.${parts[2]}`;
    parts.splice(0, 3);
    if (parts.length % 2) parts.unshift(packType(pack));
  }
  if (parts.length < 2 || parts.length % 2) return null;
  const steps = [];
  for (let i = 0; i < parts.length; i += 2) steps.push([parts[i], parts[i + 1]]);
  return { pack, steps };
}

/** The uuid of a child or of a primary document. */
export function joinUuid(parentUuid, documentName, id, pack = null) {
  if (parentUuid) return `${parentUuid}.${documentName}.${id}`;
  return pack ? `Compendium.${pack}.${documentName}.${id}` : `${documentName}.${id}`;
}

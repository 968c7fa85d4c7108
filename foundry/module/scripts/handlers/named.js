/** Find one document by id, uuid or name; a name that several bear is refused, since Foundry would take any. */

import { BadParams, NotFound } from "../errors.js";
import { find } from "../recorder/lookup.js";

/**
 * @param {any} collection  Where a plain id or a name is looked up.
 * @param {{ id?: string, name?: string, what: string, fix?: string }} wanted  `fix`: where to find it.
 * @returns {any}
 * @throws {NotFound|BadParams}
 */
export function oneDocument(collection, { id, name, what, fix }) {
  if (id !== undefined) {
    const found = collection?.get(id);
    if (!found) throw new NotFound(`${what} ${id}`, fix);
    return found;
  }
  if (name === undefined) throw new BadParams(`name a ${what} by id or by name`);
  const wanted = name.normalize("NFC");
  const found = collection.filter((/** @type {any} */ each) => each.name.normalize("NFC") === wanted);
  if (found.length === 0) throw new NotFound(`${what} "${name}"`, fix);
  if (found.length > 1) {
    const ids = found.map((/** @type {any} */ each) => each.id).join(", ");
    throw new BadParams(`"${name}" is ambiguous: ${what} ids ${ids}`, "Give the id of the one that is meant.");
  }
  return found[0];
}

/**
 * As `oneDocument`, and an id may be a uuid: of the world, or of a compendium.
 * @param {any} collection
 * @param {{ id?: string, name?: string, what: string, documentName: string }} wanted
 * @returns {Promise<any>}
 * @throws {NotFound|BadParams}
 */
export async function documentAt(collection, { id, name, what, documentName }) {
  if (id === undefined || !id.includes(".")) return oneDocument(collection, { id, name, what });
  const found = await find(id);
  if (!found) throw new NotFound(`${what} ${id}`);
  if (found.documentName !== documentName) throw new BadParams(`${id} is no ${what}, it is a ${found.documentName}`);
  return found;
}

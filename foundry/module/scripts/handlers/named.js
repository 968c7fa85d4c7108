/** Find one world document by id or by name; a name that several bear is refused, since Foundry would take any. */

import { BadParams, NotFound } from "../errors.js";

/**
 * @param {any} collection
 * @param {{ id?: string, name?: string, what: string }} wanted
 * @returns {any}
 * @throws {NotFound|BadParams}
 */
export function oneDocument(collection, { id, name, what }) {
  if (id !== undefined) {
    const found = collection?.get(id);
    if (!found) throw new NotFound(`${what} ${id}`);
    return found;
  }
  if (name === undefined) throw new BadParams(`name a ${what} by id or by name`);
  const wanted = name.normalize("NFC");
  const found = collection.filter((/** @type {any} */ each) => each.name.normalize("NFC") === wanted);
  if (found.length === 0) throw new NotFound(`${what} "${name}"`);
  if (found.length > 1) {
    const ids = found.map((/** @type {any} */ each) => each.id).join(", ");
    throw new BadParams(`"${name}" is ambiguous: ${what} ids ${ids}`);
  }
  return found[0];
}

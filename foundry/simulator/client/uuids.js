/** Finding documents by uuid. Source: FOUNDRY_FACTS 1.8. */
import { splitUuid } from "../data/uuid.js";

/** Define `fromUuid`, `fromUuidSync` and `parseUuid` for one client. */
export function defineUuids(client) {
  const split = (uuid) => splitUuid(uuid, (packId) => client.game.packs.get(packId)?.documentName);

  function parseUuid(uuid, { relative } = {}) {
    if (typeof uuid === "string" && uuid.startsWith(".") && relative) return parseUuid(relativeUuid(uuid, relative));
    const parts = split(uuid);
    if (!parts) return null;
    const [[primaryType, primaryId], ...rest] = parts.steps;
    const [type, id] = parts.steps.at(-1);
    const collection = parts.pack ? client.game.packs.get(parts.pack) : client.game.collections.get(primaryType);
    return {
      uuid,
      type,
      id,
      documentType: type,
      documentId: id,
      collection,
      primaryType: rest.length ? primaryType : null,
      primaryId: rest.length ? primaryId : null,
      embedded: rest.flat(),
    };
  }

  function descend(document, steps) {
    let found = document;
    for (const [name, id] of steps) {
      if (!found) return null;
      if (found.documentName === "Token" && name === "Actor") found = found.actor?.isToken && found.actor.id === id ? found.actor : null;
      else if (found.documentName === "Token" && name === "ActorDelta") found = found.delta;
      else found = found.constructor.table.embedded[name] ? found.getEmbeddedDocument(name, id) : null;
    }
    return found ?? null;
  }

  function fromUuidSync(uuid, { relative, strict = true } = {}) {
    const whole = typeof uuid === "string" && uuid.startsWith(".") && relative ? relativeUuid(uuid, relative) : uuid;
    const parts = split(whole);
    if (!parts) return null;
    const [[name, id], ...rest] = parts.steps;
    if (!parts.pack) return descend(client.game.collections.get(name)?.get(id), rest);
    const pack = client.game.packs.get(parts.pack);
    const cached = pack?.get(id);
    if (cached) return descend(cached, rest);
    if (!rest.length) return pack?.index.get(id) ?? null;
    if (strict) throw new Error(`fromUuidSync was invoked on UUID '${uuid}' which references an Embedded Document and cannot be retrieved synchronously.`);
    return null;
  }

  async function fromUuid(uuid, options = {}) {
    const whole = typeof uuid === "string" && uuid.startsWith(".") && options.relative ? relativeUuid(uuid, options.relative) : uuid;
    const parts = split(whole);
    if (!parts) return null;
    if (!parts.pack) return fromUuidSync(whole, { ...options, strict: false });
    const [[, id], ...rest] = parts.steps;
    const document = await client.game.packs.get(parts.pack)?.getDocument(id);
    return document ? descend(document, rest) : null;
  }

  return { parseUuid, fromUuid, fromUuidSync };
}

function relativeUuid(uuid, relative) {
  const inner = uuid.slice(1);
  return inner.includes(".") ? `${relative.uuid}.${inner}` : `${relative.parent.uuid}.${relative.documentName}.${inner}`;
}

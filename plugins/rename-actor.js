/*
 * Rename Actor: gives one actor another name.
 *
 * Changes: the name of the actor whose uuid is given; nothing else.
 * Needs: a world Script macro named exactly "Rename Actor" with this text.
 * Returns: {ok: true, uuid} or {ok: false, error}.
 */
const MANIFEST = {
  api: "aagm-plugin/1.0",
  name: "Rename Actor",
  version: "1.0.0",
  description: "Renames one actor by uuid.",
  args: {
    type: "object",
    required: ["uuid", "name"],
    properties: {
      uuid: { type: "string" },
      name: { type: "string", minLength: 1 },
    },
    additionalProperties: false,
  },
  writes: ["Actor"],
  modes: ["run"],
};
if (!scope || Object.keys(scope).length === 0) return MANIFEST;
const found = await fromUuid(scope.uuid);
if (found?.documentName !== "Actor") return { ok: false, error: `${scope.uuid} is not an actor's uuid` };
await found.update({ name: scope.name });
return { ok: true, uuid: found.uuid };

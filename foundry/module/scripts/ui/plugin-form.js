/** A form from a plug-in's schema, and arguments from what was filled in. Nothing here draws; the relay does the judging. */

/**
 * @typedef {object} Plugin  A row of the relay's list.
 * @property {string} id
 * @property {string} name
 * @property {boolean} usable
 * @property {{ error: string, fix?: string }[]} problems
 * @property {string} [version]
 * @property {string} [description]
 * @property {Record<string, any>} [args]
 * @property {string[]} [writes]
 * @property {string[]} [modes]
 *
 * @typedef {"text"|"number"|"flag"|"choice"|"json"} Kind
 * @typedef {object} Field
 * @property {string} name
 * @property {Kind} kind
 * @property {boolean} isRequired
 * @property {string} hint
 * @property {unknown[]} choices
 * @property {boolean} isWhole  Of a number.
 */

/**
 * The fields of a schema's top level. What no field can show is typed as JSON.
 * @param {Record<string, any>} schema
 * @returns {Field[]}
 */
export function fieldsOf(schema) {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties ?? {}).map(([name, rule]) => {
    const known = typeof rule === "object" && rule !== null ? rule : {}; // a rule may be true, too
    const { type, description = "" } = known;
    const choices = choicesOf(known);
    return { name, kind: kindOf(type, choices), isRequired: required.includes(name), hint: String(description), choices, isWhole: type === "integer" };
  });
}

/**
 * @param {Record<string, any>} rule
 * @returns {unknown[]}  Empty where anything may be given.
 */
function choicesOf(rule) {
  if (Array.isArray(rule.enum)) return rule.enum;
  return "const" in rule ? [rule.const] : [];
}

/**
 * @param {unknown} type
 * @param {unknown[]} choices
 * @returns {Kind}
 */
function kindOf(type, choices) {
  if (choices.length && choices.every((each) => typeof each !== "object" || each === null)) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "flag" : "json";
}

/** Does the plug-in take arguments that its fields do not show? @param {Record<string, any>} schema */
export function takesMore(schema) {
  return schema.additionalProperties !== false;
}

/**
 * Make arguments of what was filled in; an empty field that need not be filled in is left out.
 * @param {Field[]} fields
 * @param {(name: string) => string|boolean} read  A field's text, or whether it is ticked.
 * @returns {{ args: Record<string, unknown>, faults: Record<string, "number"|"json"> }}
 */
export function argsOf(fields, read) {
  /** @type {Record<string, unknown>} */
  const args = {};
  /** @type {Record<string, "number"|"json">} */
  const faults = {};
  for (const { name, kind, isRequired, choices } of fields) {
    const given = read(name);
    if (kind === "flag") {
      if (given === true || isRequired) args[name] = given === true;
      continue;
    }
    const text = String(given);
    if (text.trim() === "" && (kind !== "text" || !isRequired)) continue;
    if (kind === "text") args[name] = text;
    else if (kind === "choice") args[name] = choices[Number(text)];
    else if (kind === "number") {
      if (Number.isFinite(Number(text))) args[name] = Number(text);
      else faults[name] = "number";
    } else {
      try {
        args[name] = JSON.parse(text);
      } catch {
        faults[name] = "json";
      }
    }
  }
  return { args, faults };
}

/**
 * Which field a refusal is about.
 * @param {string} [schemaPath]  As `#/properties/pack/pattern`.
 * @returns {string|null}
 */
export function fieldOf(schemaPath = "") {
  const found = /^#\/properties\/([^/]+)\//.exec(schemaPath);
  return found ? found[1].replaceAll("~1", "/").replaceAll("~0", "~") : null;
}

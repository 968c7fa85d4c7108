/** Form data as objects. */
import { expandObject } from "../core/objects.js";

/** Reads a form's elements by name, with their types. */
export class FormDataExtended {
  constructor(form) {
    this.form = form;
    this.object = {};
    const seen = {};
    for (const field of form.elements) {
      if (!field.name || field.disabled || ["BUTTON", "FIELDSET"].includes(field.tagName)) continue;
      if (field.type === "radio") {
        if (field.checked) this.object[field.name] = field.value;
        else this.object[field.name] ??= null;
        continue;
      }
      const value = valueOf(field);
      if (field.name in seen) this.object[field.name] = [seen[field.name]].flat().concat(value);
      else this.object[field.name] = value;
      seen[field.name] = this.object[field.name];
    }
  }

  get(name) {
    return this.object[name];
  }

  has(name) {
    return name in this.object;
  }

  entries() {
    return Object.entries(this.object);
  }

  get expanded() {
    return expandObject(this.object);
  }
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (field.multiple) return Array.from(field.selectedOptions, (option) => option.value);
  const type = field.dataset.dtype ?? (["number", "range"].includes(field.type) ? "Number" : "String");
  if (type === "Number") return field.value === "" ? null : Number(field.value);
  if (type === "Boolean") return field.value === "true";
  return field.value;
}

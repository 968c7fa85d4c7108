/** What Foundry calls by another name from one version to the next. Cast to any: the types know one version. */

const page = /** @type {any} */ (globalThis);

/**
 * @param {DragEvent} event
 * @returns {{ type?: string, uuid?: string, anchor?: { slug?: string, name?: string } }}  Empty when no document is dragged.
 */
export function dragData(event) {
  // From 13 on the global of this name warns when it is read.
  const editor = page.foundry.applications.ux?.TextEditor?.implementation ?? page.TextEditor;
  return editor.getDragEventData(event) ?? {};
}

/** Have the scene controls built anew: an array in 12, a record from 13 on. */
export function refreshSceneControls() {
  const { controls } = page.ui;
  if (!controls) return;
  if (Array.isArray(controls.controls)) controls.initialize?.();
  else void controls.render?.({ reset: true });
}

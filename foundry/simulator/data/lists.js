/** Arrays of sources with a look-up by id that survives additions and removals made here. */

const indexes = new WeakMap();

/** The look-up of an array by `_id`. */
export function indexOf(list) {
  let index = indexes.get(list);
  if (index && index.size === list.length) return index;
  index = new Map();
  for (const element of list) index.set(element._id, element);
  indexes.set(list, index);
  return index;
}

/** Append one element. */
export function addTo(list, element) {
  const index = indexOf(list);
  list.push(element);
  index.set(element._id, element);
}

/** Remove elements by id, in one pass. */
export function removeFrom(list, ids) {
  if (!ids.length) return;
  const gone = new Set(ids);
  let kept = 0;
  for (const element of list) {
    if (gone.has(element._id)) continue;
    list[kept] = element;
    kept += 1;
  }
  list.length = kept;
  indexes.delete(list);
}

/** A thin stand-in for jQuery: find, on, off, html, val, and index 0. */

/** @param {HTMLElement|HTMLElement[]|null} elements */
export function wrap(elements) {
  const list = [elements].flat().filter(Boolean);
  const wrapper = {
    length: list.length,
    find: (selector) => wrap(list.flatMap((element) => Array.from(element.querySelectorAll(selector)))),
    on(type, ...rest) {
      const [listener, selector] = [rest.at(-1), rest.length > 1 ? rest[0] : null];
      for (const element of list) {
        element.addEventListener(type, (event) => {
          if (!selector || event.target.closest(selector)) listener.call(event.target, event);
        });
      }
      return wrapper;
    },
    click: (listener) => wrapper.on("click", listener),
    html(content) {
      if (content === undefined) return list[0]?.innerHTML;
      for (const element of list) element.innerHTML = content;
      return wrapper;
    },
    val: (value) => {
      if (value === undefined) return list[0]?.value;
      for (const element of list) element.value = value;
      return wrapper;
    },
    append(content) {
      for (const element of list) element.append(content?.[0] ?? content);
      return wrapper;
    },
    get: (i) => list[i],
    each: (visit) => list.forEach((element, i) => visit.call(element, i, element)),
    [Symbol.iterator]: () => list[Symbol.iterator](),
  };
  list.forEach((element, i) => {
    wrapper[i] = element;
  });
  return wrapper;
}

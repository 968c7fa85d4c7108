/** The loader's half of `mutate.mjs`. */

let mutant = null;

export function initialize(data) {
  mutant = data;
}

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  if (!url.endsWith(`/module/scripts/${mutant.file}`)) return loaded;
  const source = loaded.source.toString();
  if (!source.includes(mutant.find)) throw new Error(`the mutant's text is not in ${mutant.file}: ${mutant.find}`);
  return { ...loaded, source: source.replace(mutant.find, () => mutant.put) };
}

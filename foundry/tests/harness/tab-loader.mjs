/** Module resolution for tabs: `?tab=N` on an importer goes on to all it imports, so that a reload gets fresh modules. */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const tab = /[?&]tab=\d+/.exec(context.parentURL ?? "");
  if (tab && resolved.url.startsWith("file:") && !resolved.url.includes("tab=")) return { ...resolved, url: `${resolved.url}?${tab[0].slice(1)}` };
  return resolved;
}

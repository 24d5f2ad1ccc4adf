/** Names in one convention turned into another; wire names are split at whatever is no letter or digit. */

export function pascalCase(name: string): string {
  return words(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}

/** Words in capitals are not acronyms to us: `NOT_PAIRED` is "not paired". */
function words(name: string): readonly string[] {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word));
}

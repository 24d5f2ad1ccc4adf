/**
 * Text with places to be filled: `{{name}}`. A paragraph in which something has nothing to say is left out, so that no
 * heading stands above nothing. What is filled in is never read as a template itself.
 */
const PLACE = /\{\{([A-Za-z_]+)\}\}/g;

export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values));
  return template
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => placesIn(paragraph).every((name) => known.get(name) !== ""))
    .map((paragraph) =>
      paragraph.replaceAll(PLACE, (place, name: string) => known.get(name) ?? place),
    )
    .join("\n\n");
}

export function placesIn(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map((match) => match[1] ?? "");
}

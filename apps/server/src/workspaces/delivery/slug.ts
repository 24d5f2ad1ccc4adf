const MAX_CHARACTERS = 60;

/** What is a name in every file system and for git. */
export function slugOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "");
  return plain.slice(0, MAX_CHARACTERS) || "project";
}

/**
 * What stands before the text of a SKILL.md: `name` and `description`, as https://agentskills.io/specification has them.
 * Of YAML it reads what such files are written with: one value on a line, quoted or not, or a block of lines.
 */

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const KEY = /^([A-Za-z_-]+):[ \t]*(.*)$/;
const BLOCK = /^[>|][+-]?\d?$/;

/** Undefined: the text does not begin with any. Keys are the file's own. */
export function readFrontMatter(text: string): ReadonlyMap<string, string> | undefined {
  const head = FRONT_MATTER.exec(text)?.[1];
  if (head === undefined) return undefined;
  const values = new Map<string, string>();
  const lines = head.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, key, first = ""] = KEY.exec(lines[at] ?? "") ?? [];
    if (key === undefined) continue;
    const rest: string[] = [];
    // What is indented, or empty, goes on with the value before it.
    while (/^(?:[ \t]|$)/.test(lines[at + 1] ?? "x")) rest.push(lines[++at] ?? "");
    values.set(key, valueOf(first.trim(), rest));
  }
  return values;
}

function valueOf(first: string, rest: readonly string[]): string {
  const lines = rest.map((line) => line.trim());
  if (BLOCK.test(first)) return lines.join(first.startsWith("|") ? "\n" : " ").trim();
  const whole = [first, ...lines].filter((line) => line !== "").join(" ");
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(whole)?.[1];
  if (double !== undefined) return double.replaceAll(/\\(["\\])/g, "$1");
  const single = /^'((?:[^']|'')*)'/.exec(whole)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  return whole.replace(/(?:^|[ \t])#.*$/, "").trim();
}

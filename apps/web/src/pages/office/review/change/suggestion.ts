/** A suggestion: a block in a comment that is to stand in place of the lines it is about. Pure. */
const BLOCK = /^(`{3,})suggestion[^\S\n]*\n([\s\S]*?)^\1[^\S\n]*$/m;

/** The lines that it puts there; undefined where a comment has none. */
export function suggestionIn(text: string): readonly string[] | undefined {
  const inside = BLOCK.exec(text)?.[2];
  if (inside === undefined) return undefined;
  return inside === "" ? [] : inside.replace(/\n$/, "").split("\n");
}

/** The comment with a block to change, which holds the lines as they are. */
export function withSuggestion(text: string, lines: readonly string[]): string {
  const code = lines.map((line) => line.replace(/␍$/, "")).join("\n");
  const longest = Math.max(2, ...Array.from(code.matchAll(/^`{3,}/gm), ([fence]) => fence.length));
  const fence = "`".repeat(longest + 1);
  const block = `${fence}suggestion\n${code}\n${fence}\n`;
  return text === "" ? block : `${text.replace(/\n*$/, "")}\n\n${block}`;
}

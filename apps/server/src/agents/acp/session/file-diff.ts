/** How an ACP agent changes a file, in lines: those that go with `-`, those that come with `+`. */
import type { Diff } from "@agentclientprotocol/sdk";

/** What changes, without the lines before and after that stay. */
export function describeDiff({ path, oldText, newText }: Diff): string {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  const same = (line: string, at: number): boolean => line === after[at];
  const start = countWhile(before, same);
  const rest = before.slice(start).toReversed();
  const end = countWhile(
    rest,
    (line, at) => at < after.length - start && line === after.at(-1 - at),
  );
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const isNew = (oldText ?? "") === "";
  const changes = [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)];
  return [`${isNew ? "Wrote" : "Changed"} ${path}`, ...changes].join("\n");
}

/** All of both texts, for someone who has to decide about it. */
export function wholeDiff({ oldText, newText }: Diff): string {
  return [marked("-", oldText ?? ""), marked("+", newText)]
    .filter((part) => part !== "")
    .join("\n");
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function countWhile<T>(items: readonly T[], isIt: (item: T, at: number) => boolean): number {
  const at = items.findIndex((item, index) => !isIt(item, index));
  return at === -1 ? items.length : at;
}

function marked(mark: string, text: string): string {
  return text === "" ? "" : text.replaceAll(/^/gm, `${mark} `);
}

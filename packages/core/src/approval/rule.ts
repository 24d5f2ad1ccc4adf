/**
 * What an "always" covers: in one conversation, for one agent and one tool, everything whose words fit a pattern in
 * which `*` stands for anything that does not begin another command. Without a pattern, exactly the words that were
 * asked about; a star alone covers everything.
 */
import type { Answerer } from "../answerer.ts";
import type { ApprovalSubject } from "./approval.ts";

export interface ApprovalRule {
  readonly conversationKey: string | null;
  readonly agent: string | null;
  readonly tool: string;
  readonly pattern: string;
  readonly by: Answerer;
}

export function ruleFor(
  { conversationKey, agent, tool, summary }: ApprovalSubject,
  pattern: string | null,
  by: Answerer,
): ApprovalRule {
  return { conversationKey, agent, tool, pattern: pattern ?? quoted(summary), by };
}

export function isCovered(rule: ApprovalRule, subject: ApprovalSubject): boolean {
  return (
    rule.conversationKey === subject.conversationKey &&
    rule.agent === subject.agent &&
    rule.tool === subject.tool &&
    fits(rule.pattern, subject.summary)
  );
}

/** Words as they are, stars and all. */
function quoted(words: string): string {
  return words.replaceAll(/[\\*]/g, String.raw`\$&`);
}

/** What begins another command in a shell, or sends its output elsewhere: nobody meant that by a star. */
const ANOTHER = /[;&|`<>\n\r]|\$\(/;

/** In one pass, so that no pattern makes it slow: if the first place a piece is found at will not do, no later one will. */
export function fits(pattern: string, words: string): boolean {
  if (pattern === "*") return true;
  const [first = "", ...rest] = pieces(pattern);
  const last = rest.pop();
  if (last === undefined) return words === first;
  if (!words.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = words.indexOf(piece, at);
    if (found === -1 || ANOTHER.test(words.slice(at, found))) return false;
    at = found + piece.length;
  }
  const end = words.length - last.length;
  return end >= at && words.endsWith(last) && !ANOTHER.test(words.slice(at, end));
}

/** What stands between the stars; a backslash makes the next character an ordinary one. */
function pieces(pattern: string): string[] {
  const found = [""];
  for (let at = 0; at < pattern.length; at++) {
    const isEscape = pattern[at] === "\\" && at + 1 < pattern.length;
    if (pattern[at] === "*") found.push("");
    else found[found.length - 1] += pattern[isEscape ? ++at : at] ?? "";
  }
  return found;
}

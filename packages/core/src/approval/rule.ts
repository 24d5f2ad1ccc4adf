/**
 * What an "always" covers: in one conversation, for one agent and one tool, everything whose words fit a pattern in
 * which `*` stands for anything. Without a pattern, exactly the words that were asked about.
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

/** In one pass, so that no pattern makes it slow. */
export function fits(pattern: string, words: string): boolean {
  const [first = "", ...rest] = pieces(pattern);
  const last = rest.pop();
  if (last === undefined) return words === first;
  if (!words.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = words.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return words.length - last.length >= at && words.endsWith(last);
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

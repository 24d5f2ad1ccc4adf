/** What a hook prints for its program: a verdict, words of people, or nothing. Pure. */
import type { HookReport } from "./hook-report.ts";
import type { HookMoment, JoinedProgram } from "./program.ts";

export type PermissionVerdict =
  | { readonly behavior: "allow"; readonly updatedInput?: unknown }
  | { readonly behavior: "deny"; readonly message: string };

export type HookAnswer = Readonly<Record<string, unknown>>;

/** A program that takes words at any time asks for them, and waits. */
export const MESSAGE_WAIT = "MessageWait";

const MOMENTS: ReadonlyMap<string, HookMoment> = new Map([
  ["PostToolUse", "tool-result"],
  ["Stop", "turn-end"],
  ["UserPromptSubmit", "prompt"],
  [MESSAGE_WAIT, "at-once"],
]);

/** The moment of an event at which the program takes words; undefined where it takes none. */
export function momentOf({ moments }: JoinedProgram, event: string): HookMoment | undefined {
  const moment = MOMENTS.get(event);
  return moment !== undefined && moments[moment] !== undefined ? moment : undefined;
}

export function verdictAnswer(
  { verdictShape }: JoinedProgram,
  verdict: PermissionVerdict,
): HookAnswer {
  if (verdictShape === "plain") return verdict;
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: verdict } };
}

export function messageAnswer(
  { program, hookName }: Pick<HookReport, "program" | "hookName">,
  moment: HookMoment,
  text: string,
): HookAnswer {
  const shape = program.moments[moment];
  if (shape === "reason") return { decision: "block", reason: text };
  if (shape === "text") return { text };
  if (shape === "plain-context") return { additionalContext: text };
  return { hookSpecificOutput: { hookEventName: hookName, additionalContext: text } };
}

/** What a hook prints for its program: a verdict, words of people, or nothing. Pure. */
import type { HookMoment, JoinedProgram } from "./program.ts";

export type PermissionVerdict =
  | { readonly behavior: "allow"; readonly updatedInput?: unknown }
  | { readonly behavior: "deny"; readonly message: string };

export type HookAnswer = Readonly<Record<string, unknown>>;

const EVENTS: Readonly<Record<HookMoment, string>> = {
  "tool-result": "PostToolUse",
  "turn-end": "Stop",
  prompt: "UserPromptSubmit",
};

const MOMENTS: ReadonlyMap<string, HookMoment> = new Map([
  ["PostToolUse", "tool-result"],
  ["Stop", "turn-end"],
  ["UserPromptSubmit", "prompt"],
]);

/** The moment of an event at which the program takes words; undefined where it takes none. */
export function momentOf({ moments }: JoinedProgram, event: string): HookMoment | undefined {
  const moment = MOMENTS.get(event);
  return moment !== undefined && moments[moment] !== undefined ? moment : undefined;
}

export function verdictAnswer({ id }: JoinedProgram, verdict: PermissionVerdict): HookAnswer {
  if (id === "copilot") return verdict;
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: verdict } };
}

export function messageAnswer(
  { moments }: JoinedProgram,
  moment: HookMoment,
  text: string,
): HookAnswer {
  if (moments[moment] === "reason") return { decision: "block", reason: text };
  return { hookSpecificOutput: { hookEventName: EVENTS[moment], additionalContext: text } };
}

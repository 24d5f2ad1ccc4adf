/** Asks people whether Claude Code may use one of its tools, and puts its own questions to them. */
import { readPermission, type PermissionRequest, type TurnHost } from "../../turn/agent-runtime.ts";
import { fieldsOf, listOf, textOr } from "../../turn/json-fields.ts";
import type { PermissionDecision, PermissionPrompt } from "./claude-process.ts";

const NO_ANSWER = "Nobody answered in time. Decide yourself and say what you assumed.";
/** The one tool that says of itself what it is for. */
const SHELL = "Bash";
const DESCRIPTION = "description";

export async function decide(
  host: TurnHost,
  wanted: PermissionPrompt,
  signal: AbortSignal,
): Promise<PermissionDecision> {
  if (wanted.tool === "AskUserQuestion") return putQuestions(host, wanted.input);
  const answer = await host.requestPermission(requestOf(wanted), signal);
  const { permission, note } = readPermission(answer);
  switch (permission) {
    case "allowed":
      return { behavior: "allow" };
    case "denied":
      return deny(
        note === undefined
          ? "A person denied this. Do not try to do it in another way; go on without it or ask what to do instead."
          : `A person denied this and said: ${note}`,
      );
    case "expired":
      return deny(
        "Nobody answered the permission request in time, so it was not allowed. Go on without it, or say what you need.",
      );
  }
}

/**
 * All of the input is asked for, and what is always allowed is all of it. Only what a model says about a command, worded
 * anew each time, is no part of what is done.
 */
export function requestOf({ tool, input, description, cwd }: PermissionPrompt): PermissionRequest {
  const { [DESCRIPTION]: comment, ...done } = fieldsOf(input);
  const hasComment = tool === SHELL && typeof comment === "string";
  const details = description ?? (hasComment ? comment : undefined);
  return {
    tool,
    input: hasComment ? done : input,
    ...(details !== undefined && details !== "" && { details }),
    ...(cwd !== undefined && { cwd }),
  };
}

async function putQuestions(host: TurnHost, input: unknown): Promise<PermissionDecision> {
  const answers = new Map<string, string>();
  for (const question of listOf(fieldsOf(input)["questions"])) {
    const text = textOr(question["question"], "");
    const options = listOf(question["options"]).map((option) => textOr(option["label"], ""));
    const answer = await host.ask({ text, options });
    if (answer === null) return deny(NO_ANSWER);
    answers.set(text, answer);
  }
  return { behavior: "allow", input: { ...fieldsOf(input), answers: Object.fromEntries(answers) } };
}

function deny(message: string): PermissionDecision {
  return { behavior: "deny", message };
}

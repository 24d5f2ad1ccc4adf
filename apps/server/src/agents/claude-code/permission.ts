/** Asks people whether Claude Code may use one of its tools, and puts its own questions to them. */
import type { PermissionRequest, TurnHost } from "../agent-runtime.ts";
import { readPermission } from "../permission-answer.ts";
import type { Decision, WantedPermission } from "./claude-process.ts";
import { fieldsOf, listOf, textOr, type Fields } from "./json-fields.ts";

/** What a tool does is in one of these, as a rule. */
const TELLING = [
  "command",
  "file_path",
  "notebook_path",
  "url",
  "query",
  "pattern",
  "prompt",
] as const;

export async function decide(
  host: TurnHost,
  wanted: WantedPermission,
  signal: AbortSignal,
): Promise<Decision> {
  if (wanted.tool === "AskUserQuestion") return putQuestions(host, wanted.input);
  const answer = await host.requestPermission(requestOf(wanted), signal);
  const { permission, note } = readPermission(answer);
  switch (permission) {
    case "allowed":
      return { behavior: "allow" };
    case "denied":
      return deny(
        note === undefined
          ? "A person was asked and said no. Do not try it in another way."
          : `A person was asked and said no: ${note}`,
      );
    case "expired":
      return deny("Nobody answered in time, so this may not be done now.");
  }
}

function requestOf({ tool, input, description }: WantedPermission): PermissionRequest {
  const said: Fields = description === undefined ? {} : { description };
  const fields: Fields = { ...fieldsOf(input), ...said };
  const telling = TELLING.find((name) => typeof fields[name] === "string");
  if (telling === undefined) {
    return withDetails({ tool, summary: JSON.stringify(input) ?? "" }, said);
  }
  const { [telling]: what, ...rest } = fields;
  return withDetails({ tool, summary: textOr(what, "") }, rest);
}

/** What a model words anew each time must not decide whether an earlier "always" still fits. */
function withDetails(request: PermissionRequest, rest: Fields): PermissionRequest {
  const details = Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
  return details === "" ? request : { ...request, details };
}

async function putQuestions(host: TurnHost, input: unknown): Promise<Decision> {
  const answers = new Map<string, string>();
  for (const question of listOf(fieldsOf(input)["questions"])) {
    const text = textOr(question["question"], "");
    const options = listOf(question["options"]).map((option) => textOr(option["label"], ""));
    const answer = await host.ask({ text, options });
    if (answer === null) return deny("Nobody answered in time. Decide yourself, and say so.");
    answers.set(text, answer);
  }
  return { behavior: "allow", input: { ...fieldsOf(input), answers: Object.fromEntries(answers) } };
}

function deny(message: string): Decision {
  return { behavior: "deny", message };
}

/** Asks people whether Claude Code may use one of its tools, and puts its own questions to them. */
import type { PermissionRequest, TurnHost } from "../agent-runtime.ts";
import { readPermission } from "../permission-answer.ts";
import type { Decision, WantedPermission } from "./claude-process.ts";
import { fieldsOf, listOf, textOr } from "./json-fields.ts";

const LONGEST_SUMMARY = 2_000;
/** What a tool does is in one of these, as a rule. */
const TELLING = ["command", "file_path", "notebook_path", "url", "query", "pattern", "prompt"];

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
  const fields = fieldsOf(input);
  const telling = TELLING.map((name) => fields[name]).find((value) => typeof value === "string");
  const what = textOr(telling, JSON.stringify(input) ?? "");
  const why = description === undefined || description === what ? "" : ` (${description})`;
  const summary = `${what}${why}`;
  const isLong = summary.length > LONGEST_SUMMARY;
  return { tool, summary: isLong ? `${summary.slice(0, LONGEST_SUMMARY)}…` : summary };
}

async function putQuestions(host: TurnHost, input: unknown): Promise<Decision> {
  const answers: Record<string, string> = {};
  for (const question of listOf(fieldsOf(input)["questions"])) {
    const text = textOr(question["question"], "");
    const options = listOf(question["options"]).map((option) => textOr(option["label"], ""));
    const answer = await host.ask({ text, options });
    if (answer === null) return deny("Nobody answered in time. Decide yourself, and say so.");
    answers[text] = answer;
  }
  return { behavior: "allow", input: { ...fieldsOf(input), answers } };
}

function deny(message: string): Decision {
  return { behavior: "deny", message };
}

/** Asks people whether Claude Code may use one of its tools, and puts its own questions to them. */
import { isAbsolute } from "node:path";
import { permissionFor } from "../../process/tool-permission.ts";
import { allows, staysIn, type PresetPlace } from "../../process/workspace-preset.ts";
import { readPermission, type TurnHost } from "../../turn/agent-runtime.ts";
import { fieldsOf, listOf, textIn, textOr } from "../../turn/json-fields.ts";
import type { PermissionDecision, PermissionPrompt } from "./claude-process.ts";

const NO_ANSWER = "Nobody answered in time. Decide yourself and say what you assumed.";

export async function decide(
  host: TurnHost,
  wanted: PermissionPrompt,
  signal: AbortSignal,
  place?: PresetPlace,
): Promise<PermissionDecision> {
  if (wanted.tool === "AskUserQuestion") return putQuestions(host, wanted.input);
  if (await isUnasked(wanted, place)) return { behavior: "allow" };
  const answer = await host.requestPermission(permissionFor(wanted), signal);
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

/** By its tool, what it calls the file that it changes. */
const CHANGED_FILE: ReadonlyMap<string, string> = new Map([
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["Write", "file_path"],
  ["NotebookEdit", "notebook_path"],
]);

/** Commands that a preset allows it does not ask about: whether one is in its sandbox only it knows. */
async function isUnasked(
  { tool, input }: PermissionPrompt,
  place: PresetPlace | undefined,
): Promise<boolean> {
  if (place === undefined || !allows(place.preset, "change")) return false;
  const path = textIn(fieldsOf(input), CHANGED_FILE.get(tool) ?? "");
  return path !== undefined && isAbsolute(path) && staysIn(place.folder, [path]);
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

/** How a need is answered by one press: which command goes out, and whether the list shows enough of it for that. Pure. */
import type { Texts } from "../../../i18n/texts.ts";
import type { SentCommand } from "../../../world/world.ts";
import { choiceText } from "../text/event-text.ts";
import type { View } from "../view/view.ts";
import type { Need } from "./needs.ts";

export interface NeedAnswer {
  readonly label: string;
  /** The keys that give it, as shown and as pressed. */
  readonly keys: readonly string[];
  readonly command: SentCommand;
}

export function answersTo(need: Need, words: Texts): readonly NeedAnswer[] {
  const { kind, projectId, artifactId, version, taskId, decisionId, options } = need;
  switch (kind) {
    case "handout":
      return [yes(words.handOut, { name: "auto_assign", data: { project_id: projectId } })];
    case "review":
      return artifactId === undefined || version === undefined
        ? []
        : [
            yes(words.approve, {
              name: "approve_artifact",
              data: { artifact_id: artifactId, expected_version: version },
            }),
          ];
    case "failure":
      return taskId === undefined
        ? []
        : [yes(words.retry, { name: "rerun_task", data: { task_id: taskId } })];
    case "delivery":
      return [
        yes(words.work.deliver, { name: "deliver_project", data: { project_id: projectId } }),
      ];
    case "planning":
      return [yes(words.retry, { name: "start_kickoff", data: { project_id: projectId } })];
    case "permission":
    case "question":
    case "budget":
    case "plan":
      return decisionId === undefined
        ? []
        : options.map((choice, at) => choose(need, { choice, at, decisionId }, words));
  }
}

/** What is asked in more than this is only begun in the list. */
const MAX_WHOLE_CHARS = 160;
const MAX_LINES_WHOLE = 4;

/** Whether the list shows all that one must know to answer. A permission never is: it is read where it stands whole. */
export function isWholeInList({ kind, title }: Need): boolean {
  if (kind === "permission" || kind === "review") return false;
  return title.length <= MAX_WHOLE_CHARS && title.split("\n").length <= MAX_LINES_WHOLE;
}

const YES = /^(?:allow|yes|approve|continue|go on)\b/i;
const NO = /^(?:deny|no|stop|cancel)\b/i;
/** What holds for ever is chosen with its reach, by hand. */
const ALWAYS = /^always\b/i;

/** Yes and no are what says so, never a place in the list: a slip of a key must not allow for ever. */
function choose(
  { kind, options }: Need,
  { choice, at, decisionId }: { choice: string; at: number; decisionId: string },
  words: Texts,
): NeedAnswer {
  const isFirst = (pattern: RegExp): boolean =>
    options.findIndex((each) => pattern.test(each)) === at;
  const letters = [...(isFirst(YES) ? ["Y"] : []), ...(isFirst(NO) ? ["N"] : [])];
  const isForever = kind === "permission" && ALWAYS.test(choice);
  const keys = isForever ? [] : [...letters, ...(at < 9 ? [String(at + 1)] : [])];
  const data = { decision_id: decisionId, choice };
  return {
    label: choiceText(kind, choice, words),
    keys,
    command: { name: "resolve_decision", data },
  };
}

/** With what was given for reading all of it, where that is asked for. */
export function withReceipt(command: SentCommand, receipt: string | undefined): SentCommand {
  if (command.name !== "resolve_decision" || receipt === undefined) return command;
  return { name: command.name, data: { ...command.data, seen: receipt } };
}

function yes(label: string, command: SentCommand): NeedAnswer {
  return { label, keys: ["Y"], command };
}

/** Where one looks at it closely. */
export function viewOf({ kind, artifactId, taskId, decisionId, projectId }: Need): View {
  if (kind === "handout") return { kind: "plan", id: projectId };
  if (kind === "delivery") return { kind: "project", id: projectId };
  if (kind === "planning") return { kind: "project", id: projectId };
  if (kind === "review" && artifactId !== undefined) return { kind: "artifact", id: artifactId };
  if (kind === "failure" && taskId !== undefined) return { kind: "task", id: taskId };
  if (decisionId !== undefined) return { kind: "decision", id: decisionId };
  return { kind: "panel", name: "board" };
}

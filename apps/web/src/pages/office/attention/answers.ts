/** How a need is answered by one press: which command goes out. Pure. */
import type { Words } from "../../../words/catalogue.ts";
import type { Asked } from "../../../world/world.ts";
import type { View } from "../view.ts";
import type { Need } from "./needs.ts";

export interface Answer {
  readonly label: string;
  /** The keys that give it, as shown and as pressed. */
  readonly keys: readonly string[];
  readonly command: Asked;
}

export function answersTo(need: Need, words: Words): readonly Answer[] {
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
    case "permission":
    case "question":
    case "budget":
    case "plan":
      return decisionId === undefined
        ? []
        : options.map((choice, at) => choose(need, choice, at, decisionId));
  }
}

const YES = /^(?:allow|yes|approve|continue|go on)\b/i;
const NO = /^(?:deny|no|stop|cancel)\b/i;

/** Yes and no are what says so, never a place in the list: a slip of a key must not allow for ever. */
function choose({ options }: Need, choice: string, at: number, decisionId: string): Answer {
  const isFirst = (pattern: RegExp): boolean =>
    options.findIndex((each) => pattern.test(each)) === at;
  const letters = [...(isFirst(YES) ? ["Y"] : []), ...(isFirst(NO) ? ["N"] : [])];
  const keys = [...letters, ...(at < 9 ? [String(at + 1)] : [])];
  const data = { decision_id: decisionId, choice };
  return { label: choice, keys, command: { name: "resolve_decision", data } };
}

function yes(label: string, command: Asked): Answer {
  return { label, keys: ["Y"], command };
}

/** Where one looks at it closely. */
export function viewOf({ kind, artifactId, taskId, decisionId }: Need): View {
  if (kind === "review" && artifactId !== undefined) return { kind: "artifact", id: artifactId };
  if (kind === "failure" && taskId !== undefined) return { kind: "task", id: taskId };
  if (decisionId !== undefined) return { kind: "decision", id: decisionId };
  return { kind: "panel", name: "board" };
}

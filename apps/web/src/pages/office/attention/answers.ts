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
  const { kind, projectId, artifactId, taskId, decisionId, options } = need;
  switch (kind) {
    case "handout":
      return [yes(words.handOut, { name: "auto_assign", data: { project_id: projectId } })];
    case "review":
      return artifactId === undefined
        ? []
        : [yes(words.approve, { name: "approve_artifact", data: { artifact_id: artifactId } })];
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

/** Yes is the first choice and no the last, where there are such. */
function choose({ kind, options }: Need, choice: string, at: number, decisionId: string): Answer {
  const isVerdict = kind !== "question";
  const letter = at === 0 ? "Y" : at === options.length - 1 ? "N" : undefined;
  const keys = [
    ...(isVerdict && letter !== undefined ? [letter] : []),
    ...(at < 9 ? [String(at + 1)] : []),
  ];
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

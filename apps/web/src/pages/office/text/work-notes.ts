/** How a task stands besides its status: what it waits for, how its checks went, whether its change is merged. Pure. */
import type { Snapshot } from "@atrium/client";
import type { WorldArtifact, WorldTask } from "@atrium/wire/world";
import type { Texts } from "../../../i18n/texts.ts";
import type { ChipTone } from "../../../ui/controls.tsx";

export interface WorkNote {
  readonly text: string;
  readonly tone?: ChipTone;
}

export function workNotes(
  task: WorldTask,
  snapshot: Pick<Snapshot, "tasks" | "artifacts">,
  words: Pick<Texts, "plan" | "work">,
): readonly WorkNote[] {
  const change = changeOf(task.task_id, snapshot.artifacts);
  const notes = [
    waitNote(task, snapshot.tasks, words),
    checksNote(task, change, words),
    landingNote(change, words),
  ];
  return notes.filter((note) => note !== undefined);
}

/** What the task has made, where that is a change of files. */
export function changeOf(
  taskId: string,
  artifacts: readonly WorldArtifact[],
): WorldArtifact | undefined {
  return artifacts.findLast(({ task_id, change }) => task_id === taskId && change !== undefined);
}

/** The numbers they have in the plan of the task. */
function numbersIn(
  ids: readonly string[],
  { project_id: projectId }: WorldTask,
  tasks: readonly WorldTask[],
): string {
  const plan = tasks.filter(({ project_id }) => project_id === projectId);
  return ids
    .map((id) => plan.findIndex(({ task_id }) => task_id === id) + 1)
    .filter((number) => number > 0)
    .toSorted((a, b) => a - b)
    .join(", ");
}

function waitNote(
  task: WorldTask,
  tasks: readonly WorldTask[],
  { plan: words }: Pick<Texts, "plan">,
): WorkNote | undefined {
  const { waiting_for: waiting = [], status } = task;
  if (waiting.length === 0 || (status !== "planned" && status !== "assigned")) return undefined;
  return { text: words.waits(numbersIn(waiting, task, tasks)) };
}

function checksNote(
  { is_checking }: WorldTask,
  change: WorldArtifact | undefined,
  { work: words }: Pick<Texts, "work">,
): WorkNote | undefined {
  if (is_checking === true) return { text: words.checks.running };
  const state = change?.checks?.state;
  if (state === undefined) return undefined;
  const tone = state === "running" ? undefined : state === "passed" ? "good" : "bad";
  return { text: words.checks[state], tone };
}

const LANDING_TONES: Partial<Record<NonNullable<WorldArtifact["landing"]>, ChipTone>> = {
  landed: "good",
  conflicted: "bad",
};

function landingNote(
  change: WorldArtifact | undefined,
  { work: words }: Pick<Texts, "work">,
): WorkNote | undefined {
  const landing = change?.landing;
  return landing && { text: words.landing[landing], tone: LANDING_TONES[landing] };
}

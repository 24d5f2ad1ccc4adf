/** What the front desk says about a project, and what it suggests to do next. */
import type { Artifact, Project, SuggestedAction, Task } from "@atrium/core";

export interface Line {
  readonly text: string;
  readonly actions: readonly SuggestedAction[];
}

type About = Pick<SuggestedAction, "taskId" | "artifactId">;

const action = (name: string, label: string, about: About = {}): SuggestedAction => {
  return { action: name, label, ...about };
};

export function plannedLine({ title, tasks, summary, decisions }: Project): Line {
  const count = tasks.length === 1 ? "one task" : `${tasks.length} tasks`;
  const about = summary === null || summary === "" ? "" : ` ${summary}`;
  const isAsked = decisions.some(({ status }) => status === "open");
  return {
    text: `I broke “${title}” into ${count}.${about} Shall I hand them out?`,
    actions: [
      action("auto_assign", "Auto-assign tasks"),
      action("open_task_board", "Review tasks"),
      ...(isAsked ? [action("clarify", "Answer a question")] : []),
    ],
  };
}

export function reviewLine({ title }: Task, artifacts: readonly Artifact[]): Line {
  const names = artifacts.map(({ name }) => name).join(", ");
  const artifactId = artifacts[0]?.artifactId;
  return {
    text: `“${title}” is on the shelf: ${names}. Please have a look.`,
    actions: [action("open_review", "Review it", artifactId === undefined ? {} : { artifactId })],
  };
}

export function failedTaskLine({ title, taskId }: Task, reason: string): Line {
  return {
    text: `“${title}” did not work out: ${reason}`,
    actions: [
      action("rerun_task", "Try again", { taskId }),
      action("open_task_board", "Look at the tasks"),
    ],
  };
}

export function failedPlanLine({ title }: Project, reason: string): Line {
  return {
    text: `I could not plan “${title}”: ${reason}`,
    actions: [action("start_kickoff", "Try again")],
  };
}

export function completedLine({ title, tasks }: Project): Line {
  const done = tasks.filter(({ status }) => status === "done").length;
  return {
    text: `“${title}” is done: ${done} of ${tasks.length} tasks approved. It has its place on the trophy shelf.`,
    actions: [],
  };
}

/**
 * What the front desk says about a project, and what it suggests to do next. The page knows these sentences and shows them
 * in its own language (`desk-text.ts` in apps/web).
 */
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
  const count = tasks.length === 1 ? "1 task" : `${tasks.length} tasks`;
  const about = summary === null || summary === "" ? "" : ` ${summary}`;
  const isAsked = decisions.some(({ status }) => status === "open");
  return {
    text: `I split “${title}” into ${count}.${about} Should I assign them?`,
    actions: [
      action("auto_assign", "Auto-assign tasks"),
      action("open_task_board", "Show the tasks"),
      ...(isAsked ? [action("clarify", "Answer a question")] : []),
    ],
  };
}

export function reviewLine({ title }: Task, artifacts: readonly Artifact[]): Line {
  const names = artifacts.map(({ name }) => name).join(", ");
  const artifactId = artifacts[0]?.artifactId;
  return {
    text: `“${title}” is ready for review: ${names}.`,
    actions: [
      action("open_review", "Review the result", artifactId === undefined ? {} : { artifactId }),
    ],
  };
}

export function failedTaskLine({ title, taskId }: Task, reason: string): Line {
  return {
    text: `“${title}” failed: ${reason}`,
    actions: [
      action("rerun_task", "Retry the task", { taskId }),
      action("open_task_board", "Show the tasks"),
    ],
  };
}

export function failedPlanLine({ title }: Project, reason: string): Line {
  return {
    text: `I could not plan “${title}”: ${reason}`,
    actions: [action("start_kickoff", "Retry the planning")],
  };
}

export function completedLine({ title, tasks }: Project): Line {
  const done = tasks.filter(({ status }) => status === "done").length;
  return {
    text: `“${title}” is complete: ${done} of ${tasks.length} tasks are approved. Its trophy is on the trophy shelf.`,
    actions: [],
  };
}

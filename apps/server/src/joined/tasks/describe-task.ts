/** A task in words for the model of a joined session. Pure. */
import type { Project, Task } from "@atrium/core";
import type { Turn } from "../../agents/turn/agent-runtime.ts";
import { titleOf } from "../../platform/clean-text.ts";

const HOW = [
  "Change files only in that folder: `cd` there first, and name it in every command.",
  "While you work, call report_progress now and then. When it is finished, call hand_over_task with a short summary; if you cannot do it, call release_task with the reason.",
];

/** All that an agent of Atrium would be told. */
export function describeTurn({ briefing, prompt, context }: Turn): string {
  const parts = [briefing, ...HOW, context, prompt];
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

export function describeOpenTask({ title: of }: Project, task: Task): string {
  const { taskId, title, description, kind, accept } = task;
  const wanted = accept.map((each) => `- ${each}`);
  const head = `${taskId}: ${title} (project “${titleOf(of)}”, yields a ${kind})`;
  return [head, description, ...wanted].filter((line) => line !== "").join("\n");
}

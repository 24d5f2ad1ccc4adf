/** A plan in people's hands: tasks added, reworded, removed, put in another order. */
import { accept, refuse, type Outcome, type Projects } from "@atrium/core";
import { cleanText, titleOf } from "../../../platform/clean-text.ts";
import type { CommandHandlers } from "./command-context.ts";
import { createSend, type SendDeps } from "./send-to-project.ts";

export interface PlanEditDeps extends SendDeps {
  readonly projects: Pick<Projects, "get" | "ofTask">;
}

type PlanCommands = Pick<
  CommandHandlers,
  "add_task" | "edit_task" | "remove_task" | "reorder_tasks"
>;

export function createPlanCommands(deps: PlanEditDeps): PlanCommands {
  const send = createSend(deps);

  const ofTask = (taskId: string): Outcome<string> => {
    const found = deps.projects.ofTask(taskId);
    return found === undefined ? refuse("task.missing", taskId) : accept(found.project.projectId);
  };

  return {
    add_task(data, context) {
      const { project_id, before = null, after = [], role = "", description = "" } = data;
      const draft = {
        ...wordsOf(data),
        title: titleOf(cleanText(data.title)),
        description: cleanText(description),
        role: cleanText(role) || null,
      };
      const command = { type: "add-task", draft, after, before, by: context.by } as const;
      return send(accept(project_id), command, data, context);
    },
    edit_task(data, context) {
      const { task_id: taskId, title, description, role, after } = data;
      const changes = {
        ...wordsOf(data),
        ...(title !== undefined && { title: titleOf(cleanText(title)) }),
        ...(description !== undefined && { description: cleanText(description) }),
        ...(role !== undefined && { role: cleanText(role) || null }),
        ...(after !== undefined && { after: [...new Set(after)] }),
      };
      const command = { type: "edit-task", taskId, changes, by: context.by } as const;
      return send(ofTask(taskId), command, data, context);
    },
    remove_task(data, context) {
      const { task_id: taskId } = data;
      const command = { type: "remove-task", taskId, by: context.by } as const;
      return send(ofTask(taskId), command, data, context);
    },
    reorder_tasks(data, context) {
      const { project_id, task_ids: taskIds } = data;
      const command = { type: "reorder-tasks", taskIds, by: context.by } as const;
      return send(accept(project_id), command, data, context);
    },
  };
}

type Words = Pick<Parameters<PlanCommands["edit_task"]>[0], "accept" | "verify" | "kind">;

function wordsOf({ accept: criteria, verify, kind }: Words): Words {
  return {
    ...(criteria !== undefined && { accept: criteria.map(cleanText) }),
    ...(verify !== undefined && { verify: verify.map(cleanText) }),
    ...(kind !== undefined && { kind }),
  };
}

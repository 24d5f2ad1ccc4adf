/** Hands a plan out: as the server proposes, or task by task where a person has chosen someone else. */
import type { WorldProject, WorldTask } from "@atrium/wire/world";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import type { People } from "./proposals.ts";

export interface StartedPlan {
  readonly project: WorldProject;
  readonly waiting: readonly WorldTask[];
  readonly proposed: People;
  readonly chosen: People;
}

/** Resolves with whether all of it was taken; why not is said to the person. */
export function useStartWork(): (plan: StartedPlan) => Promise<boolean> {
  const send = useSendCommand();
  return async ({ project: { project_id }, waiting, proposed, chosen }) => {
    const isChanged = waiting.some(
      ({ task_id }) => (chosen.get(task_id) ?? proposed.get(task_id)) !== proposed.get(task_id),
    );
    // The same people, chosen in one step.
    if (!isChanged) return send({ name: "auto_assign", data: { project_id } });
    for (const { task_id } of waiting) {
      const agent_id = chosen.get(task_id) ?? proposed.get(task_id);
      if (agent_id === undefined) continue;
      if (!(await send({ name: "assign_task", data: { task_id, agent_id } }))) return false;
    }
    return true;
  };
}

import type { WorldAgent } from "@atrium/wire/world";
import { useApp, useOffice } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";

/** What a dragged task is, among all that can be dragged. */
export const TASK_TYPE = "application/x-atrium-task";

/** Visitors are looked at, not given work; of sessions in terminals, those that have the tools for it are. */
export function canBeGivenTasks({
  is_visitor: isVisitor,
  joined,
}: Pick<WorldAgent, "is_visitor" | "joined">): boolean {
  return isVisitor !== true || joined?.takes_tasks === true;
}

export type Assign = (taskId: string, agentId: string) => void;

/** Gives a task to someone, for the first time or anew. */
export function useAssign(): Assign {
  const act = useSendCommand();
  const { sendSignal } = useApp();
  const tasks = useOffice(({ snapshot }) => snapshot?.tasks);
  return (taskId, agentId) => {
    const task = tasks?.find(({ task_id }) => task_id === taskId);
    if (task === undefined || task.assignee === agentId) return;
    const name = task.assignee === undefined ? "assign_task" : "reassign_task";
    sendSignal({ type: "user.move", payload: { entityId: taskId, toSlot: agentId } });
    void act({ name, data: { task_id: taskId, agent_id: agentId } });
  };
}

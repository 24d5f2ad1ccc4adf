import { useApp, useOffice } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";

/** What a dragged task is, among all that can be dragged. */
export const TASK_TYPE = "application/x-atrium-task";

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

import { useMemo } from "react";
import { useAct } from "../../../shell/act.ts";
import { createAskServer } from "../../../shell/ask-server.ts";
import { useShown, useWords } from "../../../shell/house.ts";
import { browserTellSignal } from "../../../shell/tell-signal.ts";

export type Assign = (taskId: string, agentId: string) => void;

/** Gives a task to someone, for the first time or anew. */
export function useAssign(): Assign {
  const act = useAct();
  const words = useWords();
  const tell = useMemo(() => browserTellSignal(createAskServer(fetch.bind(window))), []);
  const tasks = useShown(({ snapshot }) => snapshot?.tasks);
  return (taskId, agentId) => {
    const task = tasks?.find(({ task_id }) => task_id === taskId);
    if (task === undefined || task.assignee === agentId) return;
    const name = task.assignee === undefined ? "assign_task" : "reassign_task";
    tell({ type: "user.move", payload: { entityId: taskId, toSlot: agentId } });
    void act({ name, data: { task_id: taskId, agent_id: agentId } }, words.sent);
  };
}

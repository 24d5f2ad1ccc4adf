/**
 * A task dragged by mouse onto someone in the picture. What is dropped beside people goes back to where it was.
 *
 * Keys have the list of the team for this, which says whom; so the picture is no place to drop for the library that drags,
 * whose places to drop look only once when they are entered.
 */
import { useEffect, useRef, type RefObject } from "react";
import { useCanAct, useOffice } from "../../../app/app.ts";
import { canBeGivenTasks, TASK_TYPE, useAssign } from "./assign.ts";
import { useReceivers } from "./receivers.ts";

export function useStageDrops(stage: RefObject<HTMLElement | null>): void {
  const receivers = useReceivers();
  const assign = useAssign();
  const canAct = useCanAct();
  const agents = useOffice(({ snapshot }) => snapshot?.agents);
  const latest = useRef({ assign, agents });
  latest.current = { assign, agents };
  useEffect(() => {
    const element = stage.current;
    if (element === null || !canAct) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    const look = (event: DragEvent): string | undefined => {
      if (event.dataTransfer?.types.includes(TASK_TYPE) !== true) return undefined;
      const id = receivers.agentAt(event);
      const agent = latest.current.agents?.find(({ agent_id }) => agent_id === id);
      return agent !== undefined && canBeGivenTasks(agent) ? agent.agent_id : undefined;
    };
    const over = (event: DragEvent): void => {
      const id = look(event);
      receivers.mark(id);
      if (id !== undefined) event.preventDefault();
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) {
        receivers.mark(undefined);
      }
    };
    const drop = (event: DragEvent): void => {
      const id = look(event);
      receivers.mark(undefined);
      if (id === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current.assign(event.dataTransfer?.getData(TASK_TYPE) ?? "", id);
    };
    element.addEventListener("dragenter", over, { signal });
    element.addEventListener("dragover", over, { signal });
    element.addEventListener("dragleave", leave, { signal });
    element.addEventListener("drop", drop, { signal });
    return () => ending.abort();
  }, [stage, receivers, canAct]);
}

/** The people a task can be given to: as places to drop it, and as a plain list. */
import type { WorldAgent, WorldTask } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { GridList, GridListItem, useDragAndDrop, type TextDropItem } from "react-aria-components";
import { useCanAct, useShown, useWords } from "../../../shell/house.ts";
import { Swatch } from "../swatch.tsx";
import type { Assign } from "./assign.ts";
import { isGivable } from "./columns.ts";

export const TASK_TYPE = "application/x-atrium-task";

export function BoardTeam({ assign }: { readonly assign: Assign }): ReactNode {
  const words = useWords();
  const team = useTeam();
  const { dragAndDropHooks } = useDragAndDrop({
    acceptedDragTypes: [TASK_TYPE],
    getDropOperation: () => "move",
    onItemDrop({ items, target }) {
      const drop = async (item: TextDropItem): Promise<void> =>
        assign(await item.getText(TASK_TYPE), String(target.key));
      for (const item of items) if (item.kind === "text") void drop(item);
    },
    shouldAcceptItemDrop: () => true,
  });
  return (
    <GridList
      aria-label={words.boardAgents}
      items={team}
      dragAndDropHooks={dragAndDropHooks}
      className="team"
      layout="grid"
    >
      {(agent) => (
        <GridListItem id={agent.agent_id} textValue={agent.name} className="team-member">
          <Swatch agentId={agent.agent_id} />
          {agent.name}
        </GridListItem>
      )}
    </GridList>
  );
}

interface AgentSelectProps {
  readonly task: WorldTask;
  readonly assign: Assign;
}

export function AgentSelect({ task, assign }: AgentSelectProps): ReactNode {
  const words = useWords();
  const canAct = useCanAct();
  const team = useTeam();
  const { task_id: taskId, assignee, title } = task;
  return (
    <select
      className="agent-select"
      aria-label={`${words.boardAssignTo}: ${title}`}
      value={assignee ?? ""}
      disabled={!canAct || !isGivable(task)}
      onChange={({ target }) => assign(taskId, target.value)}
    >
      {assignee === undefined && <option value="">{words.boardNobody}</option>}
      {team.map(({ agent_id, name }) => (
        <option key={agent_id} value={agent_id}>
          {name}
        </option>
      ))}
    </select>
  );
}

const NOBODY: readonly WorldAgent[] = [];

/** Visitors are looked at, not given work. */
function useTeam(): readonly WorldAgent[] {
  const agents = useShown(({ snapshot }) => snapshot?.agents) ?? NOBODY;
  return agents.filter(({ is_visitor }) => is_visitor !== true);
}

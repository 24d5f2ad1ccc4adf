/** The people a task can be given to: as places to drop it, and as a plain list. */
import type { WorldAgent, WorldTask } from "@atrium/wire/world";
import { useMemo, useState, type ReactNode } from "react";
import { GridList, GridListItem, useDragAndDrop, type TextDropItem } from "react-aria-components";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { canBeGivenTasks, TASK_TYPE, type Assign } from "../assigning/assign.ts";
import { Swatch } from "../text/swatch.tsx";
import { isGivable } from "./columns.ts";

export function BoardTeam({ assign }: { readonly assign: Assign }): ReactNode {
  const words = useTexts();
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
          <Swatch agentId={agent.agent_id} look={agent.look} />
          <span className="team-name" dir="auto" title={agent.name}>
            {agent.name}
          </span>
        </GridListItem>
      )}
    </GridList>
  );
}

/** With more people than this, a card lists them when someone gets to it: hundreds of cards would list thousands. */
const MAX_LISTED = 30;

interface AgentSelectProps {
  readonly task: WorldTask;
  readonly assign: Assign;
}

export function AgentSelect({ task, assign }: AgentSelectProps): ReactNode {
  const words = useTexts();
  const canAct = useCanAct();
  const team = useTeam();
  const { task_id: taskId, assignee, title } = task;
  const [isReached, setReached] = useState(team.length <= MAX_LISTED);
  const listed = isReached ? team : team.filter(({ agent_id }) => agent_id === assignee);
  return (
    <select
      className="agent-select"
      onPointerEnter={() => setReached(true)}
      onFocus={() => setReached(true)}
      aria-label={`${words.boardAssignTo}: ${title}`}
      value={assignee ?? ""}
      disabled={!canAct || !isGivable(task)}
      onChange={({ target }) => assign(taskId, target.value)}
    >
      {assignee === undefined && <option value="">{words.boardNobody}</option>}
      {listed.map(({ agent_id, name }) => (
        <option key={agent_id} value={agent_id}>
          {name}
        </option>
      ))}
    </select>
  );
}

const NOBODY: readonly WorldAgent[] = [];

export function useTeam(): readonly WorldAgent[] {
  const agents = useOffice(({ snapshot }) => snapshot?.agents) ?? NOBODY;
  return useMemo(() => agents.filter(canBeGivenTasks), [agents]);
}

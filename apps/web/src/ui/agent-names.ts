/** What people call an agent, by its id or by the handle it has at the gateway and in builds. */
import { useCallback, useMemo } from "react";
import { useWorld } from "../app/app.ts";

export interface CrewName {
  readonly agentId: string;
  readonly handle: string;
  readonly name: string;
}

interface Named {
  readonly agent_id: string;
  readonly name: string;
  readonly is_visitor?: boolean;
}

const FRONT_DESK = "agent_bd";
const FRONT_HANDLE = "main";

/** Who works at the front desk is called `main`, whoever it is. */
function crewNames(agents: readonly Named[]): readonly CrewName[] {
  const crew = agents.filter(({ is_visitor: isVisitor }) => isVisitor !== true);
  const front = crew.find(({ agent_id: id }) => id === FRONT_DESK) ?? crew[0];
  return crew.map((agent) => {
    const { agent_id: agentId, name } = agent;
    const handle = agent === front ? FRONT_HANDLE : agentId.replace(/^agent_/, "");
    return { agentId, handle, name };
  });
}

export function useCrewNames(): readonly CrewName[] {
  const agents = useWorld(({ snapshot }) => snapshot?.agents);
  return useMemo(() => crewNames(agents ?? []), [agents]);
}

export function useAgentName(): (idOrHandle: string) => string {
  const crew = useCrewNames();
  return useCallback(
    (wanted) =>
      crew.find(({ agentId, handle }) => agentId === wanted || handle === wanted)?.name ?? wanted,
    [crew],
  );
}

/** Whom tasks may be given to: the crew without the front desk, which has people to talk to. */
import { DEFAULT_HANDLE, type Candidate, type CrewMember, type Projects } from "@atrium/core";

const TO_DO: ReadonlySet<string> = new Set(["assigned", "in_progress", "blocked"]);

export function candidatesOf(
  crew: readonly CrewMember[],
  projects: Pick<Projects, "list">,
): readonly Candidate[] {
  const loads = new Map<string, number>();
  for (const { tasks } of projects.list()) {
    for (const { assignee, status } of tasks) {
      if (assignee === null || !TO_DO.has(status)) continue;
      loads.set(assignee, (loads.get(assignee) ?? 0) + 1);
    }
  }
  const others = crew.filter(({ handle }) => handle !== DEFAULT_HANDLE);
  return (others.length > 0 ? others : crew).map(({ id, role }) => ({
    agentId: id,
    role,
    load: loads.get(id) ?? 0,
  }));
}

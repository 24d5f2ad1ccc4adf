/** Who should do what: the least busy of those whose role fits, else the least busy of all. */
import type { Candidate } from "../model/commands.ts";
import type { Task } from "../model/entities.ts";

export interface Assignment {
  readonly taskId: string;
  readonly agentId: string;
}

export function assignAll(
  tasks: readonly Pick<Task, "taskId" | "role">[],
  candidates: readonly Candidate[],
): readonly Assignment[] {
  const loads = new Map(candidates.map(({ agentId, load }) => [agentId, load]));
  return tasks.flatMap(({ taskId, role }) => {
    const fitting = candidates.filter((candidate) => fits(role, candidate.role));
    const [chosen] = (fitting.length > 0 ? fitting : candidates).toSorted(
      (a, b) => (loads.get(a.agentId) ?? 0) - (loads.get(b.agentId) ?? 0),
    );
    if (chosen === undefined) return [];
    const { agentId } = chosen;
    loads.set(agentId, (loads.get(agentId) ?? 0) + 1);
    return [{ taskId, agentId }];
  });
}

/** `design`, `designer` and `Senior Designer` are the same trade. */
function fits(wanted: string | null, role: string): boolean {
  if (wanted === null) return false;
  const [a, b] = [stems(wanted), stems(role)];
  return a.some((word) => b.some((other) => other.startsWith(word) || word.startsWith(other)));
}

function stems(role: string): readonly string[] {
  return role
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2)
    .map((word) => word.replace(/(?:ing|er|or)$/, ""));
}

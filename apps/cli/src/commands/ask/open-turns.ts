/** What a project waits for people to say, as the latest snapshot has it. */
import type { Snapshot } from "@atrium/client";

type Decision = Snapshot["decisions"][number];
type Artifact = Snapshot["artifacts"][number];
type Project = Snapshot["projects"][number];

/** By the id under which it is answered. */
export type OpenTurn =
  | { readonly kind: "plan"; readonly id: string; readonly project: Project }
  | { readonly kind: "decision"; readonly id: string; readonly decision: Decision }
  | { readonly kind: "review"; readonly id: string; readonly artifact: Artifact };

export function openTurns(snapshot: Snapshot | null, projectId?: string): readonly OpenTurn[] {
  if (snapshot === null) return [];
  const { projects, tasks, decisions, artifacts } = snapshot;
  const isOf = (each: { readonly project_id: string }): boolean =>
    projectId === undefined || each.project_id === projectId;
  const isUnassigned = ({ project_id: id, status }: Project): boolean =>
    (status === "planned" || status === "executing") &&
    tasks.some((task) => task.project_id === id && task.status === "planned");
  return [
    ...decisions
      .filter((each) => isOf(each) && each.status === "open")
      .map((decision) => ({ kind: "decision", id: decision.decision_id, decision }) as const),
    ...projects
      .filter((each) => isOf(each) && isUnassigned(each))
      .map((project) => ({ kind: "plan", id: project.project_id, project }) as const),
    ...artifacts
      .filter((each) => isOf(each) && each.status === "delivered")
      .map((artifact) => ({ kind: "review", id: artifact.artifact_id, artifact }) as const),
  ];
}

/** Which project something belongs to, told where there is more than one it could be. Pure. */
import type { Snapshot } from "@atrium/client";

/** The project's title; undefined where there is nothing to tell apart. */
export type ProjectOf = (projectId: string) => string | undefined;

export function projectOfIn(snapshot: Pick<Snapshot, "projects"> | null): ProjectOf {
  const projects = snapshot?.projects ?? [];
  const open = projects.filter(({ ended_at }) => ended_at === undefined);
  if (open.length < 2) return () => undefined;
  const titles = new Map(projects.map(({ project_id, title }) => [project_id, title]));
  return (projectId) => titles.get(projectId);
}

export function isPausedIn(
  snapshot: Pick<Snapshot, "projects"> | null,
  projectId: string,
): boolean {
  return (
    snapshot?.projects.some(
      ({ project_id, status }) => project_id === projectId && status === "paused",
    ) === true
  );
}

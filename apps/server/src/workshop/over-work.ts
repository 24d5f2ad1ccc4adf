/** Which workspaces are no longer needed after what happened, because their task or build is over. */
import { build, idIn, project, type Builds, type Projects } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { isWorkOver } from "./work-of-run.ts";

const ENDS: ReadonlySet<string> = new Set([
  "project.task_cancelled",
  "project.task_done",
  "project.completed",
  "project.failed",
  "project.cancelled",
]);

export interface OverWorkDeps {
  readonly projects: Pick<Projects, "get" | "ofTask">;
  readonly builds: Pick<Builds, "get">;
}

export function workOverIn(deps: OverWorkDeps, entries: readonly Entry[]): ReadonlySet<string> {
  const touched = entries.flatMap(({ stream, type }) => {
    const buildId = idIn(build, stream);
    if (buildId !== undefined) return [buildId];
    const projectId = ENDS.has(type) ? idIn(project, stream) : undefined;
    const found = projectId === undefined ? undefined : deps.projects.get(projectId);
    return found?.tasks.map(({ taskId }) => taskId) ?? [];
  });
  return new Set(touched.filter((id) => isWorkOver(deps, id)));
}

/** The project's line: what was approved, brought up to date with its repository and handed to people. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { brokenGuard } from "../model/moves.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function requestUpdate(
  project: Project,
  { at, by, guards }: ProjectCommandOf<"request-update">,
): Decided {
  const broken = brokenGuard(project, guards);
  if (broken !== undefined) return broken;
  if (project.line === null) return refuse("project.unmerged", project.projectId);
  return accept(project.isUpdating ? [] : [{ type: "project.update_requested", at, by }]);
}

export function updateLine(
  project: Project,
  { at, commit, before, base }: ProjectCommandOf<"update-line">,
): Decided {
  if (!project.isUpdating) return notUpdating(project);
  return accept([{ type: "project.line_updated", at, commit, before, base }]);
}

export function refuseUpdate(
  project: Project,
  { at, reason, paths }: ProjectCommandOf<"refuse-update">,
): Decided {
  if (!project.isUpdating) return notUpdating(project);
  return accept([{ type: "project.update_failed", at, reason, paths }]);
}

export function recordDelivery(
  project: Project,
  { at, how, ref, commit, by }: ProjectCommandOf<"record-delivery">,
): Decided {
  if (project.line === null) return refuse("project.unmerged", project.projectId);
  return accept([{ type: "project.delivered", at, how, ref, commit, by }]);
}

function notUpdating({ projectId, status }: Project): Decided {
  return refuse("project.status", `${projectId} is ${status}, and nobody asked for an update`);
}

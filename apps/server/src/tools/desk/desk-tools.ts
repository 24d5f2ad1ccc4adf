/** The tools of the front desk: offered in its own talks, and nowhere else. */
import type { Tool } from "../toolbox.ts";
import { changePlanTool, type ChangePlanDeps } from "./change-plan.ts";
import { projectStatusTool, type ProjectStatusDeps } from "./project-status.ts";
import { projectsListTool, type ProjectsListDeps } from "./projects-list.ts";
import { submitRequestTool, type SubmitRequestToolDeps } from "./submit-request.ts";

export type DeskToolsDeps = ProjectsListDeps &
  ProjectStatusDeps &
  SubmitRequestToolDeps &
  ChangePlanDeps;

export function deskTools(deps: DeskToolsDeps): readonly Tool[] {
  return [
    projectsListTool(deps),
    projectStatusTool(deps),
    submitRequestTool(deps),
    changePlanTool(deps),
  ];
}

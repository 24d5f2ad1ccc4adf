/** What a suggestion of the front desk does when it is pressed; undefined when it no longer makes sense. Pure. */
import type { Snapshot } from "@atrium/client";
import type { Asked } from "../../../world/world.ts";
import type { View } from "../view.ts";

export type Move =
  | { readonly type: "open"; readonly view: View }
  | { readonly type: "act"; readonly asked: Asked };

export function suggestedMove(
  action: string,
  projectId: string | undefined,
  snapshot: Snapshot | null,
): Move | undefined {
  if (action === "open_task_board") return { type: "open", view: { kind: "panel", name: "board" } };
  const project = snapshot?.projects.find((each) => each.project_id === projectId);
  if (snapshot === null || project === undefined) return undefined;
  const { project_id } = project;
  const ofProject = <Thing extends { readonly project_id: string }>(
    things: readonly Thing[],
  ): readonly Thing[] => things.filter((each) => each.project_id === project_id);
  switch (action) {
    case "auto_assign": {
      const isWaiting = ofProject(snapshot.tasks).some(
        ({ status, assignee }) => status === "planned" && assignee === undefined,
      );
      return isWaiting
        ? { type: "act", asked: { name: "auto_assign", data: { project_id } } }
        : undefined;
    }
    case "start_kickoff":
      return project.ended_at === undefined
        ? { type: "act", asked: { name: "start_kickoff", data: { project_id } } }
        : undefined;
    case "rerun_task": {
      const failed = ofProject(snapshot.tasks).find(({ status }) => status === "failed");
      const task_id = failed?.task_id;
      return task_id === undefined
        ? undefined
        : { type: "act", asked: { name: "rerun_task", data: { task_id } } };
    }
    case "open_review": {
      const delivered = ofProject(snapshot.artifacts).find(({ status }) => status === "delivered");
      return delivered && { type: "open", view: { kind: "artifact", id: delivered.artifact_id } };
    }
    // A newer server may suggest what this page does not know.
    default:
      return undefined;
  }
}

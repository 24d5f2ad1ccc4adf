/** What a suggestion of the front desk does when it is pressed; undefined when it no longer makes sense. Pure. */
import type { Snapshot } from "@atrium/client";
import type { SuggestedAction } from "@atrium/wire/world";
import type { SentCommand } from "../../../world/world.ts";
import type { View } from "../view/view.ts";

export type Move =
  | { readonly type: "open"; readonly view: View }
  | { readonly type: "act"; readonly command: SentCommand };

export function suggestedMove(
  { action, task_id: taskId, artifact_id: artifactId, text }: Omit<SuggestedAction, "label">,
  projectId: string | undefined,
  snapshot: Snapshot | null,
): Move | undefined {
  if (action === "open_task_board") return { type: "open", view: { kind: "panel", name: "board" } };
  if (action === "submit_request" && text !== undefined) {
    return { type: "act", command: { name: "submit_request", data: { text } } };
  }
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
        ? { type: "act", command: { name: "auto_assign", data: { project_id } } }
        : undefined;
    }
    case "start_kickoff":
      return project.status === "accepted" || project.status === "failed"
        ? { type: "act", command: { name: "start_kickoff", data: { project_id } } }
        : undefined;
    case "rerun_task": {
      const failed = ofProject(snapshot.tasks).find(
        (each) => each.status === "failed" && each.task_id === (taskId ?? each.task_id),
      );
      const task_id = failed?.task_id;
      return task_id === undefined
        ? undefined
        : { type: "act", command: { name: "rerun_task", data: { task_id } } };
    }
    case "open_review": {
      const made = ofProject(snapshot.artifacts).find((each) =>
        // What was meant can be looked at also when it was reviewed; else what waits.
        artifactId === undefined ? each.status === "delivered" : each.artifact_id === artifactId,
      );
      return made && { type: "open", view: { kind: "artifact", id: made.artifact_id } };
    }
    case "clarify": {
      const open = ofProject(snapshot.decisions).find(({ status }) => status === "open");
      return open && { type: "open", view: { kind: "decision", id: open.decision_id } };
    }
    // A newer server may suggest what this page does not know.
    default:
      return undefined;
  }
}

/** What the note on a task is about, which follows from how the task stands. Pure. */
import type { WorldArtifact, WorldTask } from "@atrium/wire/world";

export function noteKind(
  taskId: string,
  status: WorldTask["status"],
  artifacts: readonly WorldArtifact[],
): "failed" | "now" | "changes" | "last" {
  switch (status) {
    case "failed":
      return "failed";
    case "in_progress":
    case "blocked":
      return "now";
    case "planned":
    case "assigned": {
      const isToChange = artifacts.some(
        (each) => each.task_id === taskId && each.status === "changes_requested",
      );
      return isToChange ? "changes" : "last";
    }
    case "in_review":
    case "done":
    case "cancelled":
      return "last";
  }
}

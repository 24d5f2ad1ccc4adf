/** What the note on a task is about, which follows from how the task stands. Pure. */
import type { WorldArtifact, WorldTask } from "@atrium/wire/world";

export function noteKind(
  taskId: string,
  status: WorldTask["status"],
  artifacts: readonly WorldArtifact[],
): "failed" | "now" | "changes" | "last" {
  if (status === "failed") return "failed";
  if (status === "in_progress" || status === "blocked") return "now";
  if (status !== "planned" && status !== "assigned") return "last";
  const isToChange = artifacts.some(
    (each) => each.task_id === taskId && each.status === "changes_requested",
  );
  return isToChange ? "changes" : "last";
}

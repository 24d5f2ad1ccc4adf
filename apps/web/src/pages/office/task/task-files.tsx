/** The files of a task: as they are, or as they were at the moment one has gone to. */
import type { WorldTask } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useOffice, useWorld } from "../../../app/app.ts";
import { ownerOfTask } from "../../../ui/workspace-files/files-http.ts";
import { FilesSection } from "../../../ui/workspace-files/files-section.tsx";
import { MomentActions } from "./moment-actions.tsx";

export function TaskFiles({ task }: { readonly task: WorldTask }): ReactNode {
  const { task_id: taskId, project_id: projectId, status } = task;
  const at = useOffice(({ past }) => past?.look.seq);
  const lastResult = useWorld(
    ({ calls }) =>
      calls.findLast(({ event }) => event.task_id === taskId && event.name === "tool_returned")
        ?.seq,
  );
  const version = `${status} ${lastResult}`;
  return (
    <FilesSection owner={ownerOfTask(projectId, taskId)} at={at} version={version}>
      <MomentActions task={task} />
    </FilesSection>
  );
}

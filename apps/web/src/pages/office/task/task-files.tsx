/** The files of a task: as they are, or as they were at the moment one has gone to. */
import type { WorldTask } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Link } from "../../../ui/link.tsx";
import { ownerOfTask } from "../../../ui/workspace-files/files-http.ts";
import { FilesSection } from "../../../ui/workspace-files/files-section.tsx";
import { useFilesVersion } from "./files-version.ts";
import { MomentActions } from "./moment-actions.tsx";

export function TaskFiles({ task }: { readonly task: WorldTask }): ReactNode {
  const { code: words } = useTexts();
  const { task_id: taskId, project_id: projectId } = task;
  const at = useOffice(({ past }) => past?.look.seq);
  const version = useFilesVersion(task);
  return (
    <FilesSection owner={ownerOfTask(projectId, taskId)} at={at} version={version}>
      <p>
        <Link to={pathOf("office", `code:${taskId}`)}>{words.beside}</Link>
      </p>
      <MomentActions task={task} />
    </FilesSection>
  );
}

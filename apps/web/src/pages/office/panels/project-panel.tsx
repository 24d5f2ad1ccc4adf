/** A project: its plan and what becomes of it; of one that could not be planned why, and the ways on. */
import type { WorldProject } from "@atrium/wire/world";
import { useState, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { pathOf } from "../../../app/route.ts";
import { Button, Chip, DetailTitle } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { DeliverySection } from "../delivery/delivery-section.tsx";
import { SureButton } from "../text/sure-button.tsx";
import { useOpen } from "../view/camera-control.ts";
import { AskForm } from "./ask-panel.tsx";

export function ProjectPanel({ projectId }: { readonly projectId: string }): ReactNode {
  const words = useTexts();
  const project = useOffice(({ snapshot }) =>
    snapshot?.projects.find(({ project_id }) => project_id === projectId),
  );
  if (project === undefined) return <p className="hint">{words.projectGone}</p>;
  const { title, status, reason } = project;
  return (
    <div className="stack">
      <div className="stack is-tight">
        <DetailTitle>{title}</DetailTitle>
        <div className="row">
          <Chip tone={status === "failed" ? "bad" : undefined}>
            {words.projectStatuses[status]}
          </Chip>
        </div>
      </div>
      {reason !== undefined && (
        <div className="stack is-tight">
          <span className="label">{words.taskNotes.failed}</span>
          <p className="as-written" dir="auto">
            {reason}
          </p>
        </div>
      )}
      {status === "failed" ? <WaysOn project={project} /> : <Work project={project} />}
    </div>
  );
}

function Work({ project }: { readonly project: WorldProject }): ReactNode {
  const { plan: words } = useTexts();
  const { project_id, summary } = project;
  return (
    <>
      {summary !== undefined && <p dir="auto">{summary}</p>}
      <p>
        <Link to={pathOf("office", `plan:${project_id}`)}>{words.open}</Link>
      </p>
      <DeliverySection project={project} />
    </>
  );
}

function WaysOn({ project }: { readonly project: WorldProject }): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const open = useOpen();
  const canAct = useCanAct();
  const [isEditing, setEditing] = useState(false);
  const { project_id, request } = project;
  const dismiss = (): Promise<boolean> =>
    act({ name: "cancel_project", data: { project_id, confirm: true } });
  if (isEditing && request !== undefined) {
    return (
      <>
        {request.attachments > 0 && <p role="note">{words.projectFiles(request.attachments)}</p>}
        <AskForm
          text={request.text}
          rules={request.rules}
          repository={project.repository}
          onAsked={() => void dismiss()}
          onCancel={() => setEditing(false)}
        />
      </>
    );
  }
  return (
    <>
      {request !== undefined && (
        <div className="stack is-tight">
          <span className="label">{words.projectAsked}</span>
          <p className="as-written" dir="auto">
            {request.text}
          </p>
        </div>
      )}
      <div className="row">
        <Button
          look="primary"
          disabled={!canAct}
          onClick={() => void act({ name: "start_kickoff", data: { project_id } })}
        >
          {words.retry}
        </Button>
        {request !== undefined && (
          <Button disabled={!canAct} onClick={() => setEditing(true)}>
            {words.editRequest}
          </Button>
        )}
        <SureButton
          label={words.dismiss}
          sureLabel={words.dismissSure}
          isDisabled={!canAct}
          onSure={() => void dismiss().then((isTaken) => isTaken && open(undefined))}
        />
      </div>
    </>
  );
}

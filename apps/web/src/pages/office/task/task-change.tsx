/** What a task must hold and how that stands: acceptance, checks with their output, and where its change has gone. */
import type { WorldArtifact, WorldTask } from "@atrium/wire/world";
import { useMemo, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { useNewest } from "../../../ui/workspace-files/use-newest.ts";
import { createReviewHttp } from "../review/change/review-http.ts";
import { ChecksList } from "../review/checks-list.tsx";
import { ConflictPaths, MergeTrouble } from "../text/merge-trouble.tsx";
import { SureButton } from "../text/sure-button.tsx";
import { changeOf } from "../text/work-notes.ts";

export function TaskChange({ task }: { readonly task: WorldTask }): ReactNode {
  const { plan: words } = useTexts();
  const change = useOffice(({ snapshot }) => changeOf(task.task_id, snapshot?.artifacts ?? []));
  const { accept = [], verify = [] } = task;
  return (
    <>
      {accept.length > 0 && (
        <section className="stack is-tight">
          <h4>{words.accept}</h4>
          <ul className="task-accept">
            {accept.map((line, at) => (
              <li key={at} dir="auto">
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
      {change?.checks === undefined && verify.length > 0 && (
        <p className="hint">
          {words.verify} <code dir="ltr">{verify.join(" · ")}</code>
        </p>
      )}
      {change?.checks !== undefined && <Checks artifact={change} />}
      {change !== undefined && <Landing task={task} artifact={change} />}
    </>
  );
}

function Checks({ artifact }: { readonly artifact: WorldArtifact }): ReactNode {
  const { review: words } = useTexts();
  const { artifact_id: artifactId, version, checks: state } = artifact;
  const http = useMemo(() => createReviewHttp(artifactId), [artifactId]);
  const checks = useNewest(`${version} ${JSON.stringify(state)}`, () => http.checks(version));
  if (checks?.ok !== true || checks.value.checks.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.checks}</h4>
      <ChecksList http={http} checks={checks.value.checks} />
    </section>
  );
}

/** What became of the last time it was to be taken back. */
const REVERTS: ReadonlySet<string> = new Set(["revert_requested", "revert_failed"]);

interface LandingProps {
  readonly task: WorldTask;
  readonly artifact: WorldArtifact;
}

function Landing({ task, artifact }: LandingProps): ReactNode {
  const { work: words } = useTexts();
  const send = useSendCommand();
  const canAct = useCanAct();
  const { artifact_id, landing } = artifact;
  const last = useWorld(
    ({ timeline }) =>
      timeline.findLast(
        ({ event }) =>
          "artifact_id" in event && event.artifact_id === artifact_id && REVERTS.has(event.name),
      )?.event,
  );
  if (landing === undefined) return null;
  return (
    <section className="stack is-tight" aria-live="polite">
      <h4>{words.landing[landing]}</h4>
      <p>{words.landingText[landing]}</p>
      {landing === "conflicted" && <Conflict task={task} artifact={artifact} />}
      {landing === "landed" && last?.name === "revert_failed" && <MergeTrouble {...last} />}
      {landing === "landed" && (
        <div className="row">
          <SureButton
            label={words.revert}
            sureLabel={words.revertSure}
            isDisabled={!canAct}
            isSmall
            onSure={() => void send({ name: "revert_artifact", data: { artifact_id } })}
          />
        </div>
      )}
    </section>
  );
}

/** Who resolves it: the agent, for as long as it may; then whoever reads this. */
function Conflict({ task, artifact: { conflicts = [] } }: LandingProps): ReactNode {
  const { work: words } = useTexts();
  const agent = useOffice(
    ({ snapshot }) => snapshot?.agents.find(({ agent_id }) => agent_id === task.assignee)?.name,
  );
  const isYours = task.status === "failed" || agent === undefined;
  return (
    <>
      <ConflictPaths paths={conflicts} />
      <p dir="auto">{isYours ? words.conflictYours : words.conflictBy(agent)}</p>
    </>
  );
}

/** One task: who has it, what is being written for it right now, what happened to it, and what came of it. */
import type { WorldProject, WorldTask } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useCanAct, useAppearance, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { pathOf } from "../../../app/route.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { Button, Chip, DetailTitle } from "../../../ui/controls.tsx";
import { sizeText } from "../../../ui/files/attached-files.ts";
import { Link } from "../../../ui/link.tsx";
import { foldProgress, type Moment } from "../../../world/moments.ts";
import { useAssign } from "../assigning/assign.ts";
import { AgentSelect } from "../board/board-team.tsx";
import { isGivable } from "../board/columns.ts";
import { AttachCommand } from "../panels/attach-command.tsx";
import { TaskStream } from "../task-stream/task-stream.tsx";
import { spentOf } from "../text/cost-text.ts";
import { namesIn, sentenceOf } from "../text/event-text.ts";
import { SureButton } from "../text/sure-button.tsx";
import { taskTone } from "../text/task-text.ts";
import { WorkChips } from "../text/work-chips.tsx";
import { noteKind } from "./note-kind.ts";
import { TaskChange } from "./task-change.tsx";
import { TaskFiles } from "./task-files.tsx";

export function TaskPanel({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useTexts();
  const task = useOffice(({ snapshot }) =>
    snapshot?.tasks.find(({ task_id }) => task_id === taskId),
  );
  if (task === undefined) return <p className="hint">{words.taskGone}</p>;
  return <TaskDetail task={task} />;
}

function TaskDetail({ task }: { readonly task: WorldTask }): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const assign = useAssign();
  const project = useProject(task);
  const { task_id: taskId, status, title, description, attempts } = task;
  const why = isGivable(task) ? undefined : notGiven(status, words);
  return (
    <div className="stack">
      <div className="stack is-tight">
        <DetailTitle>{title}</DetailTitle>
        <div className="row">
          <Chip tone={taskTone(status)}>{words.taskStatuses[status]}</Chip>
          <WorkChips task={task} />
          {project?.status === "paused" && <Chip tone="asks">{words.taskPaused}</Chip>}
          {attempts > 0 && <span className="hint">{words.taskAttempts(attempts)}</span>}
          <span className="hint">{spentOf(task, words, language)}</span>
        </div>
        {project !== undefined && (
          <p className="hint" dir="auto">
            {words.taskProject}:{" "}
            <Link to={pathOf("office", `project:${project.project_id}`)}>{project.title}</Link>
            {project.repository !== undefined &&
              ` · ${words.workshop.repository}: ${project.repository}`}
          </p>
        )}
      </div>
      <ForkNote task={task} />
      {description !== undefined && <p dir="auto">{description}</p>}
      <Note task={task} />
      <div className="row">
        <span className="label">{words.boardAssignTo}</span>
        <AgentSelect task={task} assign={assign} />
        {why !== undefined && <span className="hint">{why}</span>}
      </div>
      <TaskChange task={task} />
      <TaskStream taskId={taskId} />
      <TaskFiles task={task} />
      <Results taskId={taskId} />
      <Steps taskId={taskId} />
      {task.assignee !== undefined && <AttachCommand agentId={task.assignee} taskId={taskId} />}
      <TaskActions task={task} />
    </div>
  );
}

/** Which task's files it started from. */
function ForkNote({ task: { forked_from: origin } }: { readonly task: WorldTask }): ReactNode {
  const { workshop: words } = useTexts();
  const title = useOffice(
    ({ snapshot }) => snapshot?.tasks.find(({ task_id }) => task_id === origin?.task_id)?.title,
  );
  if (origin === undefined || title === undefined) return null;
  return (
    <p className="hint" dir="auto">
      {words.forkedFrom} <Link to={pathOf("office", `task:${origin.task_id}`)}>{title}</Link>
    </p>
  );
}

function useProject({ project_id }: WorldTask): WorldProject | undefined {
  return useOffice(({ snapshot }) =>
    snapshot?.projects.find((each) => each.project_id === project_id),
  );
}

/** What it does right now, why it failed, or what is to change: whichever the note is. */
function Note({ task: { task_id, status, note } }: { readonly task: WorldTask }): ReactNode {
  const words = useTexts();
  const artifacts = useOffice(({ snapshot }) => snapshot?.artifacts) ?? [];
  if (note === undefined) return null;
  return (
    <div className="stack is-tight">
      <span className="label">{words.taskNotes[noteKind(task_id, status, artifacts)]}</span>
      <p className="as-written" dir="auto">
        {note}
      </p>
    </div>
  );
}

/** Why it cannot be given to anyone. */
function notGiven(status: WorldTask["status"], words: Texts): string | undefined {
  const reasons: Partial<Record<typeof status, string>> = words.taskNotGiven;
  return reasons[status];
}

function Results({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const artifacts = useOffice(({ snapshot }) => snapshot?.artifacts) ?? [];
  const mine = artifacts.filter(({ task_id }) => task_id === taskId);
  if (mine.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.taskResults}</h4>
      <ul className="plain-list">
        {mine.map(({ artifact_id, name, version, status, bytes }) => (
          <li key={artifact_id} dir="auto">
            <Link to={pathOf("office", `artifact:${artifact_id}`)}>{name}</Link>{" "}
            <span className="hint">
              {words.reviewVersion} {version} · {sizeText(bytes, language)} ·{" "}
              {words.artifactStatuses[status]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MAX_STEPS = 40;

function Steps({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  const timeline = useWorld((view) => view.timeline);
  const until = useOffice(({ past }) => past?.look.seq);
  const snapshot = useOffice((shown) => shown.snapshot);
  const names = namesIn(snapshot);
  const isStep = ({ seq, event }: Moment): boolean =>
    "task_id" in event && event.task_id === taskId && seq <= (until ?? Infinity);
  const steps = foldProgress(timeline.filter(isStep)).slice(-MAX_STEPS);
  if (steps.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.taskSteps}</h4>
      <ol className="steps">
        {steps.map(({ seq, at, event }) => (
          <li key={seq}>
            <time dateTime={new Date(at).toISOString()}>
              {new Date(at).toLocaleTimeString(language)}
            </time>
            <span>{sentenceOf(event, names, words)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function TaskActions({ task }: { readonly task: WorldTask }): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const { task_id, project_id, status } = task;
  const project = useProject(task);
  if (project?.ended_at !== undefined) return null;
  const isOver = status === "done" || status === "cancelled";
  const isPaused = project?.status === "paused";
  return (
    <div className="row">
      {status === "failed" && (
        <Button
          look="primary"
          disabled={!canAct}
          onClick={() => void act({ name: "rerun_task", data: { task_id } })}
        >
          {words.retry}
        </Button>
      )}
      <Button
        disabled={!canAct}
        onClick={() =>
          void act({ name: isPaused ? "resume_project" : "pause_project", data: { project_id } })
        }
      >
        {isPaused ? words.resumeProject : words.pauseProject}
      </Button>
      {!isOver && (
        <SureButton
          label={words.taskCancel}
          sureLabel={words.taskCancelSure}
          isDisabled={!canAct}
          onSure={() => void act({ name: "cancel_task", data: { task_id, confirm: true } })}
        />
      )}
    </div>
  );
}

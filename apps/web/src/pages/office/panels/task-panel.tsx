/** One task: who has it, what is being written for it right now, what happened to it, and what came of it. */
import type { WorldTask } from "@atrium/wire/world";
import { useState, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, useChosen, useShown, useWords, useWorld } from "../../../shell/house.ts";
import { Link } from "../../../shell/link.tsx";
import { pathOf } from "../../../shell/route.ts";
import { spentOf } from "../cost-words.ts";
import { namesIn, sentenceOf } from "../event-words.ts";
import { useAssign } from "./assign.ts";
import { AgentSelect } from "./board-team.tsx";
import { TaskCalls } from "./task-calls.tsx";

export function TaskPanel({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useWords();
  const { language } = useChosen();
  const task = useShown(({ snapshot }) =>
    snapshot?.tasks.find(({ task_id }) => task_id === taskId),
  );
  const assign = useAssign();
  if (task === undefined) return <p className="hint">{words.taskGone}</p>;
  const { status, title, description, note, attempts } = task;
  return (
    <div className="stack">
      <div className="stack is-tight">
        <h3 className="detail-title">{title}</h3>
        <div className="row">
          <span className="chip" data-tone={TONES[status]}>
            {words.taskStatuses[status]}
          </span>
          {attempts > 0 && <span className="hint">{words.taskAttempts(attempts)}</span>}
          <span className="hint">{spentOf(task, words, language)}</span>
        </div>
      </div>
      {description !== undefined && <p>{description}</p>}
      {note !== undefined && <p className="hint">{note}</p>}
      <div className="row">
        <span className="label">{words.boardAssignTo}</span>
        <AgentSelect task={task} assign={assign} />
      </div>
      <Draft taskId={taskId} />
      <TaskCalls taskId={taskId} />
      <Results taskId={taskId} />
      <Steps taskId={taskId} />
      <TaskActions task={task} />
    </div>
  );
}

const TONES: Partial<Record<WorldTask["status"], string>> = {
  blocked: "asks",
  done: "good",
  failed: "bad",
};

function Draft({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useWords();
  const draft = useWorld(({ drafts }) => drafts.get(taskId));
  const isPast = useShown(({ past }) => past !== null);
  return (
    <section className="stack is-tight">
      <h4>{words.taskStream}</h4>
      {draft === undefined || isPast ? (
        <p className="hint">{words.taskQuiet}</p>
      ) : (
        <pre className="draft" tabIndex={0}>
          {draft.slice(-6_000)}
        </pre>
      )}
    </section>
  );
}

function Results({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useWords();
  const artifacts = useShown(({ snapshot }) => snapshot?.artifacts) ?? [];
  const mine = artifacts.filter(({ task_id }) => task_id === taskId);
  if (mine.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.taskResults}</h4>
      <ul className="plain-list">
        {mine.map(({ artifact_id, name, version, status }) => (
          <li key={artifact_id}>
            <Link to={pathOf("office", `artifact:${artifact_id}`)}>{name}</Link>{" "}
            <span className="hint">
              {words.reviewVersion} {version} · {words.artifactStatuses[status]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_STEPS = 40;

function Steps({ taskId }: { readonly taskId: string }): ReactNode {
  const words = useWords();
  const { language } = useChosen();
  const timeline = useWorld((view) => view.timeline);
  const until = useShown(({ past }) => past?.look.seq);
  const snapshot = useShown((shown) => shown.snapshot);
  const names = namesIn(snapshot);
  const steps = timeline
    .filter(
      ({ seq, event }) =>
        "task_id" in event && event.task_id === taskId && seq <= (until ?? Infinity),
    )
    .slice(-MOST_STEPS);
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
  const words = useWords();
  const act = useAct();
  const canAct = useCanAct();
  const [isSure, setIsSure] = useState(false);
  const { task_id, project_id, status } = task;
  const project = useShown(({ snapshot }) =>
    snapshot?.projects.find((each) => each.project_id === project_id),
  );
  if (project?.ended_at !== undefined) return null;
  const isOver = status === "done" || status === "cancelled";
  const isPaused = project?.status === "paused";
  return (
    <div className="row">
      {status === "failed" && (
        <button
          type="button"
          className="button is-primary"
          disabled={!canAct}
          onClick={() => void act({ name: "rerun_task", data: { task_id } }, words.sent)}
        >
          {words.retry}
        </button>
      )}
      <button
        type="button"
        className="button"
        disabled={!canAct}
        onClick={() =>
          void act(
            { name: isPaused ? "resume_project" : "pause_project", data: { project_id } },
            words.sent,
          )
        }
      >
        {isPaused ? words.resumeProject : words.pauseProject}
      </button>
      {!isOver && (
        <button
          type="button"
          className="button is-danger"
          disabled={!canAct}
          onClick={() =>
            isSure
              ? void act({ name: "cancel_task", data: { task_id, confirm: true } }, words.sent)
              : setIsSure(true)
          }
        >
          {isSure ? words.taskCancelSure : words.taskCancel}
        </button>
      )}
    </div>
  );
}

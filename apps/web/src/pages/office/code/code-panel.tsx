/**
 * The code beside the office, at the moment that is shown: the files of one task, and what changed in one of them. It
 * follows the clock: dragged back it shows that moment, and played on it goes to whatever is written next.
 */
import type { WorldTask } from "@atrium/wire/world";
import { lazy, Suspense, type ReactNode } from "react";
import { useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Field } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { shownIndex } from "../../../world/time-travel.ts";
import { MomentActions } from "../task/moment-actions.tsx";
import { usePastTime } from "../timeline/past-time.ts";
import { useOpen } from "../view/camera-control.ts";
import { withFiles, workedOn } from "./worked-on.ts";

const TaskCode = lazy(async () => ({ default: (await import("./task-code.tsx")).TaskCode }));

/** Without a task it follows the work from task to task. */
export function CodePanel({ taskId }: { readonly taskId?: string }): ReactNode {
  const { code: words, loading } = useTexts();
  const tasks = withFiles(useOffice(({ snapshot }) => snapshot?.tasks) ?? []);
  const followed = useFollowed();
  const wanted = taskId ?? followed;
  const task = tasks.find(({ task_id }) => task_id === wanted);
  if (tasks.length === 0) return <p className="hint">{words.none}</p>;
  return (
    <div className="code">
      <TaskChooser tasks={tasks} taskId={taskId} />
      {task === undefined ? (
        <p className="hint">{words.notYet}</p>
      ) : (
        <>
          <TaskLine task={task} />
          <Suspense fallback={<p className="hint">{loading}</p>}>
            <TaskCode key={task.task_id} task={task} />
          </Suspense>
          <MomentActions task={task} />
        </>
      )}
    </div>
  );
}

/** The task that is worked on at the moment that is shown. */
function useFollowed(): string | undefined {
  const timeline = useWorld((view) => view.timeline);
  const past = useOffice((shown) => shown.past);
  // While the past plays, the work goes on.
  usePastTime();
  return workedOn(timeline, shownIndex(timeline, past, Date.now()));
}

interface TaskChooserProps {
  readonly tasks: readonly WorldTask[];
  readonly taskId: string | undefined;
}

function TaskChooser({ tasks, taskId }: TaskChooserProps): ReactNode {
  const { code: words, taskTitle } = useTexts();
  const open = useOpen();
  const choose = (id: string): void =>
    open(id === "" ? { kind: "panel", name: "code" } : { kind: "code", id });
  return (
    <Field label={taskTitle}>
      <select value={taskId ?? ""} onChange={({ target }) => choose(target.value)}>
        <option value="">{words.follow}</option>
        {tasks.map(({ task_id, title }) => (
          <option key={task_id} value={task_id}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}

function TaskLine({ task }: { readonly task: WorldTask }): ReactNode {
  const { taskStatuses } = useTexts();
  const agent = useOffice(
    ({ snapshot }) => snapshot?.agents.find(({ agent_id }) => agent_id === task.assignee)?.name,
  );
  return (
    <p className="code-task" dir="auto">
      <Link to={pathOf("office", `task:${task.task_id}`)}>{task.title}</Link>{" "}
      <span className="hint">
        {[agent, taskStatuses[task.status]].filter((each) => each !== undefined).join(" · ")}
      </span>
    </p>
  );
}

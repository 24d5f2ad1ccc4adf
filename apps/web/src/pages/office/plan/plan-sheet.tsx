/** The plan of a project: what is to be done, by whom and after what; edited before work starts and while it runs. */
import type { WorldProject, WorldTask } from "@atrium/wire/world";
import { useState, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Chip, DetailTitle } from "../../../ui/controls.tsx";
import { useCamera, useOpen } from "../view/camera-control.ts";
import { PlanTask } from "./plan-task.tsx";
import { isUnassigned, movedTo, numbersOf, proposedPeople, type People } from "./proposals.ts";
import { useStartWork } from "./start-work.ts";
import { TaskForm } from "./task-form.tsx";

const NO_ONE: People = new Map();

export function PlanSheet({ projectId }: { readonly projectId: string }): ReactNode {
  const words = useTexts();
  const snapshot = useOffice((shown) => shown.snapshot);
  const project = snapshot?.projects.find(({ project_id }) => project_id === projectId);
  if (snapshot === null || project === undefined) {
    return <p className="hint">{words.projectGone}</p>;
  }
  const tasks = snapshot.tasks.filter(({ project_id }) => project_id === projectId);
  return <Plan {...{ project, tasks }} proposed={proposedPeople(tasks, snapshot)} />;
}

interface PlanProps {
  readonly project: WorldProject;
  readonly tasks: readonly WorldTask[];
  readonly proposed: People;
}

function Plan({ project, tasks, proposed }: PlanProps): ReactNode {
  const { plan: words, projectStatuses } = useTexts();
  const { project_id, title, summary, status, ended_at } = project;
  const [chosen, setChosen] = useState(NO_ONE);
  const people = new Map([...proposed, ...chosen]);
  const isOpen = ended_at === undefined && OPEN.has(status);
  return (
    <div className="stack plan">
      <div className="stack is-tight">
        <DetailTitle>{title}</DetailTitle>
        <div className="row">
          <Chip>{projectStatuses[status]}</Chip>
          <span className="hint">{words.count(tasks.length)}</span>
        </div>
      </div>
      {summary !== undefined && <p dir="auto">{summary}</p>}
      {tasks.length === 0 && <p className="hint">{words.notYet}</p>}
      <TaskList
        {...{ tasks, people, isOpen, projectId: project_id }}
        onPerson={(taskId, agentId) => setChosen(new Map([...chosen, [taskId, agentId]]))}
      />
      {isOpen && <NewTask {...{ project, tasks }} />}
      {isOpen && <Start {...{ project, tasks, proposed, chosen }} />}
    </div>
  );
}

const OPEN: ReadonlySet<string> = new Set(["planned", "executing"]);

interface TaskListProps {
  readonly projectId: string;
  readonly tasks: readonly WorldTask[];
  readonly people: People;
  readonly isOpen: boolean;
  readonly onPerson: (taskId: string, agentId: string) => void;
}

function TaskList({ projectId, tasks, people, isOpen, onPerson }: TaskListProps): ReactNode {
  const send = useSendCommand();
  const numbers = numbersOf(tasks);
  const ids = tasks.map(({ task_id }) => task_id);
  const move = (taskId: string, target: string): void => {
    const task_ids = [...movedTo(ids, taskId, target)];
    if (task_ids.join() === ids.join()) return;
    void send({ name: "reorder_tasks", data: { project_id: projectId, task_ids } });
  };
  return (
    <ol className="plan-tasks">
      {tasks.map((task, at) => (
        <PlanTask
          key={task.task_id}
          {...{ task, tasks, numbers, isOpen, onPerson }}
          person={task.assignee ?? people.get(task.task_id)}
          above={ids[at - 1]}
          below={ids[at + 1]}
          onMove={(target) => move(task.task_id, target)}
          onDrop={(taskId) => move(taskId, task.task_id)}
        />
      ))}
    </ol>
  );
}

function NewTask({ project, tasks }: Pick<PlanProps, "project" | "tasks">): ReactNode {
  const { plan: words } = useTexts();
  const send = useSendCommand();
  const canAct = useCanAct();
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <div className="row">
        <Button disabled={!canAct} onClick={() => setIsOpen(true)}>
          {words.add}
        </Button>
      </div>
    );
  }
  return (
    <section className="plan-task plan-new" aria-label={words.add}>
      <TaskForm
        tasks={tasks}
        submitLabel={words.add}
        onCancel={() => setIsOpen(false)}
        onSubmit={async ({ title = "", ...rest }) => {
          const data = { project_id: project.project_id, title, ...rest };
          if (await send({ name: "add_task", data })) setIsOpen(false);
        }}
      />
    </section>
  );
}

interface StartProps extends PlanProps {
  readonly chosen: People;
}

/** Nothing to start: all of it is in someone's hands. */
function Start({ project, tasks, proposed, chosen }: StartProps): ReactNode {
  const words = useTexts();
  const canAct = useCanAct();
  const camera = useCamera();
  const open = useOpen();
  const start = useStartWork();
  const [isStarting, setIsStarting] = useState(false);
  const waiting = tasks.filter(isUnassigned);
  if (waiting.length === 0) return null;
  const press = async (): Promise<void> => {
    setIsStarting(true);
    const isTaken = await start({ project, waiting, proposed, chosen });
    setIsStarting(false);
    if (!isTaken) return;
    open(undefined);
    camera.frameRoom();
  };
  return (
    <div className="plan-start">
      <Button look="primary" disabled={!canAct || isStarting} onClick={() => void press()}>
        {words.handOut}
      </Button>
      <span className="hint">{words.plan.starts(waiting.length)}</span>
    </div>
  );
}

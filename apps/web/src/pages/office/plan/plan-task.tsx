/** One task of a plan: read, given to someone, moved, edited or removed. */
import type { WorldTask } from "@atrium/wire/world";
import { useState, type DragEvent, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { pathOf } from "../../../app/route.ts";
import { Button, Chip, IconButton } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { TASK_TYPE, useAssign } from "../assigning/assign.ts";
import { useTeam } from "../board/board-team.tsx";
import { isGivable } from "../board/columns.ts";
import { SureButton } from "../text/sure-button.tsx";
import { taskTone } from "../text/task-text.ts";
import { WorkChips } from "../text/work-chips.tsx";
import { TaskForm } from "./task-form.tsx";

export interface PlanTaskProps {
  readonly task: WorldTask;
  /** All of the plan. */
  readonly tasks: readonly WorldTask[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly person: string | undefined;
  /** The plan can still be changed. */
  readonly isOpen: boolean;
  readonly above: string | undefined;
  readonly below: string | undefined;
  readonly onPerson: (taskId: string, agentId: string) => void;
  readonly onMove: (target: string) => void;
  /** Another one was dropped on it. */
  readonly onDrop: (taskId: string) => void;
}

export function PlanTask(props: PlanTaskProps): ReactNode {
  const { task, tasks, numbers, isOpen, onDrop } = props;
  const [isEditing, setIsEditing] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const send = useSendCommand();
  const number = numbers.get(task.task_id) ?? 0;
  const drops = {
    onDragOver(event: DragEvent) {
      if (!isOpen || !event.dataTransfer.types.includes(TASK_TYPE)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      setIsOver(false);
      const taskId = event.dataTransfer.getData(TASK_TYPE);
      if (numbers.has(taskId)) onDrop(taskId);
    },
  };
  return (
    <li className="plan-task" data-over={isOver} {...drops}>
      {isEditing ? (
        <TaskForm
          task={task}
          tasks={tasks}
          onCancel={() => setIsEditing(false)}
          onSubmit={async (changes) => {
            const data = { task_id: task.task_id, ...changes };
            if (await send({ name: "edit_task", data })) setIsEditing(false);
          }}
        />
      ) : (
        <ReadTask {...props} number={number} onEdit={() => setIsEditing(true)} />
      )}
    </li>
  );
}

interface ReadTaskProps extends PlanTaskProps {
  readonly number: number;
  readonly onEdit: () => void;
}

function ReadTask(props: ReadTaskProps): ReactNode {
  const { task, number, numbers, isOpen, onEdit } = props;
  const { plan: words, taskStatuses } = useTexts();
  const { task_id, title, description, status, kind, accept = [], verify = [], after = [] } = task;
  const canAct = useCanAct();
  const send = useSendCommand();
  const isOver = status === "done" || status === "cancelled";
  return (
    <>
      <div className="plan-task-head">
        <span
          className="plan-number"
          draggable={isOpen}
          onDragStart={({ dataTransfer }) => dataTransfer.setData(TASK_TYPE, task_id)}
          title={isOpen ? words.drag : undefined}
        >
          {number}
        </span>
        <Link to={pathOf("office", `task:${task_id}`)} className="board-card-title">
          <span dir="auto">{title}</span>
        </Link>
        {isOpen && <Moves {...props} />}
      </div>
      <div className="row">
        <PersonSelect {...props} />
        {status !== "planned" && <Chip tone={taskTone(status)}>{taskStatuses[status]}</Chip>}
        {kind !== undefined && <span className="hint">{words.kinds[kind]}</span>}
        <AfterText after={after} numbers={numbers} />
        <WorkChips task={task} />
      </div>
      {description !== undefined && description !== "" && (
        <p className="plan-description" dir="auto">
          {description}
        </p>
      )}
      <Lines title={words.accept} lines={accept} />
      <Lines title={words.verify} lines={verify} isCode />
      {isOpen && !isOver && (
        <div className="row">
          <Button
            look="small"
            disabled={!canAct}
            aria-label={`${words.edit}: ${title}`}
            onClick={onEdit}
          >
            {words.edit}
          </Button>
          {task.attempts === 0 && (
            <SureButton
              label={words.remove}
              sureLabel={words.removeSure}
              isDisabled={!canAct}
              isSmall
              onSure={() => void send({ name: "remove_task", data: { task_id } })}
            />
          )}
        </div>
      )}
    </>
  );
}

function Moves({ task, above, below, onMove }: ReadTaskProps): ReactNode {
  const { plan: words } = useTexts();
  const canAct = useCanAct();
  return (
    <span className="plan-moves">
      {([above, below] as const).map((target, at) => {
        const word = at === 0 ? words.up(task.title) : words.down(task.title);
        return (
          <IconButton
            key={word}
            label={word}
            disabled={!canAct || target === undefined}
            onClick={() => target !== undefined && onMove(target)}
          >
            <span aria-hidden="true">{at === 0 ? "↑" : "↓"}</span>
          </IconButton>
        );
      })}
    </span>
  );
}

/** Who gets it when work starts; or who has it, and gets it instead. */
function PersonSelect({ task, person, onPerson }: ReadTaskProps): ReactNode {
  const words = useTexts();
  const canAct = useCanAct();
  const team = useTeam();
  const assign = useAssign();
  const { task_id, title, assignee, status } = task;
  const isProposed = assignee === undefined && status === "planned";
  const choose = (agentId: string): void =>
    isProposed ? onPerson(task_id, agentId) : assign(task_id, agentId);
  const nobody = useOffice(
    ({ snapshot }) => snapshot?.agents.find(({ agent_id }) => agent_id === person)?.name,
  );
  if (!isGivable(task)) return <span dir="auto">{nobody}</span>;
  return (
    <select
      className="agent-select"
      data-proposed={isProposed}
      aria-label={`${isProposed ? words.plan.proposed : words.boardAssignTo}: ${title}`}
      value={person ?? ""}
      disabled={!canAct}
      onChange={({ target }) => choose(target.value)}
    >
      {person === undefined && <option value="">{words.boardNobody}</option>}
      {team.map(({ agent_id, name }) => (
        <option key={agent_id} value={agent_id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface AfterTextProps {
  readonly after: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
}

function AfterText({ after, numbers }: AfterTextProps): ReactNode {
  const { plan: words } = useTexts();
  const known = after.flatMap((id) => numbers.get(id) ?? []).toSorted((a, b) => a - b);
  return known.length === 0 ? null : <span className="hint">{words.after(known.join(", "))}</span>;
}

interface LinesProps {
  readonly title: string;
  readonly lines: readonly string[];
  readonly isCode?: boolean;
}

function Lines({ title, lines, isCode = false }: LinesProps): ReactNode {
  if (lines.length === 0) return null;
  return (
    <div className="plan-lines">
      <span className="label">{title}</span>
      <ul>
        {lines.map((line, at) => (
          <li key={at} dir={isCode ? "ltr" : "auto"}>
            {isCode ? <code>{line}</code> : line}
          </li>
        ))}
      </ul>
    </div>
  );
}

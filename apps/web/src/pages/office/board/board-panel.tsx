/** All tasks by how they stand. A task is given to someone by dragging it there, by mouse, touch or keyboard, or from its list. */
import type { WorldTask } from "@atrium/wire/world";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import {
  GridList,
  GridListItem,
  Button,
  type DragAndDropOptions,
  useDragAndDrop,
} from "react-aria-components";
import { useCanAct, useOffice, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Chip } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { TASK_TYPE, useAssign, type Assign } from "../assigning/assign.ts";
import { useReceivers } from "../assigning/receivers.ts";
import { listenForTouchDrag } from "../assigning/touch-drag.ts";
import { isPausedIn, projectOfIn } from "../text/project-text.ts";
import { WorkChips } from "../text/work-chips.tsx";
import { BoardProjects } from "./board-projects.tsx";
import { AgentSelect, BoardTeam } from "./board-team.tsx";
import { columnsOf } from "./columns.ts";

export function BoardPanel(): ReactNode {
  const words = useTexts();
  const tasks = useOffice(({ snapshot }) => snapshot?.tasks) ?? [];
  const assign = useAssign();
  const board = useTouchDrag(tasks, assign);
  if (tasks.length === 0) return <p className="hint">{words.boardEmpty}</p>;
  return (
    <div className="stack" ref={board}>
      <BoardTeam assign={assign} />
      <BoardProjects />
      <p className="hint">{words.boardHelp}</p>
      {columnsOf(tasks).map(({ status, tasks: inColumn }) => (
        <section key={status} className="board-column" data-status={status}>
          <h3>
            {words.taskStatuses[status]} <Chip>{inColumn.length}</Chip>
          </h3>
          <BoardColumn label={words.taskStatuses[status]} tasks={inColumn} assign={assign} />
        </section>
      ))}
    </div>
  );
}

/** By finger, from a card's handle onto one of the team, in the list or in the picture. */
function useTouchDrag(
  tasks: readonly WorldTask[],
  assign: Assign,
): RefObject<HTMLDivElement | null> {
  const board = useRef<HTMLDivElement>(null);
  const canAct = useCanAct();
  const receivers = useReceivers();
  const latest = useRef({ tasks, assign });
  latest.current = { tasks, assign };
  const isEmpty = tasks.length === 0;
  useEffect(() => {
    const root = board.current;
    if (root === null || !canAct) return undefined;
    const ending = new AbortController();
    const keyOf = (element: Element | null): string =>
      element?.closest("[data-key]")?.getAttribute("data-key") ?? "";
    const memberOf = (id: string | undefined): Element | undefined =>
      [...root.querySelectorAll(".team-member")].find((each) => keyOf(each) === id);
    listenForTouchDrag(
      root,
      {
        draggedAt(target) {
          const id = keyOf(target.closest(".board-handle"));
          const task = latest.current.tasks.find(({ task_id }) => task_id === id);
          return task === undefined ? undefined : { id, name: task.title };
        },
        dropAt(target, place) {
          const id = keyOf(target.closest(".team-member")) || receivers.agentAt(place);
          return memberOf(id) === undefined ? undefined : id;
        },
        mark(now, before) {
          memberOf(before)?.removeAttribute("data-touch-over");
          memberOf(now)?.setAttribute("data-touch-over", "true");
          receivers.mark(now);
        },
        onDrop: (id, onto) => latest.current.assign(id, onto),
      },
      ending.signal,
    );
    return () => ending.abort();
  }, [canAct, isEmpty, receivers]);
  return board;
}

interface ColumnProps {
  readonly label: string;
  readonly tasks: readonly WorldTask[];
  readonly assign: Assign;
}

function BoardColumn({ label, tasks, assign }: ColumnProps): ReactNode {
  const words = useTexts();
  const canAct = useCanAct();
  const options: DragAndDropOptions = {
    isDisabled: !canAct,
    getItems: (keys) =>
      [...keys].map((key) => ({ [TASK_TYPE]: String(key), "text/plain": String(key) })),
  };
  const { dragAndDropHooks } = useDragAndDrop(options);
  return (
    <GridList
      aria-label={label}
      items={tasks}
      dragAndDropHooks={dragAndDropHooks}
      className="board-list"
      // Controls in a card are reached by Tab, as everywhere else.
      keyboardNavigationBehavior="tab"
    >
      {(task) => (
        <GridListItem id={task.task_id} textValue={task.title} className="board-card">
          <Button slot="drag" className="board-handle" aria-label={words.boardDrag(task.title)}>
            ⠿
          </Button>
          <div className="board-card-body">
            <Link to={pathOf("office", `task:${task.task_id}`)} className="board-card-title">
              <span dir="auto">{task.title}</span>
            </Link>
            <ProjectNote task={task} />
            <div className="row board-notes">
              <WorkChips task={task} />
            </div>
            <AgentSelect task={task} assign={assign} />
          </div>
        </GridListItem>
      )}
    </GridList>
  );
}

/** Whose it is, where several are open, and that it rests. */
function ProjectNote({ task: { project_id } }: { readonly task: WorldTask }): ReactNode {
  const words = useTexts();
  const title = useOffice(({ snapshot }) => projectOfIn(snapshot)(project_id));
  const isPaused = useOffice(({ snapshot }) => isPausedIn(snapshot, project_id));
  const notes = [title, isPaused ? words.taskPaused : undefined].filter(Boolean);
  return notes.length === 0 ? null : (
    <span className="hint" dir="auto">
      {notes.join(" · ")}
    </span>
  );
}

/**
 * What a joined session can do about tasks: see which are open, take one, read it, report, hand it over, give it back.
 *
 * Nothing is decided here: a project decides who has its task, and what is handed over goes the way of every other
 * change. The session never acts as a person.
 */
import {
  accept,
  joinedAgentId,
  project,
  refuse,
  waitingFor,
  type Clock,
  type Dispatch,
  type Outcome,
  type Project,
  type Projects,
  type Task,
} from "@atrium/core";
import { KeyedQueue } from "../../platform/keyed-queue.ts";
import { describeOpenTask, describeTurn } from "./describe-task.ts";
import type { JoinedTurns, OpenTurn } from "./joined-turns.ts";
import { taskInHandOf, type TaskInHand } from "./task-in-hand.ts";

export interface TaskDeskDeps {
  readonly dispatch: Dispatch;
  readonly projects: Pick<Projects, "list" | "ofTask">;
  readonly turns: JoinedTurns;
  readonly clock: Clock;
}

/** Of a session, by its id; the answers are words for its model. */
export interface TaskDesk {
  readonly list: (id: string) => Promise<Outcome<string>>;
  readonly take: (id: string, taskId: string) => Promise<Outcome<string>>;
  readonly read: (id: string) => Promise<Outcome<string>>;
  readonly report: (id: string, text: string, percent?: number) => Promise<Outcome<string>>;
  readonly handOver: (id: string, summary: string) => Promise<Outcome<string>>;
  readonly release: (id: string, reason: string) => Promise<Outcome<string>>;
}

/** A worktree of a large repository takes a while. */
const ARRIVAL_MS = 45_000;
const LATER = "Atrium prepares its folder. Call my_task in a moment to read it.";

export function createTaskDesk(deps: TaskDeskDeps): TaskDesk {
  const { dispatch, projects, turns, clock } = deps;
  /** A session takes one task at a time. */
  const taking = new KeyedQueue();

  const inHandOf = (agentId: string): TaskInHand | undefined => taskInHandOf(agentId, projects);

  async function take(agentId: string, taskId: string): Promise<Outcome<string>> {
    const inHand = inHandOf(agentId);
    if (inHand !== undefined && inHand.task.taskId !== taskId) {
      return refuse("joined-session.busy", inHand.task.taskId);
    }
    const found = projects.ofTask(taskId);
    if (found === undefined) return refuse("task.missing", taskId);
    const { projectId } = found.project;
    const arrival = turns.expect(agentId, ARRIVAL_MS);
    const command = { type: "take-task", at: clock.now(), taskId, agentId } as const;
    const taken = await dispatch(project, projectId, command);
    if (!taken.ok) {
      turns.forget(agentId);
      return taken;
    }
    const open = await arrival;
    return accept(open === undefined ? LATER : describeTurn(open.turn));
  }

  function openTurnOf(id: string): Outcome<OpenTurn> {
    const agentId = joinedAgentId(id);
    const open = turns.get(agentId);
    if (open !== undefined) return accept(open);
    const inHand = inHandOf(agentId);
    if (inHand === undefined) return refuse("joined-session.taskless");
    return refuse("joined-session.pending", `the project is ${inHand.of.status}`);
  }

  return {
    async list(id) {
      const mine = inHandOf(joinedAgentId(id));
      const lines = [...projects.list()].flatMap((of) =>
        of.status === "planned" || of.status === "executing"
          ? of.tasks.filter((task) => isFree(of, task)).map((task) => describeOpenTask(of, task))
          : [],
      );
      const own = mine === undefined ? [] : [`You have ${mine.task.taskId} (my_task reads it).`];
      const found = lines.length === 0 ? ["No task is open."] : lines;
      return accept([...own, ...found].join("\n\n"));
    },
    take: (id, taskId) => taking.run(id, () => take(joinedAgentId(id), taskId)),
    async read(id) {
      const open = openTurnOf(id);
      return open.ok ? accept(describeTurn(open.value.turn)) : open;
    },
    async report(id, text, percent) {
      const open = openTurnOf(id);
      if (!open.ok) return open;
      open.value.note(text, percent);
      return accept("Noted.");
    },
    async handOver(id, summary) {
      const open = openTurnOf(id);
      if (!open.ok) return open;
      open.value.handOver(summary);
      return accept(
        "Handed over. It is checked and reviewed now; do not change the folder any more. If something is to be changed, a message says so.",
      );
    },
    async release(id, reason) {
      const agentId = joinedAgentId(id);
      const inHand = inHandOf(agentId);
      if (inHand === undefined) return refuse("joined-session.taskless");
      const { taskId } = inHand.task;
      const command = { type: "release-task", at: clock.now(), taskId, agentId, reason } as const;
      const released = await dispatch(project, inHand.of.projectId, command);
      return released.ok ? accept("Given back. What you changed stays in its folder.") : released;
    },
  };
}

function isFree(of: Project, task: Task): boolean {
  return task.status === "planned" && task.assignee === null && waitingFor(of, task).length === 0;
}

/**
 * The task desk as sessions of this node reach it. Turns are held by the node that directs, so what needs them is asked
 * there; whether sessions take tasks by themselves their user has said on this machine.
 */
import { refuse } from "@atrium/core";
import type { AtDirector } from "../../cluster/at-director.ts";
import type { TaskDesk } from "./task-desk.ts";

export interface TaskDeskAnywhereDeps {
  readonly atDirector: AtDirector;
  /** A person has agreed that sessions take tasks by themselves. */
  readonly mayTake: () => boolean;
}

export function taskDeskAnywhere(
  desk: TaskDesk,
  { atDirector, mayTake }: TaskDeskAnywhereDeps,
): TaskDesk {
  const take = atDirector("joined.task.take", desk.take);
  return {
    list: async (id) => (mayTake() ? desk.list(id) : REFUSED),
    take: async (id, taskId) => (mayTake() ? take(id, taskId) : REFUSED),
    read: atDirector("joined.task.read", desk.read),
    report: atDirector("joined.task.report", desk.report),
    handOver: atDirector("joined.task.hand-over", desk.handOver),
    release: atDirector("joined.task.release", desk.release),
  };
}

const REFUSED = refuse("joined-session.tasks");

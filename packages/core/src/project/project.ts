/**
 * Project: a request on its way to something that was approved.
 *
 *   submitted -> accepted -> kickoff -> planned -> executing -> completed
 *                                \                     \-> cancelled, when nothing of it is left
 *                                 `-> failed -> kickoff again, or cancelled
 *
 * Pure: time comes in with the command. Tasks, artifacts and decisions live in the same stream, because
 * what may happen to one depends on the others. Illegal moves are refused with what would be possible.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import { decideChange, isChangeCommand, type ChangeCommand } from "./deciders/decide-change.ts";
import { deliver, finishWork } from "./deciders/decide-delivery.ts";
import { forkTask } from "./deciders/decide-fork.ts";
import { plan, startKickoff, startPlanning, submit, tellPlan } from "./deciders/decide-plan.ts";
import { approve, requestChanges, split } from "./deciders/decide-review.ts";
import {
  assign,
  autoAssign,
  cancelTask,
  countUsage,
  createArtifact,
  failTask,
  progress,
  requestDecision,
  rerunTask,
  settleDecision,
  startTask,
} from "./deciders/decide-task.ts";
import { addTask, editTask, removeTask, reorderTasks } from "./deciders/edit-plan.ts";
import { releaseTask, takeTask } from "./deciders/take-task.ts";
import type { ProjectCommand, ProjectCommandOf } from "./model/commands.ts";
import { TASK_MOVES, type Project } from "./model/entities.ts";
import type { ProjectEvent } from "./model/events.ts";
import { evolve, type ProjectState } from "./model/evolve.ts";
import { brokenGuard, projectThatCan } from "./model/moves.ts";
import { PROJECT_EVENTS } from "./model/project-shapes.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

function decide(state: ProjectState, command: ProjectCommand): Decided {
  if (command.type === "submit") return submit(state, command);
  if (state === null) return refuse("project.missing");
  const decided = isChangeCommand(command)
    ? decideChange(state, command)
    : decideFor(state, command);
  return decided.ok ? accept(withEnding(state, decided.value)) : decided;
}

function decideFor(
  project: Project,
  command: Exclude<ProjectCommand, ChangeCommand | { type: "submit" }>,
): Decided {
  const { at } = command;
  switch (command.type) {
    case "accept": {
      const able = projectThatCan(project, "accept");
      return able.ok ? accept([{ type: "project.request_accepted", at }]) : able;
    }
    case "start-kickoff":
      return startKickoff(project, command);
    case "start-planning":
      return startPlanning(project, command);
    case "plan":
      return plan(project, command);
    case "tell-plan":
      return tellPlan(project, command);
    case "fail": {
      const able = projectThatCan(project, "fail");
      return able.ok ? accept([{ type: "project.failed", at, reason: command.reason }]) : able;
    }
    case "add-task":
      return addTask(project, command);
    case "edit-task":
      return editTask(project, command);
    case "remove-task":
      return removeTask(project, command);
    case "reorder-tasks":
      return reorderTasks(project, command);
    case "assign":
      return assign(project, command);
    case "take-task":
      return takeTask(project, command);
    case "release-task":
      return releaseTask(project, command);
    case "auto-assign":
      return autoAssign(project, command);
    case "start-task":
      return startTask(project, command);
    case "progress":
      return progress(project, command);
    case "request-decision":
      return requestDecision(project, command);
    case "settle-decision":
      return settleDecision(project, command);
    case "create-artifact":
      return createArtifact(project, command);
    case "finish-work":
      return finishWork(project, command);
    case "count-usage":
      return countUsage(project, command);
    case "deliver":
      return deliver(project, command);
    case "approve":
      return approve(project, command);
    case "request-changes":
      return requestChanges(project, command);
    case "split":
      return split(project, command);
    case "fail-task":
      return failTask(project, command);
    case "cancel-task":
      return cancelTask(project, command);
    case "rerun-task":
      return rerunTask(project, command);
    case "fork-task":
      return forkTask(project, command);
    case "pause":
      return pause(project, command);
    case "resume":
      return resume(project, command);
    case "cancel":
      return cancel(project, command);
    case "say": {
      const { text, actions } = command;
      return accept(text === "" ? [] : [{ type: "project.bd_said", at, text, actions }]);
    }
  }
}

function pause(project: Project, command: ProjectCommandOf<"pause">): Decided {
  const { at, by, reason, guards } = command;
  const able = brokenGuard(project, guards) ?? projectThatCan(project, "pause");
  return able.ok ? accept([{ type: "project.paused", at, by, reason }]) : able;
}

function resume(project: Project, { at, by, guards }: ProjectCommandOf<"resume">): Decided {
  const able = brokenGuard(project, guards) ?? projectThatCan(project, "resume");
  return able.ok ? accept([{ type: "project.resumed", at, by }]) : able;
}

function cancel(project: Project, { at, by, guards }: ProjectCommandOf<"cancel">): Decided {
  const able = brokenGuard(project, guards) ?? projectThatCan(project, "cancel");
  if (!able.ok) return able;
  const left = project.tasks.filter(({ status }) => TASK_MOVES[status].includes("cancel"));
  return accept([
    ...left.map(({ taskId, assignee: agentId, runId }) => {
      return { type: "project.task_cancelled", at, taskId, agentId, runId, by } as const;
    }),
    { type: "project.cancelled", at, by },
  ]);
}

/** A project ends with the last of its tasks. */
function withEnding(before: Project, events: readonly ProjectEvent[]): readonly ProjectEvent[] {
  const after = events.reduce<Project | null>(evolve, before);
  const last = events.at(-1);
  if (after === null || last === undefined || after.tasks.length === 0) return events;
  const { status, tasks, artifacts } = after;
  const isUnderWay = status === "planned" || status === "executing" || status === "paused";
  const isOver = tasks.every((task) => task.status === "done" || task.status === "cancelled");
  if (!isUnderWay || !isOver) return events;
  const { at } = last;
  if (!tasks.some((task) => task.status === "done")) {
    const by = last.type === "project.task_cancelled" ? last.by : null;
    return [...events, { type: "project.cancelled", at, by }];
  }
  const reviewer = artifacts.findLast(({ reviewer: by }) => by !== null)?.reviewer ?? null;
  return [...events, { type: "project.completed", at, reviewer }];
}

export const project: Aggregate<ProjectState, ProjectCommand, ProjectEvent> = {
  name: "project",
  initial: null,
  decide,
  evolve,
  ...createCodec<ProjectEvent>(PROJECT_EVENTS),
};

/**
 * What needs a person, in one list, dearest first.
 *
 * The cost of waiting is how many tasks stand still because of it, times how long they have. An agent that asked holds
 * up its task; a project that waits for money or for its tasks to be handed out holds up all of them; a result that
 * waits for review holds up no one's hands, only its project's end. Pure: the time comes in.
 */
import type { Snapshot } from "@atrium/client";
import type { Moment } from "../../../world/moments.ts";

export const NEED_KINDS = [
  "permission",
  "question",
  "budget",
  "plan",
  "handout",
  "failure",
  "review",
] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

export interface Need {
  /** Unique among needs: the kind of thing and its id. */
  readonly id: string;
  readonly kind: NeedKind;
  readonly title: string;
  /** When it began to wait; undefined when that is not known. */
  readonly since: number | undefined;
  /** How many tasks stand still because of it. */
  readonly held: number;
  /** Choices by digit. */
  readonly options: readonly string[];
  readonly decisionId?: string;
  readonly artifactId?: string;
  readonly taskId?: string;
  readonly projectId: string;
  readonly agentId?: string;
  /** Where it is in the office. */
  readonly place: string;
}

const DELIVERY_SHELF = "poi_delivery_shelf";
const TASK_BOARD = "poi_task_board";
const FRONT_DESK = "poi_bd_desk";
const OPEN_TASKS: ReadonlySet<string> = new Set(["planned", "assigned", "in_progress", "blocked"]);
/** What holds up nobody's hands still costs something. */
const IDLE_COST = 0.3;

export function needsOf(
  snapshot: Snapshot,
  timeline: readonly Moment[],
  now: number,
): readonly Need[] {
  const since = sinceIn(timeline);
  const needs = [
    ...decisionNeeds(snapshot),
    ...handoutNeeds(snapshot, since),
    ...failureNeeds(snapshot, since),
    ...reviewNeeds(snapshot, since),
  ];
  return needs.toSorted((a, b) => costOf(b, now) - costOf(a, now) || (a.id < b.id ? -1 : 1));
}

function costOf({ held, since }: Need, now: number): number {
  const waitedMinutes = since === undefined ? 0 : Math.max(0, now - since) / 60_000;
  return Math.max(held, IDLE_COST) * (1 + waitedMinutes);
}

function decisionNeeds({ decisions, tasks }: Snapshot): readonly Need[] {
  return decisions
    .filter(({ status }) => status === "open")
    .map((decision) => {
      const { decision_id: decisionId, project_id: projectId, agent_id: agentId, kind } = decision;
      const held = tasks.filter(
        (task) => task.project_id === projectId && OPEN_TASKS.has(task.status),
      );
      return {
        id: `decision:${decisionId}`,
        kind,
        title: decision.prompt,
        since: decision.asked_at,
        held: kind === "question" || kind === "permission" ? 1 : held.length,
        options: decision.options,
        decisionId,
        projectId,
        ...(agentId !== undefined && { agentId }),
        place: agentId ?? FRONT_DESK,
      };
    });
}

/** A plan that nobody was given a task of. */
function handoutNeeds({ projects, tasks }: Snapshot, since: Since): readonly Need[] {
  return projects
    .filter(({ status }) => status === "planned" || status === "executing")
    .flatMap(({ project_id: projectId, title }) => {
      const waiting = tasks.filter(
        (task) =>
          task.project_id === projectId && task.status === "planned" && task.assignee === undefined,
      );
      if (waiting.length === 0) return [];
      const began = since.planned.get(projectId);
      const held = waiting.length;
      const id = `handout:${projectId}`;
      return [
        {
          id,
          kind: "handout" as const,
          title,
          since: began,
          held,
          options: [],
          projectId,
          place: TASK_BOARD,
        },
      ];
    });
}

function failureNeeds({ tasks, projects }: Snapshot, since: Since): readonly Need[] {
  const over = new Set(
    projects.filter(({ ended_at }) => ended_at !== undefined).map(({ project_id }) => project_id),
  );
  return tasks
    .filter(({ status, project_id }) => status === "failed" && !over.has(project_id))
    .map(({ task_id: taskId, project_id: projectId, title, assignee }) => ({
      id: `failure:${taskId}`,
      kind: "failure" as const,
      title,
      since: since.failed.get(taskId),
      held: 1,
      options: [],
      taskId,
      projectId,
      ...(assignee !== undefined && { agentId: assignee }),
      place: assignee ?? TASK_BOARD,
    }));
}

function reviewNeeds({ artifacts, tasks }: Snapshot, since: Since): readonly Need[] {
  return artifacts
    .filter(({ status }) => status === "delivered")
    .map(({ artifact_id: artifactId, project_id: projectId, task_id: taskId, name }) => ({
      id: `review:${artifactId}`,
      kind: "review" as const,
      title: tasks.find(({ task_id }) => task_id === taskId)?.title ?? name,
      since: since.delivered.get(artifactId),
      held: 0,
      options: [],
      artifactId,
      taskId,
      projectId,
      place: DELIVERY_SHELF,
    }));
}

interface Since {
  readonly planned: ReadonlyMap<string, number>;
  readonly failed: ReadonlyMap<string, number>;
  readonly delivered: ReadonlyMap<string, number>;
}

function sinceIn(timeline: readonly Moment[]): Since {
  const planned = new Map<string, number>();
  const failed = new Map<string, number>();
  const delivered = new Map<string, number>();
  for (const { at, event } of timeline) {
    if (event.name === "tasks_created") planned.set(event.project_id, at);
    else if (event.name === "task_failed") failed.set(event.task_id, at);
    else if (event.name === "artifact_delivered") delivered.set(event.artifact_id, at);
  }
  return { planned, failed, delivered };
}

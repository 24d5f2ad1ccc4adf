/**
 * What needs a person, in one list, dearest first.
 *
 * What holds someone up comes before what holds up no one, however long that has waited. Within each, the cost of
 * waiting is how many tasks stand still because of it, times how long they have. An agent that asked holds up its task
 * and all it has been given besides, since it does one thing at a time; a project that waits for money or for its tasks
 * to be handed out holds up all of them; a result that waits for review holds up no one's hands, only its project's
 * end. Pure: the time comes in.
 */
import type { Snapshot } from "@atrium/client";
import type { WorldDecision } from "@atrium/wire/world";
import type { Moment } from "../../../world/moments.ts";
import { changeOf } from "../text/work-notes.ts";

export const NEED_KINDS = [
  "permission",
  "question",
  "budget",
  "plan",
  "handout",
  "failure",
  "planning",
  "review",
  "delivery",
] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** What is wrong with a result or task that waits, where that has a name of its own. */
export type Trouble = "checks" | "conflict";

export interface Need {
  /** Unique among needs: the kind of thing and its id. */
  readonly id: string;
  readonly kind: NeedKind;
  readonly trouble?: Trouble;
  readonly title: string;
  /** Why it failed. */
  readonly detail?: string;
  /** Of a result: what lies on the shelf. */
  readonly file?: { readonly name: string; readonly bytes: number };
  /** Of a change: how much it is. */
  readonly change?: { readonly files: number; readonly added: number; readonly removed: number };
  /** When it began to wait; undefined when that is not known. */
  readonly since: number | undefined;
  /** How many tasks stand still because of it. */
  readonly held: number;
  /** Choices by digit. */
  readonly options: readonly string[];
  readonly decisionId?: string;
  readonly artifactId?: string;
  /** Of the artifact, as it stands in the list. */
  readonly version?: number;
  readonly taskId?: string;
  readonly projectId: string;
  readonly agentId?: string;
  /** Where it is in the office. */
  readonly place: string;
}

const DELIVERY_SHELF = "poi_delivery_shelf";
const TASK_BOARD = "poi_task_board";
const TROPHY_SHELF = "poi_trophy_shelf";
const FRONT_DESK = "poi_bd_desk";
const OPEN_TASKS: ReadonlySet<string> = new Set(["planned", "assigned", "in_progress", "blocked"]);

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
    ...planningNeeds(snapshot),
    ...reviewNeeds(snapshot, since),
    ...deliveryNeeds(snapshot, now),
  ];
  return needs.toSorted(
    (a, b) =>
      Number(holdsSomeoneUp(b)) - Number(holdsSomeoneUp(a)) ||
      costOf(b, now) - costOf(a, now) ||
      (a.id < b.id ? -1 : 1),
  );
}

/** Whoever asked waits for the answer, also where that is no task. */
function holdsSomeoneUp({ held, decisionId }: Need): boolean {
  return held > 0 || decisionId !== undefined;
}

function costOf({ held, since }: Need, now: number): number {
  const waitedMinutes = since === undefined ? 0 : Math.max(0, now - since) / 60_000;
  return Math.max(held, 1) * (1 + waitedMinutes);
}

/** The tasks that stand still until it is decided. */
function countBlockedTasks(
  { task_id: taskId, project_id: projectId, kind }: WorldDecision,
  { tasks, projects }: Snapshot,
): number {
  const asker = tasks.find(({ task_id }) => task_id === taskId);
  if (asker !== undefined) {
    const underWay = new Set(
      projects.filter(({ status }) => status === "executing").map(({ project_id }) => project_id),
    );
    // Who works for a project that rests is free for the others.
    const isHeldUp = underWay.has(asker.project_id);
    const queued = tasks.filter(
      ({ task_id, status, assignee, project_id }) =>
        task_id !== taskId &&
        status === "assigned" &&
        assignee === asker.assignee &&
        underWay.has(project_id),
    );
    return 1 + (isHeldUp ? queued.length : 0);
  }
  // A question outside of any task holds up a conversation or a build, and no task.
  if (kind === "question" || kind === "permission") return 0;
  return tasks.filter((task) => task.project_id === projectId && OPEN_TASKS.has(task.status))
    .length;
}

function decisionNeeds(snapshot: Snapshot): readonly Need[] {
  const over = endedIn(snapshot);
  return snapshot.decisions
    .filter(({ status, project_id }) => status === "open" && !over.has(project_id))
    .map((decision) => {
      const { decision_id: decisionId, project_id: projectId, agent_id: agentId, kind } = decision;
      return {
        id: `decision:${decisionId}`,
        kind,
        title: decision.permission?.input ?? decision.prompt,
        since: decision.asked_at,
        held: countBlockedTasks(decision, snapshot),
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
      return {
        id: `handout:${projectId}`,
        kind: "handout" as const,
        title,
        since: since.get(projectId),
        held: waiting.length,
        options: [],
        projectId,
        place: TASK_BOARD,
      };
    });
}

function failureNeeds({ tasks, projects, artifacts }: Snapshot, since: Since): readonly Need[] {
  const over = endedIn({ projects });
  return tasks
    .filter(({ status, project_id }) => status === "failed" && !over.has(project_id))
    .map(({ task_id: taskId, project_id: projectId, title, assignee, note }) => ({
      id: `failure:${taskId}`,
      kind: "failure" as const,
      ...(changeOf(taskId, artifacts)?.landing === "conflicted" && {
        trouble: "conflict" as const,
      }),
      title,
      ...(note !== undefined && { detail: note }),
      since: since.get(taskId),
      held: 1,
      options: [],
      taskId,
      projectId,
      ...(assignee !== undefined && { agentId: assignee }),
      place: assignee ?? TASK_BOARD,
    }));
}

/** What could not be planned: nothing of it happens until someone says how to go on. */
function planningNeeds({ projects }: Snapshot): readonly Need[] {
  return projects
    .filter(({ status }) => status === "failed")
    .map(({ project_id: projectId, title, reason, ended_at: since }) => ({
      id: `planning:${projectId}`,
      kind: "planning" as const,
      title,
      ...(reason !== undefined && { detail: reason }),
      since,
      held: 0,
      options: [],
      projectId,
      place: FRONT_DESK,
    }));
}

function reviewNeeds({ artifacts, tasks }: Snapshot, since: Since): readonly Need[] {
  return artifacts
    .filter(({ status }) => status === "delivered")
    .map((artifact) => {
      const { artifact_id: artifactId, project_id: projectId, task_id: taskId } = artifact;
      const { name, version, bytes, change } = artifact;
      return {
        id: `review:${artifactId}`,
        kind: "review" as const,
        ...(artifact.checks?.state === "failed" && { trouble: "checks" as const }),
        title: tasks.find(({ task_id }) => task_id === taskId)?.title ?? name,
        // Two results of one task have the same title.
        ...(change === undefined ? { file: { name, bytes } } : { change }),
        since: since.get(artifactId),
        held: 0,
        options: [],
        artifactId,
        version,
        taskId,
        projectId,
        place: DELIVERY_SHELF,
      };
    });
}

/** Whoever has not taken what was made within a day has other ways to it. */
const DELIVERY_MS = 24 * 3_600_000;

/** A finished project whose changes nobody has taken. */
function deliveryNeeds({ projects }: Snapshot, now: number): readonly Need[] {
  return projects
    .filter(
      ({ status, line, deliveries = [], ended_at: since = 0 }) =>
        status === "completed" &&
        line !== undefined &&
        deliveries.length === 0 &&
        now - since < DELIVERY_MS,
    )
    .map(({ project_id: projectId, title, ended_at: since }) => ({
      id: `delivery:${projectId}`,
      kind: "delivery" as const,
      title,
      since,
      held: 0,
      options: [],
      projectId,
      place: TROPHY_SHELF,
    }));
}

function endedIn({ projects }: Pick<Snapshot, "projects">): ReadonlySet<string> {
  const ended = projects.filter(({ ended_at }) => ended_at !== undefined);
  return new Set(ended.map(({ project_id }) => project_id));
}

/** When each project was planned, each task failed and each result was delivered. */
type Since = ReadonlyMap<string, number>;

function sinceIn(timeline: readonly Moment[]): Since {
  const since = new Map<string, number>();
  for (const { at, event } of timeline) {
    if (event.name === "tasks_created") since.set(event.project_id, at);
    else if (event.name === "task_failed") since.set(event.task_id, at);
    else if (event.name === "artifact_delivered") since.set(event.artifact_id, at);
  }
  return since;
}

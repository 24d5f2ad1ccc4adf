/** What follows from what happened to a project: who walks where, who starts what, what BD says. */
import { project, type Project, type ProjectEvent, type ProjectEventOf } from "@atrium/core";
import type { Entry } from "@atrium/log";
import {
  completedLine,
  failedPlanLine,
  failedTaskLine,
  plannedLine,
  reviewLine,
} from "../work/front-desk-messages.ts";
import { DELIVERY_SHELF, MEETING_TABLE, MAX_PARTICIPANTS } from "../work/places.ts";
import { PLAN_CHOICES } from "../work/plan-choices.ts";
import { afterBudgetChoice, keepWithinBudget } from "../work/project-budget.ts";
import { artifactsOf, planRunIdOf, type ProjectCommands } from "../work/project-commands.ts";
import { planPrompt, replanPrompt } from "../work/prompts.ts";

interface Moment<Event> {
  readonly desk: ProjectCommands;
  readonly entry: Entry;
  readonly of: Project;
  readonly event: Event;
}

type Reactions = {
  readonly [Type in ProjectEvent["type"]]?: (
    moment: Moment<ProjectEventOf<Type>>,
  ) => Promise<unknown>;
};

const REACTIONS: Reactions = {
  "project.request_submitted": ({ desk, entry, of }) =>
    desk.dispatch(of.projectId, { type: "accept" }, entry),

  "project.request_accepted": ({ desk, entry, of }) => {
    const participants = desk.deps.crew.slice(0, MAX_PARTICIPANTS).map(({ id }) => id);
    const kickoff = { type: "start-kickoff", participants, poiId: MEETING_TABLE } as const;
    return desk.dispatch(of.projectId, kickoff, entry);
  },

  async "project.kickoff_started"({ desk, entry, of, event }) {
    const goal = { kind: "go_to_poi", poiId: event.poiId } as const;
    for (const agentId of idle(desk, event.participants)) await desk.walk(agentId, goal, entry);
    await startPlanning(desk, of, entry);
  },

  async "project.planning_started"({ desk, of, event }) {
    if (of.planRunId !== event.runId) return;
    const flaw = desk.planFlaws.get(of.projectId);
    const text = flaw === undefined ? planPrompt(of, desk.deps.crew) : replanPrompt(flaw);
    await desk.requestPlan(of, event.runId, text);
  },

  async "project.plan_drafted"({ desk, of, event }) {
    desk.tellPlanAt(of, event.tellAt);
  },

  async "project.kickoff_finished"({ desk, entry, of }) {
    for (const agentId of free(desk, of)) await desk.goHome(agentId, entry);
    await desk.postMessage(of.projectId, plannedLine(of), entry);
  },

  async "project.task_assigned"({ desk, entry, of, event }) {
    const { taskId, agentId, previous } = event;
    const task = of.tasks.find((each) => each.taskId === taskId);
    if (task !== undefined && previous !== null && previous !== agentId) {
      await desk.stopWork(task, previous, "the task was given to someone else");
      await moveOn(desk, entry, previous);
    }
    await desk.startNext(agentId, entry);
  },

  async "project.task_started"({ desk, entry, of, event }) {
    await desk.goHome(event.agentId, entry);
    const task = of.tasks.find(({ runId }) => runId === event.runId);
    if (task !== undefined) await desk.requestWork(of, task, event.runId);
  },

  async "project.decision_requested"({ desk, entry, event }) {
    const { agentId, decisionId } = event;
    if (agentId === null) return;
    await desk.walk(agentId, { kind: "seek_decision", decisionId }, entry);
  },

  async "project.decision_resolved"({ desk, entry, of, event }) {
    const decision = of.decisions.find(({ decisionId }) => decisionId === event.decisionId);
    if (decision?.kind === "plan") await afterPlanChoice(desk, entry, of, event.choice);
    await afterBudgetChoice(desk, entry, of, event.decisionId);
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task?.status !== "in_progress" || task.assignee === null) return;
    await desk.goHome(task.assignee, entry);
  },

  async "project.work_finished"({ desk, entry, of, event }) {
    const { taskId } = event;
    const task = of.tasks.find((each) => each.taskId === taskId);
    const made = of.artifacts.findLast(
      (each) => each.taskId === taskId && each.status === "created",
    );
    if (task === undefined || task.assignee === null || made === undefined) return;
    const { artifactId } = made;
    const goal = { kind: "deliver_artifact", artifactId, poiId: DELIVERY_SHELF } as const;
    await desk.walk(task.assignee, goal, entry);
    desk.deliverOnArrival(of, task, DELIVERY_SHELF);
    await keepWithinBudget(desk, entry, of);
  },

  "project.usage_counted": ({ desk, entry, of }) => keepWithinBudget(desk, entry, of),

  async "project.review_requested"({ desk, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task === undefined) return;
    await desk.postMessage(
      of.projectId,
      reviewLine(task, artifactsOf(of, event.artifactIds)),
      entry,
    );
    await moveOn(desk, entry, task.assignee);
  },

  "project.review_changes_requested": startTask,
  "project.task_rerun": startTask,

  async "project.task_failed"({ desk, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task !== undefined) {
      await desk.postMessage(of.projectId, failedTaskLine(task, event.reason), entry);
    }
    await moveOn(desk, entry, event.agentId);
  },

  async "project.task_cancelled"({ desk, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task !== undefined) await desk.stopWork(task, event.agentId, "the task was cancelled");
    await moveOn(desk, entry, event.agentId);
  },

  async "project.paused"({ desk, of }) {
    await desk.stopPlan(of, "the project was paused");
    for (const task of of.tasks) {
      const isUnderWay = task.status === "in_progress" || task.status === "blocked";
      if (isUnderWay) await desk.stopWork(task, task.assignee, "the project was paused");
    }
  },

  /** What was under way when the project was paused is taken up with another run. */
  async "project.resumed"({ desk, entry, of }) {
    if (of.draft !== null) desk.tellPlanAt(of, of.draft.tellAt);
    else if (of.status === "kickoff") await startPlanning(desk, of, entry);
    for (const task of of.tasks) {
      if (task.status === "in_progress" && !task.isCarrying) await desk.start(of, task, entry);
    }
    for (const agentId of new Set(of.tasks.map(({ assignee }) => assignee))) {
      if (agentId !== null) await desk.startNext(agentId, entry);
    }
  },

  async "project.failed"({ desk, entry, of, event }) {
    for (const agentId of free(desk, of)) await desk.goHome(agentId, entry);
    await desk.postMessage(of.projectId, failedPlanLine(of, event.reason), entry);
  },

  async "project.cancelled"({ desk, entry, of }) {
    await desk.stopPlan(of, "the project was cancelled");
    for (const { ref, choice } of of.decisions) {
      if (choice !== null) continue;
      await desk.attempt(() => desk.deps.inquiries.expireQuestion(ref, "run-ended"));
    }
    for (const agentId of idle(desk, of.participants)) await desk.goHome(agentId, entry);
  },

  async "project.completed"({ desk, entry, of }) {
    const { projectId } = of;
    const decorId = `trophy_${projectId.replace(/^proj_/, "")}`;
    const key = `react:${entry.seq}:trophy`;
    await desk.attempt(() => desk.deps.walking.unlock(decorId, projectId, key));
    await desk.postMessage(projectId, completedLine(of), entry);
  },
};

export async function onProjectEvent(
  desk: ProjectCommands,
  entry: Entry,
  id: string,
): Promise<void> {
  const of = desk.deps.projects.get(id);
  if (of === undefined) return;
  await reactTo({ desk, entry, of, event: project.read(entry) });
}

async function reactTo<Type extends ProjectEvent["type"]>(
  moment: Moment<ProjectEventOf<Type>>,
): Promise<void> {
  const type: Type = moment.event.type;
  await REACTIONS[type]?.(moment);
}

async function startTask(
  moment: Moment<ProjectEventOf<"project.review_changes_requested" | "project.task_rerun">>,
): Promise<void> {
  const { desk, entry, of, event } = moment;
  const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
  if (task !== undefined && task.assignee !== null) await desk.startNext(task.assignee, entry);
}

async function moveOn(desk: ProjectCommands, entry: Entry, agentId: string | null): Promise<void> {
  if (agentId === null) return;
  await desk.goHome(agentId, entry);
  await desk.startNext(agentId, entry);
}

async function startPlanning(desk: ProjectCommands, of: Project, entry: Entry): Promise<void> {
  await desk.dispatch(of.projectId, { type: "start-planning", runId: planRunIdOf(of) }, entry);
}

async function afterPlanChoice(
  desk: ProjectCommands,
  entry: Entry,
  of: Project,
  choice: string | null,
): Promise<void> {
  const { projectId, title, text } = of;
  if (choice === PLAN_CHOICES.again) {
    await startPlanning(desk, of, entry);
  } else if (choice === PLAN_CHOICES.asOne) {
    const tasks = [{ title, description: text, role: null }];
    const plan = { runId: null, title: null, summary: "One task, as it was asked.", tasks };
    await desk.dispatch(projectId, { type: "plan", ...plan }, entry);
  } else {
    await desk.dispatch(projectId, { type: "fail", reason: "There is no plan for it." }, entry);
  }
}

/** Who may go home from a project's meeting: whoever has another to sit in stays. */
function free(desk: ProjectCommands, { projectId, participants }: Project): readonly string[] {
  const others = [...desk.deps.projects.list()].filter(
    (other) => other.status === "kickoff" && other.projectId !== projectId,
  );
  const met = new Set(others.flatMap((other) => other.participants));
  return idle(desk, participants).filter((agentId) => !met.has(agentId));
}

/** Whoever is at work stays there: a meeting is no reason to stop. */
function idle(desk: ProjectCommands, agentIds: readonly string[]): readonly string[] {
  const busy = new Set<string | null>();
  for (const { tasks } of desk.deps.projects.list()) {
    for (const { assignee, status } of tasks) {
      if (status === "in_progress" || status === "blocked") busy.add(assignee);
    }
  }
  return agentIds.filter((agentId) => !busy.has(agentId));
}

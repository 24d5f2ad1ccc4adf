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
import { landApproved, revertLanded, updateLine } from "./on-change.ts";

interface Moment<Event> {
  readonly commands: ProjectCommands;
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
  "project.request_submitted": ({ commands, entry, of }) =>
    commands.dispatch(of.projectId, { type: "accept" }, entry),

  "project.request_accepted": ({ commands, entry, of }) => {
    const participants = commands.deps.crew.slice(0, MAX_PARTICIPANTS).map(({ id }) => id);
    const kickoff = { type: "start-kickoff", participants, poiId: MEETING_TABLE } as const;
    return commands.dispatch(of.projectId, kickoff, entry);
  },

  async "project.kickoff_started"({ commands, entry, of, event }) {
    const goal = { kind: "go_to_poi", poiId: event.poiId } as const;
    for (const id of idle(commands, event.participants)) await commands.walk(id, goal, entry);
    await startPlanning(commands, of, entry);
  },

  async "project.planning_started"({ commands, of, event }) {
    if (of.planRunId === event.runId) await commands.requestPlan(of, event.runId);
  },

  async "project.plan_drafted"({ commands, of, event }) {
    commands.tellPlanAt(of, event.tellAt);
  },

  async "project.kickoff_finished"({ commands, entry, of }) {
    for (const agentId of free(commands, of)) await commands.goHome(agentId, entry);
    await commands.postMessage(of.projectId, plannedLine(of), entry);
  },

  async "project.task_assigned"({ commands, entry, of, event }) {
    const { taskId, agentId, previous } = event;
    const task = of.tasks.find((each) => each.taskId === taskId);
    stopChecks(commands, of, taskId);
    if (task !== undefined && previous !== null && previous !== agentId) {
      await commands.stopWork(task, previous, "the task was given to someone else");
      await moveOn(commands, entry, previous);
    }
    await commands.startNext(agentId, entry);
  },

  async "project.task_started"({ commands, entry, of, event }) {
    await commands.goHome(event.agentId, entry);
    const task = of.tasks.find(({ runId }) => runId === event.runId);
    if (task !== undefined) await commands.requestWork(of, task, event.runId, entry);
  },

  async "project.decision_requested"({ commands, entry, event }) {
    const { agentId, decisionId } = event;
    if (agentId === null) return;
    await commands.walk(agentId, { kind: "seek_decision", decisionId }, entry);
  },

  async "project.decision_resolved"({ commands, entry, of, event }) {
    const decision = of.decisions.find(({ decisionId }) => decisionId === event.decisionId);
    if (decision?.kind === "plan") await afterPlanChoice(commands, entry, of, event.choice);
    await afterBudgetChoice(commands, entry, of, event.decisionId);
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task?.status !== "in_progress" || task.assignee === null) return;
    await commands.goHome(task.assignee, entry);
  },

  "project.work_finished": ({ commands, entry, of }) => keepWithinBudget(commands, entry, of),

  "project.usage_counted": ({ commands, entry, of }) => keepWithinBudget(commands, entry, of),

  async "project.review_requested"({ commands, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task === undefined) return;
    await commands.postMessage(
      of.projectId,
      reviewLine(task, artifactsOf(of, event.artifactIds)),
      entry,
    );
    const [artifactId] = event.artifactIds;
    const isOfPerson = artifactsOf(of, event.artifactIds).every(
      ({ versions }) => versions.at(-1)?.runId === null,
    );
    if (task.assignee === null || artifactId === undefined || isOfPerson) return;
    // Only seen: what is on the way to the shelf can be reviewed, and whoever carries it works on.
    const goal = { kind: "deliver_artifact", artifactId, poiId: DELIVERY_SHELF } as const;
    await commands.walk(task.assignee, goal, entry);
    commands.goHomeOnArrival(task.assignee);
    await commands.startNext(task.assignee, entry);
  },

  async "project.artifact_created"({ commands, entry, of, event }) {
    const { artifactId, version, taskId, by, change } = event;
    // What an agent made is checked when its work is finished.
    if (by === undefined || change === undefined) return;
    const names = commands.deps.changes.checksOf(taskId).map(({ name }) => name);
    if (names.length === 0) return;
    const start = { type: "start-checks", artifactId, version, names } as const;
    await commands.dispatch(of.projectId, start, entry);
  },

  async "project.checks_started"({ commands, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    commands.deps.checks.start(of.projectId, event.taskId);
    // Whoever made it has nothing to do with that.
    if (task?.isChecking === true) await moveOn(commands, entry, task.assignee);
  },

  async "project.checks_finished"(moment) {
    if (moment.event.goesBack) await startTask(moment);
  },

  "project.review_approved": landApproved,
  "project.change_conflicted": startTask,
  "project.revert_requested": revertLanded,
  "project.update_requested": updateLine,

  "project.review_changes_requested": startTask,
  "project.task_rerun": startTask,

  async "project.task_failed"({ commands, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    if (task !== undefined) {
      await commands.postMessage(of.projectId, failedTaskLine(task, event.reason), entry);
    }
    await moveOn(commands, entry, event.agentId);
  },

  async "project.task_released"({ commands, entry, of, event }) {
    const { taskId, agentId, reason } = event;
    const task = of.tasks.find((each) => each.taskId === taskId);
    if (task !== undefined) await commands.stopWork(task, agentId, reason);
    await moveOn(commands, entry, agentId);
  },

  async "project.task_cancelled"({ commands, entry, of, event }) {
    const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
    stopChecks(commands, of, event.taskId);
    if (task !== undefined) await commands.stopWork(task, event.agentId, "the task was cancelled");
    await moveOn(commands, entry, event.agentId);
    await commands.startWaiting(of, entry);
  },

  "project.task_done": startWaiting,
  "project.task_edited": startWaiting,
  "project.task_removed": startWaiting,

  async "project.paused"({ commands, of }) {
    await commands.stopPlan(of, "the project was paused");
    for (const task of of.tasks) {
      stopChecks(commands, of, task.taskId);
      const isUnderWay = task.status === "in_progress" || task.status === "blocked";
      if (isUnderWay) await commands.stopWork(task, task.assignee, "the project was paused");
    }
  },

  /** What was under way when the project was paused is taken up with another run. */
  async "project.resumed"({ commands, entry, of }) {
    if (of.draft !== null) commands.tellPlanAt(of, of.draft.tellAt);
    else if (of.status === "kickoff") await startPlanning(commands, of, entry);
    for (const task of of.tasks) {
      if (task.isChecking) commands.deps.checks.start(of.projectId, task.taskId);
      if (task.status === "in_progress" && !task.isCarrying) await commands.start(of, task, entry);
    }
    for (const agentId of new Set(of.tasks.map(({ assignee }) => assignee))) {
      if (agentId !== null) await commands.startNext(agentId, entry);
    }
  },

  async "project.failed"({ commands, entry, of, event }) {
    for (const agentId of free(commands, of)) await commands.goHome(agentId, entry);
    await commands.postMessage(of.projectId, failedPlanLine(of, event.reason), entry);
  },

  async "project.cancelled"({ commands, entry, of }) {
    await commands.stopPlan(of, "the project was cancelled");
    for (const { ref, choice } of of.decisions) {
      if (choice !== null) continue;
      await commands.attempt(() => commands.deps.inquiries.expireQuestion(ref, "run-ended"));
    }
    for (const agentId of idle(commands, of.participants)) await commands.goHome(agentId, entry);
  },

  async "project.completed"({ commands, entry, of }) {
    const { projectId } = of;
    const decorId = `trophy_${projectId.replace(/^proj_/, "")}`;
    const key = `react:${entry.seq}:trophy`;
    await commands.attempt(() => commands.deps.walking.unlock(decorId, projectId, key));
    await commands.postMessage(projectId, completedLine(of), entry);
  },
};

export async function onProjectEvent(
  commands: ProjectCommands,
  entry: Entry,
  id: string,
): Promise<void> {
  const of = commands.deps.projects.get(id);
  if (of === undefined) return;
  await reactTo({ commands, entry, of, event: project.read(entry) });
}

async function reactTo<Type extends ProjectEvent["type"]>(
  moment: Moment<ProjectEventOf<Type>>,
): Promise<void> {
  const type: Type = moment.event.type;
  await REACTIONS[type]?.(moment);
}

async function startTask(moment: Moment<{ readonly taskId: string }>): Promise<void> {
  const { commands, entry, of, event } = moment;
  const task = of.tasks.find(({ taskId }) => taskId === event.taskId);
  if (task !== undefined && task.assignee !== null) await commands.startNext(task.assignee, entry);
}

async function startWaiting({ commands, entry, of }: Moment<ProjectEvent>): Promise<void> {
  await commands.startWaiting(of, entry);
}

/** Unless they are to run: what is reacted to again may be long past. */
function stopChecks(commands: ProjectCommands, { status, tasks }: Project, taskId: string): void {
  const task = tasks.find((each) => each.taskId === taskId);
  if (task?.isChecking !== true || status === "paused") commands.deps.checks.stop(taskId);
}

async function moveOn(
  commands: ProjectCommands,
  entry: Entry,
  agentId: string | null,
): Promise<void> {
  if (agentId === null) return;
  await commands.goHome(agentId, entry);
  await commands.startNext(agentId, entry);
}

async function startPlanning(commands: ProjectCommands, of: Project, entry: Entry): Promise<void> {
  await commands.dispatch(of.projectId, { type: "start-planning", runId: planRunIdOf(of) }, entry);
}

async function afterPlanChoice(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  choice: string | null,
): Promise<void> {
  const { projectId, title, text } = of;
  if (choice === PLAN_CHOICES.again) {
    await startPlanning(commands, of, entry);
  } else if (choice === PLAN_CHOICES.asOne) {
    const tasks = [{ title, description: text, role: null }];
    const plan = { runId: null, title: null, summary: "One task, as it was asked.", tasks };
    await commands.dispatch(projectId, { type: "plan", ...plan }, entry);
  } else {
    await commands.dispatch(projectId, { type: "fail", reason: "There is no plan for it." }, entry);
  }
}

/** Who may go home from a project's meeting: whoever has another to sit in stays. */
function free(commands: ProjectCommands, { projectId, participants }: Project): readonly string[] {
  const others = [...commands.deps.projects.list()].filter(
    (other) => other.status === "kickoff" && other.projectId !== projectId,
  );
  const met = new Set(others.flatMap((other) => other.participants));
  return idle(commands, participants).filter((agentId) => !met.has(agentId));
}

/** Whoever is at work stays there: a meeting is no reason to stop. */
function idle(commands: ProjectCommands, agentIds: readonly string[]): readonly string[] {
  const busy = new Set<string | null>();
  for (const { tasks } of commands.deps.projects.list()) {
    for (const { assignee, status } of tasks) {
      if (status === "in_progress" || status === "blocked") busy.add(assignee);
    }
  }
  return agentIds.filter((agentId) => !busy.has(agentId));
}

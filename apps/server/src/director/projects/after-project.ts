/** What follows from what happened to a project: who walks where, who starts what, what BD says. */
import { project, type Project, type ProjectEvent, type Task } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { completedLine, failedPlanLine, failedTaskLine, plannedLine, reviewLine } from "./bd-lines.ts";
import { DELIVERY_SHELF, MEETING_TABLE } from "./places.ts";
import { artifactsOf, planRunIdOf, type ProjectDesk } from "./project-desk.ts";
import { PLAN_CHOICES } from "./after-run.ts";
import { planPrompt, replanPrompt } from "./prompts.ts";

/** Who fits at the table with BD. */
const MOST_PARTICIPANTS = 8;

export async function afterProject(desk: ProjectDesk, entry: Entry, id: string): Promise<void> {
  const of = desk.deps.projects.get(id);
  if (of === undefined) return;
  const event = project.read(entry);
  const task = "taskId" in event ? of.tasks.find(({ taskId }) => taskId === event.taskId) : undefined;
  if (task === undefined) await afterMilestone(desk, entry, of, event);
  else await afterTask(desk, entry, of, task, event);
}

async function afterMilestone(
  desk: ProjectDesk,
  entry: Entry,
  of: Project,
  event: ProjectEvent,
): Promise<void> {
  const { projectId, participants } = of;
  switch (event.type) {
    case "project.request_submitted":
      await desk.tell(projectId, { type: "accept" }, entry);
      return;
    case "project.request_accepted": {
      const present = desk.deps.crew.slice(0, MOST_PARTICIPANTS).map((member) => member.id);
      const kickoff = { participants: present, poiId: MEETING_TABLE };
      await desk.tell(projectId, { type: "start-kickoff", ...kickoff }, entry);
      return;
    }
    case "project.kickoff_started":
      for (const agentId of participants) {
        // Whoever is at work stays there; a meeting is no reason to stop.
        if (!isAtWork(desk, agentId)) {
          await desk.walk(agentId, { kind: "go_to_poi", poiId: event.poiId }, entry);
        }
      }
      await startPlanning(desk, of, entry);
      return;
    case "project.planning_started":
      if (of.planRunId === event.runId) {
        await desk.askForPlan(of, event.runId, planTextOf(desk, of));
      }
      return;
    case "project.kickoff_finished":
      for (const agentId of participants) {
        if (!isAtWork(desk, agentId)) await desk.goHome(agentId, entry);
      }
      await desk.say(projectId, plannedLine(of), entry);
      return;
    case "project.decision_resolved":
      await afterPlanChoice(desk, entry, of, event.decisionId);
      return;
    case "project.paused":
      await desk.stopPlan(of, "the project was paused");
      for (const each of of.tasks) {
        if (each.status !== "in_progress" && each.status !== "blocked") continue;
        await desk.stopWork(each, each.assignee, "the project was paused");
      }
      return;
    case "project.resumed":
      await afterResume(desk, entry, of);
      return;
    case "project.failed":
      for (const agentId of participants) {
        if (!isAtWork(desk, agentId)) await desk.goHome(agentId, entry);
      }
      await desk.say(projectId, failedPlanLine(of, event.reason), entry);
      return;
    case "project.completed":
      await desk.deps.walking.unlock(
        `trophy_${projectId.replace(/^proj_/, "")}`,
        projectId,
        `react:${entry.seq}:trophy`,
      );
      await desk.say(projectId, completedLine(of), entry);
      return;
    default:
  }
}

async function afterTask(
  desk: ProjectDesk,
  entry: Entry,
  of: Project,
  task: Task,
  event: ProjectEvent,
): Promise<void> {
  const { assignee } = task;
  switch (event.type) {
    case "project.task_assigned":
      if (event.previous !== null && event.previous !== event.agentId) {
        await desk.stopWork(task, event.previous, "the task was given to someone else");
        await desk.startNext(event.previous, entry);
      }
      await desk.startNext(event.agentId, entry);
      return;
    case "project.task_started":
      await desk.goHome(event.agentId, entry);
      if (task.runId === event.runId) await desk.askForWork(of, task, event.runId);
      return;
    case "project.decision_requested":
      if (assignee !== null) {
        const { decisionId } = event;
        await desk.walk(assignee, { kind: "seek_decision", decisionId }, entry);
      }
      return;
    case "project.decision_resolved":
      if (assignee !== null && task.status === "in_progress") await desk.goHome(assignee, entry);
      return;
    case "project.work_finished": {
      const made = of.artifacts.findLast(
        ({ taskId, status }) => taskId === task.taskId && status === "created",
      );
      if (assignee === null || made === undefined) return;
      const { artifactId } = made;
      const goal = { kind: "deliver_artifact", artifactId, poiId: DELIVERY_SHELF } as const;
      await desk.walk(assignee, goal, entry);
      desk.deliverOnArrival(of, task, DELIVERY_SHELF);
      return;
    }
    case "project.review_requested":
      await desk.say(
        of.projectId,
        reviewLine(task, artifactsOf(of, event.artifactIds)),
        entry,
      );
      await moveOn(desk, entry, assignee);
      return;
    case "project.review_changes_requested":
    case "project.task_rerun":
      if (assignee !== null) await desk.startNext(assignee, entry);
      return;
    case "project.task_failed":
      await desk.say(of.projectId, failedTaskLine(task, event.reason), entry);
      await moveOn(desk, entry, assignee);
      return;
    case "project.task_cancelled":
      await desk.stopWork(task, assignee, "the task was cancelled");
      await moveOn(desk, entry, assignee);
      return;
    default:
  }
}

/** To the next task, or home. */
async function moveOn(desk: ProjectDesk, entry: Entry, agentId: string | null): Promise<void> {
  if (agentId === null) return;
  await desk.goHome(agentId, entry);
  await desk.startNext(agentId, entry);
}

async function startPlanning(desk: ProjectDesk, of: Project, entry: Entry): Promise<void> {
  await desk.tell(of.projectId, { type: "start-planning", runId: planRunIdOf(of) }, entry);
}

/** The whole request the first time; after a plan that could not be followed, what was wrong with it. */
function planTextOf(desk: ProjectDesk, of: Project): string {
  const flaw = desk.planFlaws.get(of.projectId);
  return flaw === undefined ? planPrompt(of, desk.deps.crew) : replanPrompt(flaw);
}

async function afterPlanChoice(
  desk: ProjectDesk,
  entry: Entry,
  of: Project,
  decisionId: string,
): Promise<void> {
  const decision = of.decisions.find((each) => each.decisionId === decisionId);
  if (decision?.kind !== "plan") return;
  const { projectId, title, text } = of;
  switch (decision.choice) {
    case PLAN_CHOICES.again:
      await startPlanning(desk, of, entry);
      return;
    case PLAN_CHOICES.asOne: {
      const tasks = [{ title, description: text, role: null }];
      const plan = { runId: null, title: null, summary: "One task, as it was asked.", tasks };
      await desk.tell(projectId, { type: "plan", ...plan }, entry);
      return;
    }
    default:
      await desk.tell(projectId, { type: "fail", reason: "There is no plan for it." }, entry);
  }
}

/** What was under way when the project was paused is taken up with another run. */
async function afterResume(desk: ProjectDesk, entry: Entry, of: Project): Promise<void> {
  if (of.status === "kickoff") await startPlanning(desk, of, entry);
  for (const task of of.tasks) {
    if (task.status === "in_progress" && !task.isCarrying) await desk.start(of, task, entry);
  }
  for (const agentId of new Set(of.tasks.map(({ assignee }) => assignee))) {
    if (agentId !== null) await desk.startNext(agentId, entry);
  }
}

function isAtWork(desk: ProjectDesk, agentId: string): boolean {
  for (const { tasks } of desk.deps.projects.list()) {
    const mine = tasks.filter(({ assignee }) => assignee === agentId);
    if (mine.some(({ status }) => status === "in_progress" || status === "blocked")) return true;
  }
  return false;
}

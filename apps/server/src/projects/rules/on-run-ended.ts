/** What follows from what an agent's turn did: a plan, something made, an end. */
import { conversation, readEnd, type Project, type RunEnded, type Task } from "@atrium/core";
import type { Entry } from "@atrium/log";
import { INTERRUPTED } from "../../agents/turn/turn-stop.ts";
import { askAboutProject } from "../work/ask-about-project.ts";
import { PLAN_CHOICES } from "../work/plan-choices.ts";
import { planRunIdOf, type ProjectCommands } from "../work/project-commands.ts";
import { readPlan } from "../work/read-plan.ts";
import { handOver } from "./hand-over.ts";

/** How often a plan is asked for before a person is. */
const PLAN_TRIES = 2;
/** How often in a row a task is taken up again after the server went away. */
const MAX_ATTEMPTS = 20;

/** Also of a run that its task has forgotten. */
const TASK_KEY = /:task:([a-z0-9_]+)$/;

type Ended = Exclude<RunEnded, { type: "run.merged" }>;

export async function onRunEnded(commands: ProjectCommands, entry: Entry): Promise<void> {
  const event = conversation.read(entry);
  if (!("runId" in event)) return;
  const found = commands.deps.projects.ofRun(event.runId);
  if (found === undefined) return;
  const { project: of, task } = found;
  if (event.type === "run.delivered") {
    // Where it works on files, it is one of them.
    if (task === null || commands.deps.changes.hasFiles(task.taskId)) return;
    const { name, mediaType, bytes, digest, runId } = event;
    const made = { name, kind: kindOf(mediaType), content: { name, mediaType, bytes, digest } };
    const { taskId } = task;
    await commands.dispatch(of.projectId, { type: "create-artifact", taskId, runId, made }, entry);
    return;
  }
  const ended = readEnd(entry);
  if (ended === undefined || ended.type === "run.merged") return;
  const { runId, usage } = ended;
  const isFinished = task !== null && (await afterWork(commands, entry, of, task, ended));
  if (isFinished) return;
  const taskId = TASK_KEY.exec(entry.stream)?.[1] ?? null;
  await commands.dispatch(of.projectId, { type: "count-usage", taskId, runId, usage }, entry);
  if (task === null && of.planRunId === runId) await afterPlanning(commands, entry, of, ended);
}

async function afterPlanning(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  ended: Ended,
): Promise<void> {
  const { projectId } = of;
  if (of.status !== "kickoff") return;
  if (ended.type === "run.failed" && ended.kind === INTERRUPTED) {
    await commands.dispatch(projectId, { type: "start-planning", runId: planRunIdOf(of) }, entry);
    return;
  }
  if (ended.type !== "run.completed") {
    await commands.dispatch(projectId, { type: "fail", reason: ended.reason }, entry);
    return;
  }
  const read = readPlan(ended.text);
  if (read.ok) {
    commands.planFlaws.delete(projectId);
    const plan = { runId: ended.runId, ...read.plan, tellAt: commands.meetingEndsAt(of) };
    await commands.dispatch(projectId, { type: "plan", ...plan }, entry);
    return;
  }
  commands.planFlaws.set(projectId, read.why);
  if (of.planAttempts % PLAN_TRIES !== 0) {
    await commands.dispatch(projectId, { type: "start-planning", runId: planRunIdOf(of) }, entry);
    return;
  }
  await askAboutPlan(commands, of, read.why);
}

async function askAboutPlan(commands: ProjectCommands, of: Project, why: string): Promise<void> {
  const { projectId, planAttempts, title } = of;
  await askAboutProject(commands, of, {
    id: `plan-${projectId}-${planAttempts}`,
    text: `No plan for “${title}” could be made (${why}). What shall we do?`,
    choices: Object.values(PLAN_CHOICES),
  });
}

/** Whether the work is finished, which counts what it used. */
async function afterWork(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  task: Task,
  ended: Ended,
): Promise<boolean> {
  const { projectId, status } = of;
  const { taskId, attempts } = task;
  const { runId } = ended;
  if (task.runId !== runId || task.status === "cancelled") return false;
  if (ended.type === "run.completed") {
    return handOver(commands, entry, of, task, ended);
  }
  const isPaused = status === "paused";
  if (ended.type === "run.failed" && ended.kind === INTERRUPTED && attempts < MAX_ATTEMPTS) {
    if (!isPaused) await commands.start(of, task, entry);
    return false;
  }
  // Paused, given back or given to someone else: it is taken up again by whoever does that.
  const isLeft = isPaused || task.status === "assigned" || task.status === "planned";
  if (ended.type === "run.aborted" && isLeft) return false;
  const failure = { type: "fail-task", taskId, runId, reason: ended.reason } as const;
  await commands.dispatch(projectId, failure, entry);
  return false;
}

function kindOf(mediaType: string): string {
  if (mediaType.startsWith("image/")) return "picture";
  if (mediaType === "text/markdown" || mediaType === "text/plain") return "document";
  return mediaType === "text/html" ? "page" : "code";
}

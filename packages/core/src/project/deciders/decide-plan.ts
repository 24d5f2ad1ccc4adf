/** From a request to its tasks: accepted, kicked off, planned. */
import { accept, refuse, type Outcome, type Refusal } from "../../engine/refusal.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { DraftPlan, DraftTask, Project } from "../model/entities.ts";
import type { PlannedTask, ProjectEvent } from "../model/events.ts";
import { brokenGuard, projectThatCan } from "../model/moves.ts";
import { cycleIn } from "../model/task-order.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export const MAX_TASKS = 12;
export const MAX_TITLE_CHARS = 120;
export const PLAN_LIMITS = { accept: 12, acceptChars: 300, verify: 5, verifyChars: 500 } as const;

export function submit(
  project: Project | null,
  { type: _type, ...request }: ProjectCommandOf<"submit">,
): Decided {
  if (project !== null) return refuse("project.taken", request.projectId);
  if (request.text.trim() === "") return refuse("request.empty");
  return accept([{ type: "project.request_submitted", ...request }]);
}

export function startKickoff(
  project: Project,
  { at, participants, poiId, guards }: ProjectCommandOf<"start-kickoff">,
): Decided {
  const broken = brokenGuard(project, guards);
  if (broken !== undefined) return broken;
  const able = projectThatCan(project, "kickoff");
  if (!able.ok) return able;
  const { title } = project;
  return accept([{ type: "project.kickoff_started", at, poiId, participants, title }]);
}

export function startPlanning(
  project: Project,
  { at, runId }: ProjectCommandOf<"start-planning">,
): Decided {
  const able = projectThatCan(project, "plan");
  if (!able.ok) return able;
  if (project.planRunId === runId) return accept([]);
  return accept([{ type: "project.planning_started", at, runId }]);
}

export function plan(project: Project, command: ProjectCommandOf<"plan">): Decided {
  const able = projectThatCan(project, "plan");
  if (!able.ok) return able;
  const { at, runId, title, summary, tasks, tellAt = at } = command;
  if (runId !== null && runId !== project.planRunId) {
    return refuse("task.stale", "another plan is being made");
  }
  const flaw = planProblem(tasks);
  if (flaw !== undefined) return refuse("plan.malformed", flaw);
  const draft = { title, summary, tasks };
  if (tellAt <= at) return accept(planEvents(project, draft, at));
  return accept([{ type: "project.plan_drafted", at, ...draft, tellAt }]);
}

/** A plan that was told already, or given up, is not there to be told. */
export function tellPlan(project: Project, { at }: ProjectCommandOf<"tell-plan">): Decided {
  const able = projectThatCan(project, "plan");
  if (!able.ok) return able;
  return accept(project.draft === null ? [] : planEvents(project, project.draft, at));
}

function planEvents(
  project: Project,
  { title, summary, tasks }: Omit<DraftPlan, "tellAt">,
  at: number,
): readonly ProjectEvent[] {
  const created = { title, tasks: numbered(project, tasks), artifactId: null };
  return [
    { type: "project.tasks_created", at, ...created },
    { type: "project.kickoff_finished", at, summary },
  ];
}

/** What is wrong with a plan, if anything is. */
export function planProblem(tasks: readonly DraftTask[]): string | undefined {
  if (tasks.length === 0) return "it has no tasks";
  if (tasks.length > MAX_TASKS) return `it has ${tasks.length} tasks, ${MAX_TASKS} at most`;
  const untitled = tasks.findIndex(({ title }) => title.trim() === "");
  if (untitled !== -1) return `task ${untitled + 1} has no title`;
  const long = tasks.find(({ title }) => title.length > MAX_TITLE_CHARS);
  if (long !== undefined) return `a title is longer than ${MAX_TITLE_CHARS} characters`;
  for (const [index, task] of tasks.entries()) {
    const flaw = listProblem(task) ?? orderProblem(task, index, tasks.length);
    if (flaw !== undefined) return `task ${index + 1} ${flaw}`;
  }
  const cycle = cycleIn(new Map(tasks.map(({ after = [] }, index) => [index + 1, after])));
  return cycle && `tasks ${cycle.join(", ")} wait for each other`;
}

function listProblem({ accept: criteria = [], verify = [] }: DraftTask): string | undefined {
  const { accept: most, acceptChars, verify: mostCommands, verifyChars } = PLAN_LIMITS;
  if (criteria.length > most) return `has ${criteria.length} acceptance criteria, ${most} at most`;
  if (verify.length > mostCommands) {
    return `has ${verify.length} commands to verify it, ${mostCommands} at most`;
  }
  if (criteria.some((each) => isEmpty(each) || each.length > acceptChars)) {
    return `has an acceptance criterion that is empty or longer than ${acceptChars} characters`;
  }
  return verify.some((each) => isEmpty(each) || each.length > verifyChars)
    ? `has a command that is empty or longer than ${verifyChars} characters`
    : undefined;
}

const isEmpty = (text: string): boolean => text.trim() === "";

function orderProblem({ after = [] }: DraftTask, index: number, count: number): string | undefined {
  if (after.includes(index + 1)) return "comes after itself";
  const unknown = after.find((number) => !Number.isInteger(number) || number < 1 || number > count);
  return unknown === undefined
    ? undefined
    : `comes after task ${unknown}, and there are tasks 1 to ${count}`;
}

/** However often it is split and forked. */
export function tooManyTasks({ tasks }: Project, more: number): Refusal | undefined {
  return tasks.length + more > MAX_TASKS * MAX_TASKS
    ? refuse("plan.malformed", "the project has too many tasks")
    : undefined;
}

export function numbered(project: Project, tasks: readonly DraftTask[]): readonly PlannedTask[] {
  const idOf = (number: number): string => partId(project, "task", project.taskCount + number);
  return tasks.map(({ after = [], ...task }, index) => ({
    ...task,
    taskId: idOf(index + 1),
    ...(after.length > 0 && { after: [...new Set(after)].map(idOf) }),
  }));
}

/** Ids that the world protocol's patterns allow, the same whenever they are made. */
export function partId(
  { projectId }: Project,
  kind: "task" | "art" | "dec" | "cmt",
  number: number,
): string {
  return `${kind}_${projectId.replace(/^proj_/, "")}_${number}`;
}

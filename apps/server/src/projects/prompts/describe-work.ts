/** What was asked, what the plan is, and what others have handed over, as a task's prompt tells it. */
import {
  type Artifact,
  type CrewMember,
  type Project,
  type RunEnded,
  type Task,
} from "@atrium/core";
import { describeFiles } from "../../tools/tasks/describe-files.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { oneLine, quoted } from "./quoting.ts";

const MAX_REQUEST_CHARS = 8_000;
const MAX_SUMMARY_CHARS = 2_000;
const MAX_FILES_CHARS = 1_500;
const MAX_RESULTS = 12;

export function describeRequest({ text, constraints }: Pick<Project, "text" | "constraints">): {
  readonly request: string;
  readonly constraints: string;
} {
  const wishes = Object.entries(constraints).map(
    ([name, value]) => `- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return {
    request: quoted(text, MAX_REQUEST_CHARS),
    constraints: quoted(wishes.join("\n"), MAX_REQUEST_CHARS),
  };
}

export function describeTeam(crew: readonly CrewMember[]): string {
  return crew.map(({ name, role }) => `- ${name}, ${role}`).join("\n");
}

export function quotedList(items: readonly string[], maxChars: number): string {
  return quoted(
    items.map((item) => `- ${oneLine(item, maxChars)}`).join("\n"),
    maxChars * items.length,
  );
}

/** One line for each task: what, who, how far, and what it waits for. */
export function describePlan(
  { tasks }: Pick<Project, "tasks">,
  current: Pick<Task, "taskId">,
  crew: readonly CrewMember[],
): string {
  if (tasks.length === 1) return "";
  const numberOf = new Map(tasks.map(({ taskId }, at) => [taskId, at + 1]));
  return tasks
    .map(({ taskId, title, status, assignee, after }, at) => {
      const who = nameOf(assignee, crew) ?? "nobody yet";
      const before = after.flatMap((id) => numberOf.get(id) ?? []);
      const order = before.length === 0 ? "" : `, after ${before.join(", ")}`;
      const mark = taskId === current.taskId ? " <- this task" : "";
      return `${at + 1}. ${oneLine(title)} (${who}, ${status.replaceAll("_", " ")}${order})${mark}`;
    })
    .join("\n");
}

export function nameOf(agentId: string | null, crew: readonly CrewMember[]): string | undefined {
  return crew.find(({ id }) => id === agentId)?.name;
}

export interface ResultDeps {
  readonly crew: readonly CrewMember[];
  /** How a run ended, if it has. */
  readonly endOf: (runId: string) => Promise<RunEnded | undefined>;
}

export interface ChangeReader {
  readonly git: Pick<Workspaces, "compareTrees">;
  readonly repositoryId: string;
}

/** Of everything that a task comes after: what was said when it was handed over, and which files it changed. */
export async function describeResults(
  deps: ResultDeps,
  of: Pick<Project, "tasks" | "artifacts">,
  { after }: Pick<Task, "after">,
  files: ChangeReader | undefined,
): Promise<string> {
  const before = of.tasks.filter(({ taskId }) => after.includes(taskId)).slice(0, MAX_RESULTS);
  const parts = await Promise.all(
    before.map(async (task) => {
      const head = `Task ${of.tasks.indexOf(task) + 1}, ${oneLine(task.title)} (${task.status}):`;
      const made = of.artifacts.filter(
        ({ taskId, status }) => taskId === task.taskId && status !== "withdrawn",
      );
      const names = made.map(({ artifactId, name }) => `${oneLine(name)} (${artifactId})`);
      return [
        head,
        await summaryOf(deps, made.at(-1)?.versions.at(-1)?.runId ?? task.runId),
        ...(await Promise.all(made.map((artifact) => changedFiles(artifact, files)))),
        ...(names.length === 0 ? [] : [`Handed over: ${names.join(", ")}`]),
      ]
        .filter((text) => text !== "")
        .join("\n");
    }),
  );
  return parts.join("\n\n");
}

/** What was said at the end of a run. */
export async function summaryOf({ endOf }: ResultDeps, runId: string | null): Promise<string> {
  const ended = runId === null ? undefined : await endOf(runId);
  return ended === undefined || ended.type === "run.merged"
    ? ""
    : quoted(ended.text, MAX_SUMMARY_CHARS);
}

/** Which files the newest version of a change has changed. */
export async function changedFiles(
  { versions }: Pick<Artifact, "versions">,
  files: ChangeReader | undefined,
): Promise<string> {
  const change = versions.at(-1)?.change;
  if (change === undefined || files === undefined) return "";
  const compared = await files.git.compareTrees(files.repositoryId, change.base, change.commit);
  return compared.ok ? quoted(describeFiles(compared.value), MAX_FILES_CHARS) : "";
}

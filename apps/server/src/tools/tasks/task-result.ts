/** What another task of the same project has handed over: what its agent said, its artifacts and its files. */
import {
  describeRefusal,
  type Artifact,
  type CrewMember,
  type Project,
  type RunEnded,
  type Task,
  type WorkspaceStart,
  type WorkspacesProjection,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import type { Blobs } from "../../platform/blobs.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";
import { objection } from "../define-tool.ts";
import { defineWorkspaceTool, plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { oneLine } from "./describe-artifact.ts";
import { describeFiles } from "./describe-files.ts";
import { findTask, NO_PROJECT, unknownTask } from "./find-task.ts";
import { isText } from "./is-text.ts";
import { projectOfTalk, type ProjectFinder } from "./project-of-talk.ts";

export interface TaskResultDeps {
  readonly projects: ProjectFinder;
  readonly crew: readonly CrewMember[];
  /** How a run ended, if it has. */
  readonly endOf: (runId: string) => Promise<RunEnded | undefined>;
  readonly blobs: Pick<Blobs, "get">;
  readonly workspaces: Pick<WorkspacesProjection, "get">;
  readonly startOf: (workspaceId: string) => Promise<WorkspaceStart | undefined>;
  readonly useWorkspaces: () => Promise<Pick<Workspaces, "compareTrees">>;
}

const MAX_CHARS = 20_000;
/** The rest is for files and artifacts. */
const MAX_ANSWER_CHARS = 6_000;

export function taskResultTool(deps: TaskResultDeps): Tool {
  return defineWorkspaceTool({
    name: "task_result",
    description:
      "Shows what another task of the project you work on has handed over: what was said, the artifacts, and which files changed.",
    input: {
      taskId: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The id of the task, or its number: "2" for Task 2.',
      }),
    },
    async call({ taskId }, { key }) {
      const project = projectOfTalk(deps.projects, key);
      if (project === undefined) return objection(NO_PROJECT);
      const task = findTask(project, taskId);
      if (task === undefined) return objection(unknownTask(project));
      const parts = [
        headOf(task, project, deps.crew),
        await answerOf(task, deps),
        await filesOf(task, deps),
        ...(await artifactsOf(task, project, deps)),
      ];
      return plainResult(cut(parts.filter((part) => part !== "").join("\n\n")));
    },
  });
}

function headOf(task: Task, { tasks }: Project, crew: readonly CrewMember[]): string {
  const number = tasks.indexOf(task) + 1;
  const by = crew.find(({ id }) => id === task.assignee)?.name ?? "nobody yet";
  const note = task.note === null ? "" : `\nNote: ${task.note}`;
  return `Task ${number} (${task.taskId}): ${oneLine(task.title)}\nStatus: ${task.status}, by ${by}${note}`;
}

async function answerOf({ runId }: Task, { endOf }: TaskResultDeps): Promise<string> {
  const ended = runId === null ? undefined : await endOf(runId);
  if (ended === undefined) return "No run of it has ended yet.";
  if (ended.type === "run.merged" || ended.text === "") return "";
  return `What was said last:\n${cut(ended.text, MAX_ANSWER_CHARS)}`;
}

async function filesOf({ taskId }: Task, deps: TaskResultDeps): Promise<string> {
  const row = deps.workspaces.get(taskId);
  const start = await deps.startOf(taskId);
  const newest = row?.newest ?? undefined;
  if (row === undefined || start === undefined || newest === undefined) return "";
  const git = await deps.useWorkspaces();
  const compared = await git.compareTrees(row.repositoryId, start.tree, newest.tree);
  return compared.ok
    ? `Files: ${describeFiles(compared.value)}`
    : `Its files cannot be read: ${describeRefusal(compared)}`;
}

async function artifactsOf(
  { taskId }: Task,
  { artifacts }: Project,
  { blobs }: TaskResultDeps,
): Promise<readonly string[]> {
  const made = artifacts.filter((each) => each.taskId === taskId && each.status !== "withdrawn");
  return Promise.all(made.map((artifact) => describeArtifact(artifact, blobs)));
}

async function describeArtifact(
  { artifactId, name, status, versions }: Artifact,
  blobs: Pick<Blobs, "get">,
): Promise<string> {
  const newest = versions.at(-1);
  if (newest === undefined) return "";
  const { version, mediaType, bytes, digest } = newest;
  const head = `Artifact ${oneLine(name)} (${artifactId}, version ${version}, ${status}, ${mediaType}, ${bytes} bytes)`;
  if (!isText(mediaType)) return head;
  try {
    return `${head}:\n${cut((await blobs.get(digest)).toString("utf8"))}`;
  } catch {
    return `${head}: its content is no longer stored.`;
  }
}

function cut(text: string, most = MAX_CHARS): string {
  if (text.length <= most) return text;
  const left = text.length - most;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}\n… ${left} characters left out`;
}

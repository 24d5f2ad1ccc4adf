/** What a finished run hands over: a change of files, else what it delivered, else its answer. Then checks, or review. */
import {
  describeRefusal,
  idIn,
  conversation,
  type Outcome,
  type Project,
  type RunEnded,
  type Task,
} from "@atrium/core";
import type { Entry } from "@atrium/log";
import type { SealedWork } from "../work/changes.ts";
import { DELIVERY_SHELF } from "../work/places.ts";
import type { ProjectCommands } from "../work/project-commands.ts";

export type CompletedRun = Extract<RunEnded, { type: "run.completed" }>;

/** Whether the work is finished, which counts what it used. */
export async function handOver(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  task: Task,
  ended: CompletedRun,
): Promise<boolean> {
  const { projectId } = of;
  const { taskId } = task;
  const { runId, usage } = ended;
  // Reacted to again, it may be in review by now.
  if (task.status === "in_progress") {
    const sealed = await seal(commands, entry, of, task, ended);
    if (!sealed.ok) {
      const reason = `What was made could not be kept: ${describeRefusal(sealed)}`;
      await commands.dispatch(projectId, { type: "fail-task", taskId, runId, reason }, entry);
      return false;
    }
    if (sealed.value === undefined) await keepAnswer(commands, entry, of, task, ended);
    else await keepChange(commands, entry, of, task, sealed.value);
  }
  const checks = commands.deps.changes.checksOf(taskId).map(({ name }) => name);
  const finish = { taskId, runId, usage, poiId: DELIVERY_SHELF, checks };
  return commands.dispatch(projectId, { type: "finish-work", ...finish }, entry);
}

async function seal(
  commands: ProjectCommands,
  { stream, at, seq }: Entry,
  { projectId }: Project,
  { taskId, title, assignee }: Task,
  { runId, text, stopReason }: CompletedRun,
): Promise<Outcome<SealedWork | undefined>> {
  const key = idIn(conversation, stream) ?? "";
  const isUnfinished = stopReason === "length" || stopReason === "max_steps";
  const words = { title, text, isUnfinished };
  const run = { projectId, taskId, agentId: assignee ?? "", runId, key, ...words, at, seq };
  return commands.persist(() => commands.deps.changes.seal(run));
}

async function keepChange(
  commands: ProjectCommands,
  entry: Entry,
  { projectId }: Project,
  { taskId, runId }: Task,
  { change, content }: SealedWork,
): Promise<void> {
  if (runId === null) return;
  const made = { name: content.name, kind: "change", content, change };
  await commands.dispatch(projectId, { type: "create-artifact", taskId, runId, made }, entry);
}

/** Who hands nothing over has still said something; that is then what was made. */
async function keepAnswer(
  commands: ProjectCommands,
  entry: Entry,
  of: Project,
  { taskId, title, runId }: Task,
  ended: CompletedRun,
): Promise<void> {
  const hasMade = of.artifacts.some(
    (each) => each.taskId === taskId && each.versions.some((version) => version.runId === runId),
  );
  if (hasMade) return;
  const answer = ended.text === "" ? `# ${title}\n\n(No answer.)\n` : ended.text;
  const isYielding = of.artifacts.some(
    (each) => each.taskId === taskId && each.landing?.state === "conflicted",
  );
  const bytes = Buffer.from(isYielding ? `${YIELDED}\n\n${answer}` : answer);
  const name = `${slug(title)}.md`;
  const digest = await commands.deps.blobs.put(bytes);
  const content = { name, mediaType: "text/markdown", bytes: bytes.length, digest };
  const made = { name, kind: "document", content };
  const create = { type: "create-artifact", taskId, runId: ended.runId, made } as const;
  await commands.dispatch(of.projectId, create, entry);
}

/** Whoever reviews it decides about a change that is not there any more. */
const YIELDED =
  "*The conflict was resolved in favor of what has landed: no file changes. Approve this to finish the task as it is, or request changes. The version before this one stays readable.*";

function slug(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 48);
  return words === "" ? "result" : words;
}

/** Why a task is worked on again: what people wished, and what failed. */
import {
  type Artifact,
  type ArtifactComment,
  type CheckResult,
  type Project,
  type Task,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Blobs } from "../../platform/blobs.ts";
import { changedFiles, summaryOf, type ResultDeps } from "./describe-work.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { PromptValues } from "./prompt-texts.ts";
import { cutStart, oneLine, quoted } from "./quoting.ts";

export interface RoundDeps extends ResultDeps {
  readonly blobs: Pick<Blobs, "get">;
  readonly workspaces: Pick<WorkspacesProjection, "get">;
}

const MAX_WISH_CHARS = 8_000;
const MAX_COMMENTS = 50;
const MAX_COMMENT_CHARS = 2_000;
const MAX_CODE_CHARS = 1_500;
const MAX_OUTPUT_CHARS = 4_000;

/** What of a task still counts. */
export function artifactsOf({ artifacts }: Project, { taskId }: Task): readonly Artifact[] {
  return artifacts.filter((each) => each.taskId === taskId && each.status !== "withdrawn");
}

/** What people want otherwise; undefined: nothing. */
export async function describeRework(
  deps: RoundDeps,
  of: Project,
  task: Task,
  files: ProjectFiles | undefined,
): Promise<PromptValues<"rework"> | undefined> {
  const wanted = artifactsOf(of, task).filter(({ status }) => status === "changes_requested");
  const [first] = wanted;
  if (first === undefined) return undefined;
  const wishes = wanted.flatMap(({ name, instructions }) => {
    const wish = quoted(instructions ?? "", MAX_WISH_CHARS);
    return wish === "" ? [] : [`${oneLine(name)}:\n${wish}`];
  });
  const comments = wanted.flatMap((artifact) => openComments(artifact));
  return {
    wishes: wishes.length > 0 || comments.length === 0 ? wishes.join("\n\n") : SEE_COMMENTS,
    comments: describeComments(comments),
    version: String(first.version),
    summary: await summaryOf(deps, first.versions.at(-1)?.runId ?? null),
    files: await changedFiles(first, files),
  };
}

const SEE_COMMENTS = "See the comments.";

/** Of the newest review, and older ones that nobody has answered. */
function openComments({ version, comments }: Artifact): readonly ArtifactComment[] {
  return comments.filter(
    ({ resolvedBy, answer, version: about }) =>
      resolvedBy === null && (about === version || answer === null),
  );
}

function describeComments(comments: readonly ArtifactComment[]): string {
  const parts = comments.slice(0, MAX_COMMENTS).map(describeComment);
  const rest = comments.length - parts.length;
  return [...parts, ...(rest > 0 ? [`… ${rest} more comments: see read_artifact`] : [])].join(
    "\n\n",
  );
}

function describeComment({
  commentId,
  path,
  side,
  line,
  endLine,
  version,
  by,
  text,
  code,
}: ArtifactComment): string {
  const lines = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`;
  const place = side === "old" ? "of what was there before" : `of version ${version}`;
  const about = quoted(code.map((each) => `| ${each}`).join("\n"), MAX_CODE_CHARS);
  return [
    `${commentId}, by ${oneLine(by.name)}, on ${oneLine(path)}, ${lines} ${place}:`,
    about,
    ...(about === "" ? [] : [">"]),
    quoted(text, MAX_COMMENT_CHARS),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Which checks the newest version did not pass, with the end of what they put out; undefined: none. */
export async function describeFailures(
  deps: RoundDeps,
  of: Project,
  task: Task,
): Promise<PromptValues<"checks-failed"> | undefined> {
  const failed = artifactsOf(of, task).find(
    ({ checks, version }) => checks?.state === "failed" && checks.version === version,
  );
  const results = failed?.checks?.results.filter(
    ({ verdict }) => verdict === "failed" || verdict === "error",
  );
  if (failed === undefined || results === undefined || results.length === 0) return undefined;
  const failures = await Promise.all(results.map((each) => describeFailure(deps, task, each)));
  return {
    failures: failures.join("\n\n"),
    summary: await summaryOf(deps, failed.versions.at(-1)?.runId ?? null),
  };
}

async function describeFailure(
  { workspaces, blobs }: RoundDeps,
  { taskId }: Task,
  { checkId, name, verdict, exitCode }: CheckResult,
): Promise<string> {
  const ran = workspaces.get(taskId)?.checks.find((each) => each.checkId === checkId);
  const how = exitCode === null ? `ended with ${verdict}` : `ended with exit code ${exitCode}`;
  const command = ran === undefined ? "" : ` (${oneLine(ran.command)})`;
  const head = `${oneLine(name)}${command} ${how}:`;
  const digest = ran?.end?.output?.digest;
  if (digest === undefined) return head;
  const output = await blobs.get(digest).catch(() => undefined);
  const text = output === undefined ? "" : cutStart(output.toString("utf8"), MAX_OUTPUT_CHARS);
  return [head, quoted(text, MAX_OUTPUT_CHARS * 2)].filter((part) => part !== "").join("\n");
}

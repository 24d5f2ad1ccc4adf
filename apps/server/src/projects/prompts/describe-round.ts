/** Why a task is worked on again: what people wished, what failed, what did not fit together. */
import {
  type Artifact,
  type ArtifactComment,
  type CheckResult,
  type CrewMember,
  type Project,
  type Task,
  type WorkspacesProjection,
} from "@atrium/core";
import type { Blobs } from "../../platform/blobs.ts";
import type { TreePlace } from "./describe-tree.ts";
import { changedFiles, nameOf, summaryOf, type ResultDeps } from "./describe-work.ts";
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
const MAX_EXCERPT_CHARS = 3_000;
const MAX_EXCERPTS = 8;
const MAX_EXCERPT_BYTES = 512 * 1024;
const MAX_PATHS = 40;

function artifactsOf({ artifacts }: Project, { taskId }: Task): readonly Artifact[] {
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

/** What an approved change does not fit together with; undefined: it does, or was not tried. */
export async function describeConflict(
  { crew }: { readonly crew: readonly CrewMember[] },
  of: Project,
  task: Task,
  files: ProjectFiles | undefined,
): Promise<PromptValues<"conflict"> | undefined> {
  const conflicted = artifactsOf(of, task).find(({ landing }) => landing?.state === "conflicted");
  const conflict = conflicted?.landing?.conflict;
  if (conflicted === undefined || !conflict) return undefined;
  const madeAt = conflicted.versions.at(-1)?.at ?? 0;
  const others = of.artifacts.flatMap(({ taskId, landing }) => {
    const other = of.tasks.find((each) => each.taskId === taskId);
    if (other === undefined || !landing?.landed || landing.landed.at < madeAt) return [];
    const number = of.tasks.indexOf(other) + 1;
    return [
      `- Task ${number}, ${oneLine(other.title)}, by ${nameOf(other.assignee, crew) ?? "nobody"}`,
    ];
  });
  const paths = conflict.paths.slice(0, MAX_PATHS);
  const rest = conflict.paths.length - paths.length;
  return {
    others: others.length > 0 ? others.join("\n") : "- the repository itself moved on",
    paths: [
      ...paths.map(({ path, kind }) => `- ${oneLine(path)} (${oneLine(kind)})`),
      ...(rest > 0 ? [`- … ${rest} more`] : []),
    ].join("\n"),
    excerpts: files === undefined ? "" : await describeMarks(files, paths),
  };
}

/** Both sides of each conflict, as they stand in the files. */
async function describeMarks(
  { git, repositoryId, tree }: TreePlace,
  paths: readonly { readonly path: string }[],
): Promise<string> {
  const parts = await Promise.all(
    paths.slice(0, MAX_EXCERPTS).map(async ({ path }) => {
      const file = await git.readFile(repositoryId, tree, path, MAX_EXCERPT_BYTES);
      const content = file.ok ? file.value.content : null;
      if (content === null || content.includes(0)) return "";
      const marks = content.toString("utf8").match(MARKED) ?? [];
      const text = quoted(marks.join("\n…\n"), MAX_EXCERPT_CHARS);
      return text === "" ? "" : `In ${oneLine(path)}:\n${text}`;
    }),
  );
  return parts.filter((part) => part !== "").join("\n\n");
}

const MARKED = /^<{7} [^]*?^>{7} .*$/gm;

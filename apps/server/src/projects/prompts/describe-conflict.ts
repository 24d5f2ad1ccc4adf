/** Why a task is worked on again although it was approved: what landed meanwhile, and both sides of what does not fit. */
import type { ConflictPath, ConflictSides, CrewMember, Project, Task } from "@atrium/core";
import { artifactsOf } from "./describe-round.ts";
import type { TreePlace } from "./describe-tree.ts";
import { nameOf } from "./describe-work.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { PromptValues } from "./prompt-texts.ts";
import { oneLine, quoted } from "./quoting.ts";

const MAX_EXCERPT_CHARS = 3_000;
const MAX_EXCERPTS = 8;
const MAX_EXCERPT_BYTES = 512 * 1024;
const MAX_PATHS = 40;

/** Undefined: it fits, or was not tried. */
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
    sides: paths.flatMap(describeSides).join("\n"),
  };
}

/** Both sides of each conflict, as they stand in the files. */
async function describeMarks(
  { git, repositoryId, tree }: TreePlace,
  paths: readonly ConflictPath[],
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

/** Of what no marks can show: who did what, and how to get at each version. */
function describeSides({ path, kind, sides }: ConflictPath): readonly string[] {
  if (kind === "content" || sides === undefined) return [];
  const versions = [
    versionAt("before both", sides.base),
    versionAt("what landed", sides.line),
    versionAt("this change", sides.change),
  ].filter((version) => version !== undefined);
  return [`- ${oneLine(path)}: ${deedOf(sides)} (${versions.join("; ")})`];
}

function versionAt(side: string, id: string | null): string | undefined {
  return id === null ? undefined : `${side}: \`git cat-file blob ${id}\``;
}

function deedOf({ base, line, change }: ConflictSides): string {
  if (line !== null && change !== null) {
    return base === null
      ? "both added it, and your folder has what landed"
      : "both changed it, and your folder has what landed";
  }
  if (base === null) return line === null ? "only this change has it" : "only what landed has it";
  if (line !== null) return "this change deleted it, and what landed changed it";
  if (change !== null) return "what landed deleted it, and this change changed it";
  return "both gave it another name";
}

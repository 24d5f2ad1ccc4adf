/** Artifacts of a project as lines of text, for agents. Names and words in them were chosen by someone. */
import type { Artifact, ArtifactComment, CrewMember, Project } from "@atrium/core";

const MAX_NAME_CHARS = 200;
const MAX_COMMENTS = 20;
const MAX_COMMENT_CHARS = 600;

/** One line: what it is, how it stands, whose it is. */
export function artifactLine(
  artifact: Artifact,
  { tasks }: Pick<Project, "tasks">,
  crew: readonly CrewMember[],
): string {
  const { artifactId, name, kind, version, status, taskId, landing, checks } = artifact;
  const number = tasks.findIndex((each) => each.taskId === taskId) + 1;
  const assignee = tasks[number - 1]?.assignee;
  const by = crew.find(({ id }) => id === assignee)?.name ?? "nobody";
  const change = artifact.versions.at(-1)?.change;
  const open = openComments(artifact).length;
  return [
    `${artifactId} ${oneLine(name)} (${oneLine(kind)}), of task ${number} by ${by}`,
    `version ${version}`,
    status.replaceAll("_", " "),
    ...(landing === null ? [] : [landing.state]),
    ...(change === undefined
      ? []
      : [
          `${change.files} ${change.files === 1 ? "file" : "files"}, +${change.added} −${change.removed}`,
        ]),
    ...(checks?.version === version ? [`checks ${checks.state}`] : []),
    ...(open === 0 ? [] : [`${open} open ${open === 1 ? "comment" : "comments"}`]),
  ].join(", ");
}

/** Each with its place and its answer. */
export function commentLines(artifact: Artifact): readonly string[] {
  const open = openComments(artifact);
  const lines = open.slice(0, MAX_COMMENTS).map(({ commentId, path, line, by, text, answer }) => {
    const head = `${commentId} ${oneLine(path)}:${line}, by ${oneLine(by.name)}`;
    const reply = answer === null ? "" : ` Answered: ${quote(answer)}`;
    return `${head}: ${quote(text)}${reply}`;
  });
  return open.length > lines.length ? [...lines, `… ${open.length - lines.length} more`] : lines;
}

function openComments({ comments }: Artifact): readonly ArtifactComment[] {
  return comments.filter(({ resolvedBy }) => resolvedBy === null);
}

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").slice(0, MAX_NAME_CHARS);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, MAX_COMMENT_CHARS).toWellFormed());
}

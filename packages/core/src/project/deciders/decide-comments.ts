/** Remarks on lines: made with a request for changes, answered by the agent, resolved by people. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import type { ArtifactComment, DraftComment, ReviewComment } from "../model/change.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Artifact, Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { taskOfRun } from "../model/moves.ts";
import { partId } from "./decide-plan.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

/** With ids that no other comment of the project has. */
export function numberedComments(
  project: Project,
  comments: readonly DraftComment[],
): readonly ReviewComment[] {
  const count = project.artifacts.reduce((sum, artifact) => sum + artifact.comments.length, 0);
  return comments.map((comment, index) => {
    return { ...comment, commentId: partId(project, "cmt", count + index + 1) };
  });
}

export function answerComment(
  project: Project,
  { at, taskId, runId, commentId, text }: ProjectCommandOf<"answer-comment">,
): Decided {
  const task = taskOfRun(project, taskId, runId, "deliver");
  if (!task.ok) return task;
  if (text.trim() === "") return refuse("request.empty", "say what you did about it");
  const mine = project.artifacts.filter((each) => each.taskId === taskId);
  const found = commentIn(mine, commentId);
  if (found === undefined) return refuse("comment.missing", commentId);
  const { artifactId } = found.artifact;
  return accept([
    { type: "project.comment_answered", at, taskId, artifactId, commentId, runId, text },
  ]);
}

export function resolveComment(
  project: Project,
  { at, artifactId, commentId, by }: ProjectCommandOf<"resolve-comment">,
): Decided {
  const mine = project.artifacts.filter((each) => each.artifactId === artifactId);
  if (mine.length === 0) return refuse("artifact.missing", artifactId);
  const found = commentIn(mine, commentId);
  if (found === undefined) return refuse("comment.missing", commentId);
  if (found.comment.resolvedBy !== null) return accept([]);
  const { taskId } = found.artifact;
  return accept([{ type: "project.comment_resolved", at, taskId, artifactId, commentId, by }]);
}

function commentIn(
  artifacts: readonly Artifact[],
  commentId: string,
): { readonly artifact: Artifact; readonly comment: ArtifactComment } | undefined {
  for (const artifact of artifacts) {
    const comment = artifact.comments.find((each) => each.commentId === commentId);
    if (comment !== undefined) return { artifact, comment };
  }
  return undefined;
}

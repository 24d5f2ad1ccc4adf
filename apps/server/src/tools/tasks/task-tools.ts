/** The tools that know what a task is part of: what it changed, and what the others made. */
import type { Tool } from "../toolbox.ts";
import { answerCommentTool, type AnswerCommentDeps } from "./answer-comment.ts";
import { changesTool, type ChangesDeps } from "./changes.ts";
import { listArtifactsTool, type ListArtifactsDeps } from "./list-artifacts.ts";
import { readArtifactTool, type ReadArtifactDeps } from "./read-artifact.ts";
import { taskResultTool, type TaskResultDeps } from "./task-result.ts";

export type TaskToolsDeps = ChangesDeps &
  TaskResultDeps &
  ListArtifactsDeps &
  ReadArtifactDeps &
  AnswerCommentDeps;

export function taskTools(deps: TaskToolsDeps): readonly Tool[] {
  return [
    changesTool(deps),
    taskResultTool(deps),
    listArtifactsTool(deps),
    readArtifactTool(deps),
    answerCommentTool(deps),
  ];
}

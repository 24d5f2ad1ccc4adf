/** Answers a comment that a person made on lines of the task's work. */
import { project, workspaceIdOfKey, type Dispatch, type Projects } from "@atrium/core";
import { Type } from "@atrium/schema";
import { defineTool, objection, refusedResult } from "../define-tool.ts";
import { plainResult } from "../files/workspace-tool.ts";
import type { Tool } from "../toolbox.ts";
import { NO_PROJECT } from "./find-task.ts";

export interface AnswerCommentDeps {
  readonly projects: Pick<Projects, "ofRun" | "ofTask">;
  readonly dispatch: Dispatch;
  readonly now: () => number;
}

const MAX_CHARS = 2_000;

export function answerCommentTool({ projects, dispatch, now }: AnswerCommentDeps): Tool {
  return defineTool({
    name: "answer_comment",
    description:
      "Answers a comment on lines of what you handed over, in one or two sentences: what you did about it, or why not. The reviewer sees it beside the comment.",
    input: {
      commentId: Type.String({ minLength: 1, maxLength: 200 }),
      text: Type.String({ minLength: 1, maxLength: MAX_CHARS }),
    },
    isFor: (key) => projects.ofTask(workspaceIdOfKey(key) ?? "") !== undefined,
    async call({ commentId, text }, { runId }) {
      const found = runId === null ? undefined : projects.ofRun(runId);
      if (runId === null || !found?.task) return objection(NO_PROJECT);
      const { projectId } = found.project;
      const { taskId } = found.task;
      const answer = { type: "answer-comment", at: now(), taskId, runId, commentId, text } as const;
      const done = await dispatch(project, projectId, answer);
      return done.ok ? plainResult("Answered.") : refusedResult(done);
    },
  });
}

/** What happens in a build, as signals: who was asked to build what, each step, and what came of it. */
import type { BuildEvent, BuildFeedEvent } from "@atrium/core";
import { truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

const PEOPLE = "user";

export function buildDrafts(event: BuildEvent, buildId: string): readonly SignalDraft[] {
  switch (event.type) {
    case "build.started": {
      const description = truncate(event.prompt, MAX_SUMMARY_CHARS);
      const payload = { taskId: buildId, from: PEOPLE, to: event.agentId, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "build.told":
      return tellingDrafts(event.telling, buildId);
    case "build.cancelled": {
      const result = `cancelled by ${event.by.name}`;
      return [{ type: "completion", payload: { taskId: buildId, success: false, result } }];
    }
    // Its turns are told by the conversation they are in; what was put right or aside is nobody's news.
    case "build.turn.wanted":
    case "build.repaired":
    case "build.rejected":
      return [];
  }
}

/** The protocol has no word for steps and questions; a type of our own is as valid. */
function tellingDrafts(telling: BuildFeedEvent, buildId: string): readonly SignalDraft[] {
  switch (telling.what) {
    case "step-started": {
      const { stepId, title, index, total } = telling;
      return [
        { type: "build.step", payload: { buildId, stepId, title, index, total, state: "started" } },
      ];
    }
    case "step-completed":
      return [
        { type: "build.step", payload: { buildId, stepId: telling.stepId, state: "completed" } },
      ];
    case "asked":
      return [
        {
          type: "build.question",
          payload: { buildId, prompt: truncate(telling.prompt, MAX_SUMMARY_CHARS), state: "asked" },
        },
      ];
    case "answered":
      return [{ type: "build.question", payload: { buildId, state: "answered" } }];
    case "completed":
      return [{ type: "completion", payload: { taskId: buildId, success: true } }];
    case "failed": {
      const result = truncate(telling.reason ?? "failed", MAX_SUMMARY_CHARS);
      return [{ type: "completion", payload: { taskId: buildId, success: false, result } }];
    }
    // What is asked by a tool is told by the run that asks.
    case "wait-began":
    case "wait-ended":
    case "started":
    case "message":
    case "status":
      return [];
  }
}

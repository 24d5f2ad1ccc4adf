/** What happens in a build, as signals: who was asked to build what, each step, and what came of it. */
import type { BuildEvent, BuildFeedEvent } from "@atrium/core";
import { completion, truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

const PEOPLE = "user";

export function buildDrafts(event: BuildEvent, buildId: string): readonly SignalDraft[] {
  switch (event.type) {
    case "build.started": {
      const description = truncate(event.prompt, MAX_SUMMARY_CHARS);
      const payload = { taskId: buildId, from: PEOPLE, to: event.agentId, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "build.told":
      return feedEventDrafts(event.telling, buildId);
    case "build.cancelled":
      return [completion(buildId, false, `cancelled by ${event.by.name}`)];
    // Its turns are told by the conversation they are in; what was put right or aside is nobody's news.
    case "build.turn.wanted":
    case "build.held":
    case "build.repaired":
    case "build.rejected":
      return [];
  }
}

/** The protocol has no word for steps and questions; a type of our own is as valid. */
function feedEventDrafts(event: BuildFeedEvent, buildId: string): readonly SignalDraft[] {
  switch (event.what) {
    case "step-started": {
      const { stepId, title, index, total } = event;
      const payload = { buildId, stepId, title, index, total, state: "started" };
      return [{ type: "build.step", payload }];
    }
    case "step-completed": {
      const payload = { buildId, stepId: event.stepId, state: "completed" };
      return [{ type: "build.step", payload }];
    }
    case "asked": {
      const prompt = truncate(event.prompt, MAX_SUMMARY_CHARS);
      return [{ type: "build.question", payload: { buildId, prompt, state: "asked" } }];
    }
    case "answered":
      return [{ type: "build.question", payload: { buildId, state: "answered" } }];
    case "completed":
      return [completion(buildId, true)];
    case "failed":
      return [completion(buildId, false, event.reason ?? "failed")];
    // What is asked by a tool is told by the run that asks.
    case "wait-began":
    case "wait-ended":
    case "checks-started":
    case "checks-finished":
    case "started":
    case "message":
    case "status":
      return [];
  }
}

/**
 * What is held back until the checks of the repository have passed.
 *
 *   validate under way -> the agent leaves it, or says complete -> held, with all that follows in that turn
 *        its turn ends -> checks-started -> passed: what was held is told
 *                                        -> failed: nobody was told, and the agent mends it, once
 *
 * So nobody is told that a step or the build is complete before that is true. An agent that gives up is
 * believed at once.
 */
import type { AgentBuildEvent, BuildCheckResult, BuildFeedEvent } from "./events.ts";
import type { StartedBuild } from "./state.ts";

/** The step that the checks belong to. */
const CHECKED_STEP = "validate";
export const MAX_HELD = 200;

/** Whether something is held already: what comes after it may only be right because of that. */
export function isHolding({ held }: StartedBuild, said: AgentBuildEvent): boolean {
  const givesUp = said.what === "failed" || (said.what === "status" && said.status === "failed");
  return held.length > 0 && !givesUp;
}

/** Whether these can only be told when the checks have passed. */
export function mustWait(
  { checks = [] }: StartedBuild,
  events: readonly BuildFeedEvent[],
): boolean {
  return checks.length > 0 && events.some(needsChecks);
}

function needsChecks(event: BuildFeedEvent): boolean {
  if (event.what === "step-completed") return event.stepId === CHECKED_STEP;
  if (event.what === "status") return event.status === "complete";
  return event.what === "completed";
}

export function checksStarted({ checks = [] }: StartedBuild): BuildFeedEvent {
  const named = checks.map(({ name, required }) => ({ name, required }));
  return { what: "checks-started", checks: named, source: "backend" };
}

/** One that nobody allowed to run has not failed. */
export function isCulprit({ required, verdict }: BuildCheckResult): boolean {
  return required && (verdict === "failed" || verdict === "error");
}

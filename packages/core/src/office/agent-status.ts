/**
 * How things stand with an agent, in one word: a total function of its work, what it tells of itself, and what became of
 * what it did. It follows from the log alone, and so is the same after a restart.
 *
 *   asks       an answer of a person is waited for, in a task, a chat or a build
 *   working    it does something: a task, a meeting, a delivery, a chat
 *   failed     what it did last has failed, and nobody has taken that up yet
 *   in_review  what it did last waits for a verdict
 *   idle       none of these; whoever is paused is idle, and said to be paused beside it
 *
 * The first that holds. One answer that failed in a chat is told in the chat; it does not make anyone fail.
 */
import type { AgentState } from "../signal/activity.ts";
import type { Work } from "./poses.ts";

export type AgentStatus = "working" | "asks" | "in_review" | "failed" | "idle";

export interface AgentStanding {
  readonly work: Work;
  /** By its runs, or as a guest tells. */
  readonly state: AgentState;
  /** Not of the crew: all that is known of it is what it tells. */
  readonly isGuest: boolean;
  readonly isAsking: boolean;
  readonly hasFailed: boolean;
  readonly isInReview: boolean;
}

export function statusOf(standing: AgentStanding): AgentStatus {
  const { work, state, isGuest, isAsking, hasFailed, isInReview } = standing;
  if (isAsking || state === "waiting") return "asks";
  switch (work) {
    case "working":
    case "meeting":
    case "carrying":
      return "working";
    case "none":
    case "blocked":
    case "paused":
      if (hasFailed || (isGuest && state === "error")) return "failed";
      return isInReview ? "in_review" : "idle";
  }
}

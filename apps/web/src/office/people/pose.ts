/**
 * What an agent's body does: a total function of its state and where it is.
 *
 *   state                on its way       standing   seated
 *   IdleAtHome           walk             stand      sit
 *   WalkingToPOI         walk             stand      sit
 *   WorkingAtPOI         walk             explain    type
 *   InMeeting            walk             explain    discuss
 *   DeliveringArtifact   walk-carrying    carry      carry
 *   SeekingUserDecision  walk             ask        ask-seated
 *   WalkingToPlayer      walk             ask        ask-seated
 *   BlockedWaiting       walk             wait       slump
 *
 * Whoever has an open decision asks, wherever it is; whoever is paused and seated leans back, and stands otherwise.
 * At rest, whoever failed slumps, or waits where it stands, and whoever's work is in review leans back.
 */
import type { WorldAgent } from "@atrium/wire/world";

export type Posture =
  | "walk"
  | "walk-carrying"
  | "stand"
  | "carry"
  | "explain"
  | "ask"
  | "wait"
  | "sit"
  | "type"
  | "discuss"
  | "ask-seated"
  | "slump"
  | "lean-back";

export interface Circumstances {
  readonly state: WorldAgent["state"];
  readonly isWalking: boolean;
  readonly isSeated: boolean;
  readonly isPaused: boolean;
  /** How its work stands; undefined where nobody tells. */
  readonly status?: WorldAgent["status"];
  /** Someone's answer is waited for. */
  readonly isAsking: boolean;
}

export function postureOf(circumstances: Circumstances): Posture {
  const { state, isWalking, isSeated, isPaused, isAsking, status } = circumstances;
  if (isWalking) return state === "DeliveringArtifact" ? "walk-carrying" : "walk";
  if (isAsking) return isSeated ? "ask-seated" : "ask";
  if (isPaused) return isSeated ? "lean-back" : "stand";
  switch (state) {
    case "IdleAtHome":
      if (status === "failed") return isSeated ? "slump" : "wait";
      if (status === "in_review") return isSeated ? "lean-back" : "stand";
      return isSeated ? "sit" : "stand";
    case "WalkingToPOI":
      return isSeated ? "sit" : "stand";
    case "WorkingAtPOI":
      return isSeated ? "type" : "explain";
    case "InMeeting":
      return isSeated ? "discuss" : "explain";
    case "DeliveringArtifact":
      return "carry";
    case "SeekingUserDecision":
    case "WalkingToPlayer":
      return isSeated ? "ask-seated" : "ask";
    case "BlockedWaiting":
      return isSeated ? "slump" : "wait";
  }
}

/** Postures that move by themselves, so that frames must be drawn. */
export const LIVELY_POSTURES: ReadonlySet<Posture> = new Set([
  "walk",
  "walk-carrying",
  "type",
  "discuss",
  "explain",
  "ask",
  "ask-seated",
]);

/** Unheard of for this long while work is expected of it, an agent is a ghost: what is shown may be long over. */
export const GHOST_AFTER_MS = 120_000;

export function isGhost({ state, heard_at, is_visitor }: WorldAgent, time: number): boolean {
  if (heard_at === undefined || time - heard_at < GHOST_AFTER_MS) return false;
  // Nobody expects to hear of a colleague who has nothing to do.
  return is_visitor === true || state !== "IdleAtHome";
}

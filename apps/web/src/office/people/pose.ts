/**
 * What an agent's body does: a total function of its state and where it is.
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
  if (state === "IdleAtHome" && status === "failed") return isSeated ? "slump" : "wait";
  if (state === "IdleAtHome" && status === "in_review") return isSeated ? "lean-back" : "stand";
  return POSTURES[state][isSeated ? 1 : 0];
}

const POSTURES: {
  readonly [State in WorldAgent["state"]]: readonly [standing: Posture, seated: Posture];
} = {
  IdleAtHome: ["stand", "sit"],
  WalkingToPOI: ["stand", "sit"],
  WorkingAtPOI: ["explain", "type"],
  InMeeting: ["explain", "discuss"],
  DeliveringArtifact: ["carry", "carry"],
  SeekingUserDecision: ["ask", "ask-seated"],
  WalkingToPlayer: ["ask", "ask-seated"],
  BlockedWaiting: ["wait", "slump"],
};

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

/**
 * Whether it waits for a person: what the office itself holds open counts whoever is heard of; that it asks in its own
 * terminal counts only while it is heard of, because nobody tells that a dialog there was closed.
 */
export function isAskingNow(agent: WorldAgent, hasOpenDecision: boolean, time: number): boolean {
  const { status, state } = agent;
  // Where it is told how things stand, a pose that has outlived its question says nothing.
  const saysSo = status === undefined ? state === "SeekingUserDecision" : status === "asks";
  return hasOpenDecision || (saysSo && !isGhost(agent, time));
}

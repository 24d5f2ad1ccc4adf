/** In one word, how it goes: what colors a label, and a figure on the floor plan. */
import type { Figure } from "../people/figures.ts";

export type Tone = "idle" | "busy" | "stuck" | "asks" | "ghost";

/** Whose name is seen when there is no room for all: the smallest first. */
export const RANKS: Readonly<Record<Tone, number>> = {
  asks: 0,
  stuck: 1,
  busy: 2,
  idle: 3,
  ghost: 3,
};

export function toneOf({ agent, isAsking, isGhost }: Figure): Tone {
  if (isAsking) return "asks";
  if (isGhost) return "ghost";
  switch (agent.state) {
    case "WorkingAtPOI":
    case "InMeeting":
    case "DeliveringArtifact":
      return "busy";
    case "BlockedWaiting":
      return "stuck";
    case "IdleAtHome":
    case "WalkingToPOI":
    case "WalkingToPlayer":
    case "SeekingUserDecision":
      return "idle";
  }
}

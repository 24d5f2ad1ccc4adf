/** In one word, how it goes: what colors a label, and a figure on the floor plan. */
import type { Figure } from "../people/figures.ts";

export type Tone = "idle" | "review" | "busy" | "failed" | "asks" | "ghost";

/** Whose name is seen when there is no room for all: the smallest first. */
export const RANKS: Readonly<Record<Tone, number>> = {
  asks: 0,
  failed: 1,
  busy: 2,
  review: 3,
  idle: 4,
  ghost: 4,
};

const BUSY_STATES: ReadonlySet<Figure["agent"]["state"]> = new Set([
  "WorkingAtPOI",
  "InMeeting",
  "DeliveringArtifact",
]);

export function toneOf({ agent, isAsking, isGhost }: Figure): Tone {
  const { status, state } = agent;
  if (isAsking) return "asks";
  if (isGhost) return "ghost";
  if (status === "failed") return "failed";
  if (status === "in_review") return "review";
  return BUSY_STATES.has(state) ? "busy" : "idle";
}

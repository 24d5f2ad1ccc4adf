/**
 * After a request the camera goes to the table when people are there, and back to the room when they have left: it never
 * waits at empty stools. Pure.
 *
 *   request --> waiting --someone is in the meeting--> there --nobody is any more--> over
 */
import type { WorldAgent } from "@atrium/wire/world";

export type KickoffWatch = "over" | "waiting" | "there";

export interface KickoffStep {
  readonly watch: KickoffWatch;
  readonly go?: "table" | "room";
}

export function kickoffStep(
  watch: KickoffWatch,
  agents: readonly Pick<WorldAgent, "state">[],
): KickoffStep {
  const isMeeting = agents.some(({ state }) => state === "InMeeting");
  switch (watch) {
    case "over":
      return { watch };
    case "waiting":
      return isMeeting ? { watch: "there", go: "table" } : { watch };
    case "there":
      return isMeeting ? { watch } : { watch: "over", go: "room" };
  }
}

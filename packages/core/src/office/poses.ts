/**
 * What an agent is seen doing: a total function of what it was sent to do, whether it has got there, and its work.
 *
 *              under way            arrived, with work:  none            working       blocked, paused  meeting       carrying
 *   go_to_poi         WalkingToPOI           IdleAtHome      WorkingAtPOI  BlockedWaiting   InMeeting *   DeliveringArtifact
 *   go_to_player      WalkingToPlayer        BlockedWaiting  WorkingAtPOI  BlockedWaiting   InMeeting *   DeliveringArtifact
 *   seek_decision     WalkingToPlayer        SeekingUserDecision, whatever the work
 *   deliver_artifact  DeliveringArtifact     IdleAtHome      WorkingAtPOI  BlockedWaiting   InMeeting *   DeliveringArtifact
 *   wait, or no goal  (never)                IdleAtHome      WorkingAtPOI  BlockedWaiting   InMeeting *   DeliveringArtifact
 *
 *   * at the meeting table; a meeting that one takes part in from elsewhere is WorkingAtPOI.
 *
 * Whoever walks to a point of interest with something in hand is DeliveringArtifact too.
 */
import type { PoiKind } from "./geometry/scene.ts";

export type Pose =
  | "IdleAtHome"
  | "WalkingToPOI"
  | "WorkingAtPOI"
  | "InMeeting"
  | "DeliveringArtifact"
  | "SeekingUserDecision"
  | "WalkingToPlayer"
  | "BlockedWaiting";

export type Work = "none" | "working" | "blocked" | "paused" | "meeting" | "carrying";

export type GoalKind = "go_to_poi" | "go_to_player" | "wait" | "deliver_artifact" | "seek_decision";

export interface Situation {
  /** Null when it has not been sent anywhere yet. */
  readonly goalKind: GoalKind | null;
  /** Of the point of interest it is sent to, or has its place at; null when there is none. */
  readonly poiKind: PoiKind | null;
  readonly hasArrived: boolean;
  readonly work: Work;
}

export function poseOf({ goalKind, poiKind, hasArrived, work }: Situation): Pose {
  if (!hasArrived) return poseUnderWay(goalKind, work);
  switch (goalKind) {
    case "seek_decision":
      return "SeekingUserDecision";
    case "go_to_player":
      return work === "none" ? "BlockedWaiting" : poseAt(poiKind, work);
    case "go_to_poi":
    case "deliver_artifact":
    case "wait":
    case null:
      return poseAt(poiKind, work);
  }
}

function poseUnderWay(goalKind: GoalKind | null, work: Work): Pose {
  switch (goalKind) {
    case "go_to_player":
    case "seek_decision":
      return "WalkingToPlayer";
    case "deliver_artifact":
      return "DeliveringArtifact";
    case "go_to_poi":
    case "wait":
    case null:
      return work === "carrying" ? "DeliveringArtifact" : "WalkingToPOI";
  }
}

function poseAt(poiKind: PoiKind | null, work: Work): Pose {
  switch (work) {
    case "none":
      return "IdleAtHome";
    case "working":
      return "WorkingAtPOI";
    case "blocked":
    case "paused":
      return "BlockedWaiting";
    case "meeting":
      return poiKind === "meeting_table" ? "InMeeting" : "WorkingAtPOI";
    case "carrying":
      return "DeliveringArtifact";
  }
}

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PoiKind } from "./geometry/scene.ts";
import { poseOf, type GoalKind, type Pose, type Work } from "./poses.ts";

const WORKS: readonly Work[] = ["none", "working", "blocked", "paused", "meeting", "carrying"];

/** What is seen with each work, in the order above, at the meeting table. */
const AT_THE_TABLE: Record<GoalKind | "nothing", string> = {
  go_to_poi: "IdleAtHome WorkingAtPOI BlockedWaiting BlockedWaiting InMeeting DeliveringArtifact",
  deliver_artifact:
    "IdleAtHome WorkingAtPOI BlockedWaiting BlockedWaiting InMeeting DeliveringArtifact",
  wait: "IdleAtHome WorkingAtPOI BlockedWaiting BlockedWaiting InMeeting DeliveringArtifact",
  nothing: "IdleAtHome WorkingAtPOI BlockedWaiting BlockedWaiting InMeeting DeliveringArtifact",
  go_to_player:
    "BlockedWaiting WorkingAtPOI BlockedWaiting BlockedWaiting InMeeting DeliveringArtifact",
  seek_decision: Array(6).fill("SeekingUserDecision").join(" "),
};

const WALKING: Record<GoalKind | "nothing", string> = {
  go_to_poi: "WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI DeliveringArtifact",
  deliver_artifact: Array(6).fill("DeliveringArtifact").join(" "),
  wait: "WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI DeliveringArtifact",
  nothing: "WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI WalkingToPOI DeliveringArtifact",
  go_to_player: Array(6).fill("WalkingToPlayer").join(" "),
  seek_decision: Array(6).fill("WalkingToPlayer").join(" "),
};

const ELSEWHERE: readonly (PoiKind | null)[] = [
  "desk",
  "bd_desk",
  "delivery_shelf",
  "trophy_shelf",
  "task_board",
  "lounge",
  "coffee",
  "entrance",
  null,
];

test("[SIM-10] every goal, place, arrival and work gives one pose", () => {
  for (const goal of Object.keys(WALKING) as (GoalKind | "nothing")[]) {
    const goalKind = goal === "nothing" ? null : goal;
    const posesOf = (poiKind: PoiKind | null, hasArrived: boolean): Pose[] =>
      WORKS.map((work) => poseOf({ goalKind, poiKind, hasArrived, work }));
    assert.deepEqual(posesOf("meeting_table", true).join(" "), AT_THE_TABLE[goal], goal);
    assert.deepEqual(posesOf("meeting_table", false).join(" "), WALKING[goal], goal);
    for (const poiKind of ELSEWHERE) {
      const elsewhere = AT_THE_TABLE[goal].replace("InMeeting", "WorkingAtPOI");
      assert.deepEqual(posesOf(poiKind, true).join(" "), elsewhere, `${goal} ${poiKind}`);
      assert.deepEqual(posesOf(poiKind, false).join(" "), WALKING[goal], `${goal} ${poiKind}`);
    }
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCameraControl, type Camera } from "./camera-control.ts";
import { kickoffStep } from "./kickoff-watch.ts";

const at = (...states: readonly ("IdleAtHome" | "WalkingToPOI" | "InMeeting")[]) =>
  states.map((state) => ({ state }));

test("after a request the camera goes to the table once people are there, and back when they have left", () => {
  assert.deepEqual(kickoffStep("waiting", at("WalkingToPOI", "IdleAtHome")), { watch: "waiting" });
  assert.deepEqual(kickoffStep("waiting", at("InMeeting")), { watch: "there", go: "table" });
  assert.deepEqual(kickoffStep("there", at("InMeeting", "WalkingToPOI")), { watch: "there" });
  assert.deepEqual(kickoffStep("there", at("WalkingToPOI")), { watch: "over", go: "room" });
  assert.deepEqual(kickoffStep("over", at("InMeeting")), { watch: "over" });
});

test("whoever sends the camera elsewhere is not taken back to the table", () => {
  const went: string[] = [];
  const operator: Camera = {
    flyTo: (id) => void went.push(id),
    follow: (id) => void went.push(`after ${id}`),
    frameRoom: () => void went.push("room"),
  };
  const desk = createCameraControl();
  desk.operate(operator);
  desk.watchKickoff();
  desk.look(at("WalkingToPOI"));
  desk.look(at("InMeeting"));
  desk.look(at("IdleAtHome"));
  desk.look(at("InMeeting"));
  assert.deepEqual(went, ["room", "poi_meeting_table", "room"]);
  desk.watchKickoff();
  desk.follow("agent_a");
  desk.look(at("InMeeting"));
  assert.deepEqual(went.slice(3), ["room", "after agent_a"]);
});

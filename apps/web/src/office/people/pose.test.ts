import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_STATES } from "@atrium/wire/world";
import type { WorldAgent } from "@atrium/wire/world";
import { jointsOf } from "./joints.ts";
import { GHOST_AFTER_MS, isGhost, LIVELY_POSTURES, postureOf, type Posture } from "./pose.ts";

const TABLE: Readonly<
  Record<WorldAgent["state"], readonly [walking: Posture, standing: Posture, seated: Posture]>
> = {
  IdleAtHome: ["walk", "stand", "sit"],
  WalkingToPOI: ["walk", "stand", "sit"],
  WorkingAtPOI: ["walk", "explain", "type"],
  InMeeting: ["walk", "explain", "discuss"],
  DeliveringArtifact: ["walk-carrying", "carry", "carry"],
  SeekingUserDecision: ["walk", "ask", "ask-seated"],
  WalkingToPlayer: ["walk", "ask", "ask-seated"],
  BlockedWaiting: ["walk", "wait", "slump"],
};
const CALM = { isPaused: false, isAsking: false } as const;

for (const state of AGENT_STATES) {
  test(`[WEB-11] the posture of ${state}, on the way, standing and seated`, () => {
    const postures = [
      postureOf({ ...CALM, state, isWalking: true, isSeated: false }),
      postureOf({ ...CALM, state, isWalking: false, isSeated: false }),
      postureOf({ ...CALM, state, isWalking: false, isSeated: true }),
    ];
    assert.deepEqual(postures, TABLE[state]);
  });

  test(`[WEB-11] whoever waits for an answer asks, also in ${state}; whoever is paused rests`, () => {
    const asking = { state, isWalking: false, isPaused: true, isAsking: true };
    assert.equal(postureOf({ ...asking, isSeated: true }), "ask-seated");
    assert.equal(postureOf({ ...asking, isSeated: false }), "ask");
    const paused = { state, isWalking: false, isPaused: true, isAsking: false };
    assert.equal(postureOf({ ...paused, isSeated: true }), "lean-back");
    assert.equal(postureOf({ ...paused, isSeated: false }), "stand");
  });
}

test("[WEB-11] states that mean different things look different when one is seated", () => {
  const seated = [
    "IdleAtHome",
    "WorkingAtPOI",
    "InMeeting",
    "BlockedWaiting",
    "SeekingUserDecision",
  ] as const;
  const shapes = seated.map((state) => JSON.stringify(jointsOf(TABLE[state][2], 1, 0)));
  assert.equal(new Set(shapes).size, seated.length);
});

test("[WEB-11] an arm is up when someone asks, and only then", () => {
  const postures = [...new Set(Object.values(TABLE).flat())];
  for (const posture of postures) {
    const isUp = jointsOf(posture, 2, 0.3).rightArm.pitch > 150;
    assert.equal(isUp, posture === "ask" || posture === "ask-seated", posture);
  }
});

test("[WEB-11] what does not move looks the same a second later", () => {
  for (const posture of new Set(Object.values(TABLE).flat())) {
    const isSame =
      JSON.stringify(jointsOf(posture, 1, 0)) === JSON.stringify(jointsOf(posture, 2.037, 0.21));
    assert.equal(isSame, !LIVELY_POSTURES.has(posture), posture);
  }
});

const agent = (extra: Partial<WorldAgent>): WorldAgent => ({
  agent_id: "agent_a",
  name: "A",
  role: "r",
  pos: [0, 0, 0],
  facing: [0, 0, 1],
  state: "WorkingAtPOI",
  ...extra,
});

test("[WEB-12] who should be heard of and is not becomes a ghost; a colleague with nothing to do does not", () => {
  const late = 1_000 + GHOST_AFTER_MS;
  assert.equal(isGhost(agent({ heard_at: 1_000 }), late - 1), false);
  assert.equal(isGhost(agent({ heard_at: 1_000 }), late), true);
  assert.equal(isGhost(agent({ heard_at: 1_000, state: "IdleAtHome" }), late), false);
  assert.equal(
    isGhost(agent({ heard_at: 1_000, state: "IdleAtHome", is_visitor: true }), late),
    true,
  );
  assert.equal(isGhost(agent({}), late), false);
});

test("[WEB-11] at rest, whoever failed slumps or waits, and whoever's work is in review leans back", () => {
  const at = { state: "IdleAtHome", isWalking: false, isPaused: false, isAsking: false } as const;
  const postures = (["failed", "in_review", "idle"] as const).map((status) =>
    [true, false].map((isSeated) => postureOf({ ...at, isSeated, status })),
  );
  assert.deepEqual(postures, [
    ["slump", "wait"],
    ["lean-back", "stand"],
    ["sit", "stand"],
  ]);
  assert.equal(
    postureOf({ ...at, isSeated: true, isAsking: true, status: "failed" }),
    "ask-seated",
  );
});

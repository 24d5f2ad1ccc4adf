import assert from "node:assert/strict";
import { test } from "node:test";
import { createPostureMemory, mixJoints } from "./changing-posture.ts";
import { jointsOf } from "./joints.ts";

const standing = jointsOf("stand", 0, 0);
const sitting = jointsOf("sit", 0, 0);

test("who changes posture passes through what lies between, and is there within half a second", () => {
  const memory = createPostureMemory();
  assert.deepEqual(memory.joints("agent_a", "stand", standing, 1000), standing);
  assert.equal(memory.isChanging(1000), false);
  assert.deepEqual(memory.joints("agent_a", "sit", sitting, 2000), standing);
  assert.equal(memory.isChanging(2000), true);
  const { seated } = memory.joints("agent_a", "sit", sitting, 2160);
  assert.ok(seated > 0.3 && seated < 0.7, `${seated}`);
  assert.deepEqual(memory.joints("agent_a", "sit", sitting, 2500), sitting);
  assert.equal(memory.isChanging(2500), false);
});

test("who is seen for the first time, or after the clock was moved, simply is there", () => {
  const memory = createPostureMemory();
  assert.deepEqual(memory.joints("agent_a", "sit", sitting, 1000), sitting);
  memory.forget();
  assert.deepEqual(memory.joints("agent_a", "stand", standing, 1010), standing);
  memory.keepOnly(new Set(["agent_b"]));
  assert.deepEqual(memory.joints("agent_a", "sit", sitting, 1020), sitting);
});

test("a mix begins with the one and ends with the other", () => {
  assert.deepEqual(mixJoints(standing, sitting, 0), standing);
  assert.deepEqual(mixJoints(standing, sitting, 1), sitting);
});

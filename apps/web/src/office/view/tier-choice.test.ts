import assert from "node:assert/strict";
import { test } from "node:test";
import { createTierChoice, firstTier } from "./tier-choice.ts";

const strong = { renderer: "ANGLE (NVIDIA GeForce RTX 4070)", memory: 8, isHandheld: false };

test("[WEB-15] a machine that draws by software starts low, a small or unknown one in the middle, others high", () => {
  const tierOf = (rest: Partial<typeof strong>): string => firstTier({ ...strong, ...rest });
  assert.equal(tierOf({}), "high");
  assert.equal(tierOf({ renderer: "Apple M2" }), "high");
  for (const renderer of [
    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)))",
    "llvmpipe (LLVM 15.0.7, 256 bits)",
    "Microsoft Basic Render Driver",
  ]) {
    assert.equal(tierOf({ renderer }), "low", renderer);
  }
  for (const rest of [
    { memory: 4 },
    { isHandheld: true },
    { renderer: "" },
    { renderer: "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620)" },
    { renderer: "Mali-G78" },
  ]) {
    assert.equal(tierOf(rest), "medium", JSON.stringify(rest));
  }
});

function play(
  choice: ReturnType<typeof createTierChoice>,
  frames: number,
  ms: number,
  resolution: "lowest" | "between" | "highest",
): string {
  for (let frame = 0; frame < frames; frame += 1) choice.frameTook(ms, resolution);
  return choice.tier;
}

test("[WEB-15] the resolution gives way first; only at its lowest do frames that take long lower the tier", () => {
  const choice = createTierChoice("high");
  assert.equal(play(choice, 500, 60, "between"), "high");
  assert.equal(play(choice, 60, 60, "lowest"), "high");
  assert.equal(play(choice, 60, 60, "lowest"), "medium");
  assert.equal(play(choice, 2_000, 60, "lowest"), "low");
  assert.equal(play(choice, 2_000, 60, "lowest"), "low");
});

test("[WEB-15] a tier rises after long quick frames, and one that was too much once is not tried again", () => {
  const choice = createTierChoice("medium");
  assert.equal(play(choice, 500, 8, "highest"), "medium");
  assert.equal(play(choice, 2_000, 8, "between"), "medium");
  assert.equal(play(choice, 1_000, 8, "highest"), "high");
  assert.equal(play(choice, 120, 60, "lowest"), "medium");
  assert.equal(play(choice, 5_000, 8, "highest"), "medium");
});

test("[WEB-15] one slow frame among quick ones changes nothing", () => {
  const choice = createTierChoice("high");
  for (let frame = 0; frame < 500; frame += 1) {
    choice.frameTook(frame % 50 === 0 ? 200 : 16, "lowest");
  }
  assert.equal(choice.tier, "high");
});

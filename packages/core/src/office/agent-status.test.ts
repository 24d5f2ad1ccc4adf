import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentState } from "../signal/activity.ts";
import { statusOf, type AgentStanding } from "./agent-status.ts";
import type { Work } from "./poses.ts";

const WORKS: readonly Work[] = ["none", "working", "blocked", "paused", "meeting", "carrying"];
const STATES: readonly AgentState[] = ["idle", "thinking", "acting", "waiting", "done", "error"];
const YES_NO = [true, false];

function everyStanding(): readonly AgentStanding[] {
  return WORKS.flatMap((work) =>
    STATES.flatMap((state) =>
      YES_NO.flatMap((isGuest) =>
        YES_NO.flatMap((isAsking) =>
          YES_NO.flatMap((hasFailed) =>
            YES_NO.map((isInReview) => ({
              work,
              state,
              isGuest,
              isAsking,
              hasFailed,
              isInReview,
            })),
          ),
        ),
      ),
    ),
  );
}

test("[SIM-10] how things stand with an agent is the first of asks, working, failed, in review and idle that holds", () => {
  const busy = new Set<Work>(["working", "meeting", "carrying"]);
  for (const standing of everyStanding()) {
    const { work, state, isGuest, isAsking, hasFailed, isInReview } = standing;
    const expected =
      isAsking || state === "waiting"
        ? "asks"
        : busy.has(work)
          ? "working"
          : hasFailed || (isGuest && state === "error")
            ? "failed"
            : isInReview
              ? "in_review"
              : "idle";
    assert.equal(statusOf(standing), expected, JSON.stringify(standing));
  }
});

test("[SIM-10] one failed answer in a chat makes nobody of the crew fail", () => {
  const after: AgentStanding = {
    work: "none",
    state: "error",
    isGuest: false,
    isAsking: false,
    hasFailed: false,
    isInReview: false,
  };
  assert.equal(statusOf(after), "idle");
  assert.equal(statusOf({ ...after, isGuest: true }), "failed");
});

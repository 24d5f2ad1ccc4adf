import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import type { RunEvent } from "../conversation/events.ts";
import { createAuditTrail } from "./audit-trail.ts";
import { createSpending } from "./spending.ts";

const KEY = "agent:main:main";
const QUARTER = 15 * 60_000;
const model = { provider: "p", model: "m" };

function entry(seq: number, at: number, { type, ...data }: RunEvent, key = KEY): Entry {
  return { seq, at, stream: `conversation/${key}`, type, data };
}

const started = (runId: string): RunEvent => ({ type: "run.started", runId, model, collects: [] });
const called = (runId: string, name: string): RunEvent => ({
  type: "run.tool.called",
  runId,
  messageId: "m1",
  callId: "c1",
  name,
  input: {},
});
const completed = (runId: string, cost?: number): RunEvent => ({
  type: "run.completed",
  runId,
  stopReason: "stop",
  messageId: "m2",
  text: "done",
  usage: { inputTokens: 10, outputTokens: 5, ...(cost !== undefined && { cost }) },
});

test("[GW-58] what runs used is summed by conversation, model and quarter of an hour; what is not priced is counted", () => {
  const spending = createSpending();
  const events: readonly (readonly [number, RunEvent])[] = [
    [QUARTER, started("r1")],
    [QUARTER + 1, called("r1", "search")],
    [QUARTER + 2, completed("r1", 0.5)],
    [QUARTER + 3, started("r2")],
    [2 * QUARTER - 1, completed("r2")],
    [2 * QUARTER, started("r3")],
    [2 * QUARTER + 1, completed("r3", 0)],
  ];
  for (const [index, [at, event]] of events.entries()) spending.apply(entry(index + 1, at, event));
  const copy = createSpending();
  copy.load(JSON.parse(JSON.stringify(spending.save())));
  for (const each of [spending, copy]) {
    const [first, second, ...more] = each.list();
    assert.deepEqual(first, {
      from: QUARTER,
      key: KEY,
      model,
      usage: { inputTokens: 20, outputTokens: 10, cost: 0.5, isCostPartial: true },
      runs: 2,
      unpriced: 1,
      failed: 0,
      answers: 2,
      tools: { search: 1 },
      firstAt: QUARTER + 2,
      lastAt: 2 * QUARTER - 1,
    });
    assert.deepEqual([second?.from, second?.usage.cost, second?.unpriced], [2 * QUARTER, 0, 0]);
    assert.deepEqual(more, []);
  }
});

test("[GW-59] the trail has every beginning and end of runs and calls, and goes over a restart", () => {
  const trail = createAuditTrail();
  const failed: RunEvent = {
    type: "run.failed",
    runId: "r1",
    kind: "timeout",
    reason: "slow",
    messageId: "m3",
    text: "",
    usage: { inputTokens: 0, outputTokens: 0 },
  };
  const events = [started("r1"), called("r1", "search"), failed];
  for (const [index, event] of events.entries()) trail.apply(entry(index + 1, 1, event));
  const copy = createAuditTrail();
  copy.load(JSON.parse(JSON.stringify(trail.save())));
  assert.deepEqual(copy.list(), trail.list());
  assert.deepEqual(
    trail.list().map(({ seq, did, outcome, call }) => [seq, did, outcome, call?.tool]),
    [
      [1, "run.began", null, undefined],
      [2, "call.began", null, "search"],
      [3, "run.ended", "timed-out", undefined],
    ],
  );
});

test("[GW-59] a long trail keeps its end", () => {
  const trail = createAuditTrail();
  for (let seq = 1; seq <= 10_001; seq++) trail.apply(entry(seq, seq, started(`r${seq}`)));
  const steps = trail.list();
  assert.deepEqual([steps.length, steps[0]?.seq, steps.at(-1)?.seq], [5_000, 5_002, 10_001]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import * as fc from "fast-check";
import { createActivities } from "../projections/activities.ts";
import { createVisitors } from "../projections/visitors.ts";
import {
  nobodyActive,
  stateOf,
  stepActivity,
  type Activity,
  type StateChange,
} from "./activity.ts";

function entriesOf(
  ...events: readonly (readonly [stream: string, type: string, data: object])[]
): Entry[] {
  return events.map(([stream, type, data], index) => ({
    seq: index + 1,
    at: index,
    stream,
    type,
    data,
  }));
}

const MAIN = "conversation/agent:main:main";
const SIDE = "conversation/agent:main:side";
const started = (stream: string, runId: string) =>
  [stream, "run.started", { runId, model: { provider: "p", model: "m" }, collects: [] }] as const;
const RETURNED = { messageId: "m", name: "look", text: "", isError: false };
const ENDED = { messageId: "m", text: "", usage: {}, stopReason: "stop", kind: "error" };
const called = (runId: string, callId: string) =>
  [MAIN, "run.tool.called", { runId, messageId: "m", callId, name: "look", input: {} }] as const;
const returned = (runId: string, callId: string) =>
  [MAIN, "run.tool.returned", { ...RETURNED, runId, callId }] as const;
const ended = (stream: string, runId: string, how = "completed") =>
  [stream, `run.${how}`, { ...ENDED, runId, reason: "because" }] as const;
const asked = (id: string, runId: string | null) =>
  [
    `approval/${id}`,
    "approval.requested",
    { id, code: "abcde", expiresAt: 99, subject: { runId, tool: "shell", summary: "npm publish" } },
  ] as const;
const settled = (id: string) => [`approval/${id}`, "approval.denied", { by: {} }] as const;
const questioned = (id: string, runId: string) =>
  [
    `question/${id}`,
    "question.asked",
    { id, expiresAt: 99, source: { runId }, items: [{ text: "Which?" }] },
  ] as const;

function changes(entries: readonly Entry[]): StateChange[] {
  let activity: Activity = nobodyActive;
  return entries.flatMap((entry) => {
    const step = stepActivity(activity, entry);
    ({ activity } = step);
    return step.change ?? [];
  });
}

const told = (list: readonly StateChange[]): string[] =>
  list.map(({ from, to }) => `${from} ${to}`);

test("[SIG-9] a run takes its agent from idle through what it does to how it ended", () => {
  const run = changes(
    entriesOf(
      started(MAIN, "r1"),
      called("r1", "c1"),
      called("r1", "c2"),
      returned("r1", "c1"),
      returned("r1", "c2"),
      asked("p1", "r1"),
      settled("p1"),
      questioned("q1", "r1"),
      ["question/q1", "question.answered", { answers: {}, by: {} }],
      ended(MAIN, "r1"),
      started(MAIN, "r2"),
      ended(MAIN, "r2", "failed"),
      started(MAIN, "r3"),
      ended(MAIN, "r3", "aborted"),
    ),
  );
  assert.deepEqual(told(run), [
    "idle thinking",
    "thinking acting",
    "acting thinking",
    "thinking waiting",
    "waiting thinking",
    "thinking waiting",
    "waiting thinking",
    "thinking done",
    "done thinking",
    "thinking error",
    "error thinking",
    "thinking idle",
  ]);
  assert.equal(run[3]?.reason, "may it use shell: npm publish");
  assert.equal(run[9]?.reason, "because");
});

test("[SIG-9] several runs of one agent are one agent", () => {
  const both = changes(
    entriesOf(
      started(MAIN, "r1"),
      started(SIDE, "r2"),
      called("r1", "c1"),
      ended(SIDE, "r2"),
      returned("r1", "c1"),
      ended(MAIN, "r1"),
    ),
  );
  assert.deepEqual(told(both), [
    "idle thinking",
    "thinking acting",
    "acting thinking",
    "thinking done",
  ]);
});

test("[SIG-9] what belongs to no run under way changes nothing", () => {
  assert.deepEqual(
    changes(
      entriesOf(
        asked("p1", null),
        settled("p1"),
        ended(MAIN, "r9"),
        called("r9", "c"),
        settled("p7"),
      ),
    ),
    [],
  );
});

test("[SIG-8] any place in the log gives the same as folding from the beginning", () => {
  const steps = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2_500, maxLength: 4_000 });
  const check = (choices: readonly number[]): void => {
    const entries = entriesOf(
      ...choices.map((choice, index) => {
        const runId = `r${Math.floor(index / 7)}`;
        const makers = [
          started(MAIN, runId),
          called(runId, "c"),
          returned(runId, "c"),
          asked(`p${index}`, runId),
          ended(MAIN, runId),
          started(SIDE, "side"),
        ];
        return makers[choice] ?? started(MAIN, runId);
      }),
    );
    const before = createActivities();
    for (const entry of entries.slice(0, 1_700)) before.apply(entry);
    const activities = createActivities();
    activities.load(JSON.parse(JSON.stringify(before.save())));
    for (const entry of entries.slice(1_700)) activities.apply(entry);
    let truth: Activity = nobodyActive;
    for (const entry of entries) {
      truth = stepActivity(truth, entry).activity;
      if (entry.seq % 499 !== 0) continue;
      const near = activities.near(entry.seq);
      assert.ok(near.seq <= entry.seq && entry.seq - near.seq < 1_000);
      const rest = entries.slice(near.seq, entry.seq);
      const again = rest.reduce((was, each) => stepActivity(was, each).activity, near.activity);
      assert.equal(stateOf(again, "main"), stateOf(truth, "main"));
    }
    assert.equal(stateOf(activities.now, "main"), stateOf(truth, "main"));
  };
  fc.assert(fc.property(steps, check), { seed: 3, numRuns: 5 });
});

test("[SIG-11] an agent that signals tell of is a visitor, with its state and last signal", () => {
  const visitors = createVisitors();
  const signals = [
    {
      id: "1",
      type: "agent_state_change",
      timestamp: 5,
      source: "x",
      payload: { agentId: "a", from: "idle", to: "acting" },
    },
    {
      id: "2",
      type: "tool_call",
      timestamp: 6,
      source: "x",
      correlationId: "run",
      payload: { agentId: "a", toolName: "t" },
    },
    {
      id: "3",
      type: "thinking",
      timestamp: 6,
      source: "y",
      payload: { agentId: "a", content: "" },
    },
    {
      id: "4",
      type: "user.move",
      timestamp: 6,
      source: "y",
      payload: { entityId: "a", toSlot: "s" },
    },
  ];
  visitors.apply({
    seq: 9,
    at: 70,
    stream: "signal/x",
    type: "signals.received",
    data: { signals, passed: [], merged: [] },
  });
  visitors.apply({
    seq: 10,
    at: 71,
    stream: "conversation/agent:main:main",
    type: "run.started",
    data: {},
  });
  const again = createVisitors();
  again.load(JSON.parse(JSON.stringify(visitors.save())));
  for (const each of [visitors, again]) {
    assert.deepEqual(each.list(), [
      {
        agentId: "a",
        source: "x",
        state: "acting",
        lastType: "tool_call",
        lastAt: 70,
        lastSeq: 9,
        correlationId: "run",
      },
      {
        agentId: "a",
        source: "y",
        state: "idle",
        lastType: "thinking",
        lastAt: 70,
        lastSeq: 9,
        correlationId: null,
      },
    ]);
  }
  for (let n = 0; n < 1_200; n++) {
    const one = { ...signals[1], payload: { agentId: `v${n}`, toolName: "t" } };
    visitors.apply({
      seq: 11 + n,
      at: 80,
      stream: "signal/x",
      type: "signals.received",
      data: { signals: [one], passed: [], merged: [] },
    });
  }
  assert.equal(visitors.list().length, 1_000);
});

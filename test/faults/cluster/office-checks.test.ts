import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChainEntry } from "./chain-entries.ts";
import { checkOffice, type OfficeFacts } from "./office-checks.ts";

const A = { node: "a", life: "1" };
const B = { node: "b", life: "1" };
type Step = readonly [author: typeof A, stream: string, type: string, data?: object];

const STEPS: readonly Step[] = [
  [A, "lease/director", "lease.granted"],
  [B, "conversation/x", "run.requested", { runId: "r1" }],
  [A, "conversation/x", "run.started", { runId: "r1" }],
  [B, "signal/test", "signals.received", { signals: [{ id: "s1" }, { id: "s2" }] }],
  [B, "lease/director", "lease.granted"],
  [B, "conversation/x", "run.failed", { runId: "r1" }],
  [B, "project/p", "project.task_started", { taskId: "t", attempt: 1, runId: "r2" }],
  [B, "project/p", "project.task_done", { taskId: "t" }],
  [B, "lease/director", "lease.released"],
];
const CORRECT = factsOf(STEPS);

test("an office in order has no problems", () => {
  assert.deepEqual(checkOffice(CORRECT), {
    problems: [],
    counts: { entries: 9, runs: 1, signals: 2, executions: 1, grants: 2, directed: 3 },
  });
});

/** By a director that was replaced. */
const LATE: readonly (readonly [stream: string, type: string, data: object])[] = [
  ["workspace/t", "workspace.restored", {}],
  ["workspace/t", "workspace.check_started", {}],
  ["repository/shop", "repository.added", {}],
  ["build/b", "build.held", {}],
  ["build/b", "build.told", { telling: { what: "step-started" }, origin: null }],
  ["question/q", "question.expired", { why: "timeout" }],
  ["approval/a", "approval.expired", { why: "timeout" }],
  ["poll/p", "poll.closed", { by: null }],
  ["project/p", "project.change_landed", {}],
  ["project/p", "project.delivered", { by: { id: "ann" } }],
  ["cursor/project-director", "cursor.moved", {}],
  ["conversation/x", "run.aborted", { runId: "r1" }],
];

for (const [name, facts, problem] of [
  ["a run that nobody knows", { ...CORRECT, runs: ["r1", "r9"] }, "r9 is not requested once"],
  ["a run that did not end", without(5), "r1 ended 0 times"],
  ["a run that started twice", twice(2), "started r1: 2 times"],
  ["a run that ended twice", twice(5), "ended r1: 2 times"],
  ["a signal that is gone", without(3), "signal s1 is there 0 times"],
  ["a signal that is there twice", twice(3), "signal s2: 2 times"],
  ["an attempt that began twice", twice(6), "task t attempt 1: 2 times"],
  ["a task that was done twice", twice(7), "task t done: 2 times"],
  ["an execution too many", { ...CORRECT, executions: ["r1", "r1"] }, "r1 was executed twice"],
  [
    "an execution without a start",
    { ...CORRECT, executions: ["r3"] },
    "r3 was executed, and the log does not say so",
  ],
  [
    "a director that was replaced",
    factsOf(STEPS.with(5, [A, "conversation/x", "run.failed", { runId: "r1" }])),
    "run.failed at 6 is by a (1), and b (1) directs",
  ],
  [
    "a director in another life",
    factsOf(STEPS.with(4, [{ node: "b", life: "2" }, "lease/director", "lease.granted"])),
    "run.failed at 6 is by b (1), and b (2) directs",
  ],
  [
    "a director that had released the lease",
    factsOf([...STEPS, [B, "conversation/x", "run.started", { runId: "r4" }]]),
    "run.started at 10 is by b (1), and nobody directs",
  ],
  ...LATE.map(
    ([stream, type, data]) =>
      [
        `${type} ${JSON.stringify(data)} of a director that was replaced`,
        factsOf([...STEPS, [A, stream, type, data]]),
        `${type} at 10 is by a (1), and nobody directs`,
      ] as const,
  ),
] as const) {
  test(`finds ${name}`, () => {
    const { problems } = checkOffice(facts);
    assert.ok(problems.includes(problem), problems.join("\n"));
  });
}

test("what people ask of any node is no problem, whoever directs", () => {
  const asked = [A, "poll/p", "poll.closed", { by: { id: "ann" } }] as const;
  const { problems } = checkOffice(factsOf(STEPS.toSpliced(5, 0, asked)));
  assert.deepEqual(problems, []);
});

function without(index: number): OfficeFacts {
  return factsOf(STEPS.toSpliced(index, 1));
}

function twice(index: number): OfficeFacts {
  return factsOf(STEPS.toSpliced(index, 0, STEPS[index]!));
}

function factsOf(steps: readonly Step[]): OfficeFacts {
  const entries = steps.map(([author, stream, type, data = {}], index): ChainEntry => ({
    seq: index + 1,
    stream,
    type,
    data,
    author,
  }));
  return { entries, runs: ["r1"], signals: ["s1", "s2"], executions: ["r1"] };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { sandbox, type SandboxTested } from "./sandbox.ts";

const confined = {
  mode: "bubblewrap",
  problem: null,
  attempts: [{ name: "the network", outcome: "refused", detail: "" }],
} as const;
const missing = { mode: "asking", problem: "bubblewrap is not installed", attempts: [] } as const;
const tested = (report: Omit<SandboxTested, "type">): SandboxTested => ({
  type: "sandbox.tested",
  ...report,
});

test("[CORE-46] what was found is written when it differs from the last time", () => {
  const record = (report: Omit<SandboxTested, "type">) => ({ type: "record", ...report }) as const;
  const none = given(sandbox);
  assert.deepEqual(none.when(record(confined)), accept([tested(confined)]));
  const once = given(sandbox, tested(confined));
  assert.deepEqual(once.when(record(confined)), accept([]));
  assert.deepEqual(once.when(record(missing)), accept([tested(missing)]));
  const escaped = { ...confined, attempts: [{ ...confined.attempts[0], outcome: "escaped" }] };
  assert.deepEqual(once.when(record(escaped)), accept([tested(escaped)]));
  const gone = given(sandbox, tested(confined), tested(missing));
  assert.deepEqual(gone.when(record(confined)), accept([tested(confined)]));
});

test("[CORE-46] it is read back as it was written", () => {
  const { type } = tested(missing);
  const data = sandbox.write(tested(missing));
  const entry = { seq: 1, stream: "sandbox/commands", type, at: 1, data };
  assert.equal(findEventProblem(entry), undefined);
  assert.deepEqual(sandbox.read(entry), tested(missing));
});

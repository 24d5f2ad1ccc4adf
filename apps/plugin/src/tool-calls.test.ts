import assert from "node:assert/strict";
import { test } from "node:test";
import { createHandTimers } from "./testing/hand-timers.ts";
import { ToolCalls } from "./tool-calls.ts";

const TIMEOUT_MS = 5_000;

function openCalls() {
  const timers = createHandTimers();
  const sent: string[] = [];
  let isUp = false;
  let givenUp: string | undefined;
  const calls = new ToolCalls({
    timers,
    send({ tool }) {
      if (isUp) sent.push(tool);
      return isUp;
    },
    endReason: () => givenUp,
  });
  return {
    timers,
    sent,
    call: (tool: string, signal = new AbortController().signal) => calls.call(tool, {}, signal),
    answer: (callId: string, text: string) =>
      calls.settle({ type: "tool_result", call_id: callId, ok: true, result: { text } }),
    calls,
    up: () => {
      isUp = true;
      calls.onUp();
    },
    down: (reason: string, isFinal = false) => {
      isUp = false;
      if (isFinal) givenUp = reason;
      calls.onDown(reason);
    },
  };
}

test("[PLUGIN-4] a call waits for a connection and is then made once", async () => {
  const { call, sent, up, answer, timers } = openCalls();
  const outcome = call("echo");
  assert.deepEqual([sent, timers.delays], [[], [TIMEOUT_MS]]);
  up();
  up();
  assert.deepEqual([sent, timers.delays], [["echo"], []]);
  answer("tc_1", "done");
  assert.deepEqual(await outcome, { text: "done", isError: false });
});

test("[PLUGIN-4] a call that has waited long enough says that it was not made", async () => {
  const { call, sent, up, timers } = openCalls();
  const outcome = call("echo");
  timers.pass(TIMEOUT_MS);
  const { text, isError } = await outcome;
  assert.equal(isError, true);
  assert.match(text, /was not called/);
  up();
  assert.deepEqual(sent, []);
});

test("[PLUGIN-4] a call that is under way when the connection is lost is not made again", async () => {
  const { call, sent, up, down, answer } = openCalls();
  up();
  const outcome = call("echo");
  down("gone");
  assert.match((await outcome).text, /lost while echo was under way \(gone\).*not known/);
  up();
  answer("tc_1", "late");
  assert.deepEqual(sent, ["echo"]);
});

test("[PLUGIN-4] when there will be no connection, calls fail at once, also those that wait", async () => {
  const { call, down, timers } = openCalls();
  const waiting = call("echo");
  down("replaced", true);
  const next = call("echo");
  for (const outcome of [await waiting, await next]) {
    assert.match(outcome.text, /no longer serves this session \(replaced\).* was not called/);
  }
  assert.deepEqual(timers.delays, []);
});

test("[PLUGIN-4] a cancelled call is neither waited for nor made later", async () => {
  const { call, sent, up, answer } = openCalls();
  const controller = new AbortController();
  const early = call("early", controller.signal);
  controller.abort();
  assert.equal((await early).isError, true);
  up();
  assert.deepEqual(sent, []);
  const other = new AbortController();
  const outcome = call("late", other.signal);
  other.abort();
  assert.equal((await outcome).isError, true);
  answer("tc_2", "too late");
});

test("[PLUGIN-3] results of any shape become text", async () => {
  const { call, calls, up } = openCalls();
  up();
  for (const [n, [result, text]] of (
    [
      [{ text: "plain" }, "plain"],
      ["bare", "bare"],
      [{ files: 3 }, '{"files":3}'],
      [null, "null"],
      [{ text: 7 }, '{"text":7}'],
    ] as const
  ).entries()) {
    const outcome = call("echo");
    calls.settle({ type: "tool_result", call_id: `tc_${n + 1}`, ok: true, result });
    assert.deepEqual(await outcome, { text, isError: false });
  }
});

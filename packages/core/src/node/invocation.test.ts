import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { createDispatch } from "../engine/dispatch.ts";
import { accept, refuse } from "../engine/refusal.ts";
import { createTestTime, given } from "../testing/index.ts";
import {
  createInvocationReader,
  invocation,
  type InvocationEvent,
  type InvocationOutcome,
  type Offer,
} from "./invocation.ts";

const ask = (offer: Offer, command = "say") =>
  ({
    type: "request",
    invokeId: "i1",
    nodeId: "n1",
    command,
    conversationKey: null,
    offer,
  }) as const;
const known = (change: Partial<Extract<Offer, { state: "known" }>> = {}): Offer => ({
  state: "known",
  declared: ["say", "sing"],
  approved: ["say", "sing"],
  waiting: [],
  ...change,
});
const requested: InvocationEvent = {
  type: "invocation.requested",
  invokeId: "i1",
  nodeId: "n1",
  command: "say",
  conversationKey: null,
};
const settled = (outcome: InvocationOutcome): InvocationEvent => ({
  type: "invocation.settled",
  invokeId: "i1",
  nodeId: "n1",
  outcome,
});
const done = { status: "done", payload: { x: 1 } } as const;

test("[GW-51] what is offered, approved and connected may be asked for", () => {
  assert.deepEqual(given(invocation).when(ask(known())), accept([requested]));
});

test("[GW-51] everything else is refused by what stands in the way", () => {
  const cases: readonly (readonly [Offer, string])[] = [
    [{ state: "unknown" }, "node.unknown"],
    [known({ declared: null }), "node.offline"],
    [known({ approved: [], waiting: ["say"] }), "command.unapproved"],
    [known({ approved: [], waiting: [] }), "command.unapproved"],
    [known({ declared: null, approved: [], waiting: ["say"] }), "command.unapproved"],
    [known({ declared: null, approved: [], waiting: [] }), "command.unoffered"],
    [known({ declared: ["sing"], approved: ["sing"] }), "command.unoffered"],
    [known({ declared: ["sing"] }), "command.unoffered"],
  ];
  for (const [offer, code] of cases) {
    const outcome = given(invocation).when(ask(offer));
    assert.equal(outcome.ok ? "accepted" : outcome.code, code, JSON.stringify(offer));
  }
});

test("[GW-52] whatever comes first ends it, and nothing after that does", () => {
  const settle = { type: "settle", outcome: done } as const;
  assert.deepEqual(given(invocation, requested).when(settle), accept([settled(done)]));
  const cut = { status: "cut", by: "timeout" } as const;
  assert.deepEqual(given(invocation, requested, settled(cut)).when(settle), accept([]));
  assert.deepEqual(given(invocation).when(settle), refuse("invocation.unknown"));
});

test("[GW-52] of many who end it at once one does, and the log says which", async () => {
  await using log = openMemoryLog();
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: () => undefined });
  await dispatch(invocation, "i1", ask(known()));
  const outcomes: readonly InvocationOutcome[] = [
    { status: "cut", by: "timeout" },
    { status: "cut", by: "disconnected" },
    done,
    { status: "refused", code: "NO", message: "no" },
  ];
  const answers = await Promise.all(
    outcomes.map((outcome) => dispatch(invocation, "i1", { type: "settle", outcome })),
  );
  const firsts = answers.filter((answer) => answer.ok && answer.value.events.length > 0);
  assert.equal(firsts.length, 1);
  const read = await createInvocationReader(log)("i1");
  assert.equal(read.state, "settled");
  assert.deepEqual(read.outcome, outcomes[0]);
  assert.deepEqual(await createInvocationReader(log)("i2"), { state: "absent" });
});

test("[GW-52] what was asked for is not kept, only that it was", async () => {
  await using log = openMemoryLog();
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: () => undefined });
  await dispatch(invocation, "i1", ask(known()));
  const [entry] = await Array.fromAsync(log.read());
  assert.deepEqual(entry?.data, {
    invokeId: "i1",
    nodeId: "n1",
    command: "say",
    conversationKey: null,
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { lease, type LeaseEvent } from "./lease.ts";

const granted = (node: string, life: string): LeaseEvent => ({
  type: "lease.granted",
  node,
  life,
});
const take = (node: string, life: string, from: string | null) =>
  ({ type: "take", node, life, from }) as const;

test("[CORE-54] a lease is taken when it is free, and from the very life that holds it", () => {
  const free = given(lease);
  assert.deepEqual(free.when(take("a", "a1", null)), accept([granted("a", "a1")]));
  assert.deepEqual(free.when(take("a", "a1", "b1")), accept([]));
  const held = given(lease, granted("a", "a1"));
  assert.deepEqual(held.when(take("b", "b1", "a1")), accept([granted("b", "b1")]));
  assert.deepEqual(held.when(take("b", "b1", null)), accept([]));
  assert.deepEqual(held.when(take("b", "b1", "a0")), accept([]));
  assert.deepEqual(held.when(take("a", "a1", "a1")), accept([]));
});

test("[CORE-54] only its holder releases a lease, and then anyone may take it", () => {
  const held = given(lease, granted("a", "a1"), granted("b", "b1"));
  const released: LeaseEvent = { type: "lease.released", life: "b1" };
  assert.deepEqual(held.when({ type: "release", life: "a1" }), accept([]));
  assert.deepEqual(held.when({ type: "release", life: "b1" }), accept([released]));
  const free = given(lease, granted("b", "b1"), released);
  assert.deepEqual(free.when(take("a", "a2", null)), accept([granted("a", "a2")]));
});

test("[CORE-54] it is known from whom it was taken, unless it was released", () => {
  const fold = (...events: readonly LeaseEvent[]) => {
    const { takenFrom } = events.reduce(
      (state, event) => lease.evolve(state, event),
      lease.initial,
    );
    return takenFrom;
  };
  assert.equal(fold(granted("a", "a1")), null);
  assert.equal(fold(granted("a", "a1"), granted("b", "b1")), "a");
  assert.equal(
    fold(granted("a", "a1"), { type: "lease.released", life: "a1" }, granted("b", "b1")),
    null,
  );
});

test("[CORE-54] a grant is read back as it was written, and belongs to the one stream of leases", () => {
  const event = granted("__proto__", "a1");
  const entry = { seq: 1, type: event.type, at: 1, data: lease.write(event) };
  assert.equal(findEventProblem({ ...entry, stream: "lease/director" }), undefined);
  assert.deepEqual(lease.read({ ...entry, stream: "lease/director" }), event);
  assert.notEqual(findEventProblem({ ...entry, stream: "lease/other" }), undefined);
});

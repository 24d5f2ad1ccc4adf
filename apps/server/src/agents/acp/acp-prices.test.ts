/** What a turn of an ACP agent costs whose model has a price in the settings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, turnOf } from "../testing/turns.ts";
import type { TurnEvent, TurnUsage } from "../turn/agent-runtime.ts";
import { openStage, toolCall, toolUpdate, type Scene, type Stage } from "./testing/acp-stage.ts";
import { openRecordedStage } from "./testing/recorded-stage.ts";

/** A dollar for each million of tokens, whichever. */
const price = { inputPerMillion: 1, outputPerMillion: 1 };

type Cost = Pick<TurnUsage, "cost" | "isCostPartial">;

function costIn(events: readonly TurnEvent[]): Cost {
  const usage = events.findLast((event) => event.type === "usage")?.usage;
  const { inputTokens: _in, outputTokens: _out, cachedInputTokens: _cached, ...cost } = usage ?? {};
  return cost;
}

const costOf = async (stage: Stage, steps: readonly AcpStep[], scene: Scene = {}): Promise<Cost> =>
  costIn(await stage.play(steps, scene));

function dollars(amount: number): AcpStep {
  const cost = { amount, currency: "USD" };
  return { update: { sessionUpdate: "usage_update", used: 10, size: 100, cost } };
}

test("[ACP-7] dollars that the session reports are taken before a price, and 0 is none", async () => {
  await using stage = openStage([], { price });
  const count: AcpStep = { count: [1_000_000, 0] };
  assert.deepEqual(await costOf(stage, [dollars(0.5), count]), { cost: 0.5 });
  assert.deepEqual(await costOf(stage, [dollars(0.5), count]), { cost: 1 });
  assert.deepEqual(await costOf(stage, [count, dollars(0.75)]), { cost: 0.25 });
});

test("[AGENT-32] what its context holds has no price: it is not what an agent has used", async () => {
  await using stage = openStage([], { program: "codex-acp", price });
  const holds = (used: number): AcpStep => ({
    update: { sessionUpdate: "usage_update", used, size: 1_000 },
  });
  const events = await stage.play([holds(100), { say: "High." }, holds(200)]);
  assert.equal(events.findLast((event) => event.type === "usage")?.usage.inputTokens, 200);
  assert.deepEqual(costIn(events), {});
});

test("[AGENT-32] a resumed session that counts from its beginning has an unknown cost in its first turn", async () => {
  await using stage = openStage(["resume"], { program: "copilot", price });
  assert.deepEqual(await costOf(stage, [{ count: [400_000, 100_000] }]), { cost: 0.5 });
  assert.deepEqual(await costOf(stage, [{ count: [600_000, 200_000] }]), { cost: 0.3 });
  await stage.play([{ exit: 1 }]);
  assert.deepEqual(await costOf(stage, [{ count: [900_000, 300_000] }]), {});
  assert.deepEqual(await costOf(stage, [{ count: [900_000, 400_000] }]), { cost: 0.1 });
});

test("[AGENT-32] a resumed session that counts each turn has a cost at once", async () => {
  await using stage = openStage(["resume"], { program: "opencode", price });
  assert.deepEqual(await costOf(stage, [dollars(0.7), { count: [400_000, 0] }]), { cost: 0.7 });
  await stage.play([{ exit: 1 }]);
  assert.deepEqual(await costOf(stage, [dollars(0.9), { count: [400_000, 0] }]), { cost: 0.4 });
});

test("[AGENT-32] a turn of several prompts costs them all, or at least those that were not cut off", async () => {
  await using stage = openStage([], { price });
  const adding = (): Scene => {
    const host = createTestHost({ speed: 1 });
    host.steering.push(acpPrompt({ count: [200_000, 0] }, { say: "And the moon." }));
    return { host };
  };
  const whole: readonly AcpStep[] = [{ count: [300_000, 0] }, { say: "High." }];
  assert.deepEqual(await costOf(stage, whole, adding()), { cost: 0.5 });
  const lookup = [
    toolCall({ status: "in_progress" }),
    toolUpdate({ status: "completed" }),
  ] as const;
  const cut: readonly AcpStep[] = [...whole, ...lookup, { hang: "cancellable" }];
  assert.deepEqual(await costOf(stage, cut, adding()), { cost: 0.5, isCostPartial: true });
});

test("[AGENT-32] a model that a conversation wishes for has no price, and the next turn has one again", async () => {
  await using stage = openRecordedStage("gemini", { model: "gemini-2.5-pro", price });
  const turn = turnOf("Do it.", { wishes: { model: "gemini-3.1-pro-preview" } });
  const wished = await eventsOf(stage.runtime, turn, createTestHost({ speed: 1 }));
  assert.deepEqual(costIn(wished), {});
  assert.equal(wished.findLast((event) => event.type === "usage")?.usage.inputTokens, 100);
  const allowed = { requestPermission: async () => "allowed" as const };
  assert.deepEqual(costIn(await stage.play(allowed)), { cost: 0.00048 });
});

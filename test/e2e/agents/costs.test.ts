/** What turns cost, from a model with a price to everyone who looks, and what a budget in dollars stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPricedOffice } from "../../kit/priced-office.ts";
import { openSignals } from "../../kit/signals.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

test("[RUN-7] [WORLD-23] a project with a priced model is stopped by a budget in dollars, and goes on", async () => {
  await using office = await openPricedOffice({ budgets: { run: { cost: 0.5 } } });
  const { atrium } = office;
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "Write some copy" });
  const { project_id } = (await peer.event("kickoff_finished")).payload;
  await peer.ask("auto_assign", { project_id });
  const question = (await peer.event("decision_requested")).payload;
  await peer.ask("resolve_decision", { decision_id: question.decision_id, choice: "Warm" });
  const isBudget = ({ payload }: WorldMessage): boolean => payload.kind === "budget";
  const { payload: asked } = await peer.first(isBudget);
  assert.equal(asked.prompt, "This turn has cost $0.60; its budget is $0.50. Go on?");
  // It is seen as it is spent, not only when the turn has ended.
  await peer.first(
    ({ type, payload }) =>
      type === "snapshot" && payload.tasks[0]?.cost === 0.6 && payload.projects[0].cost === 0.8,
  );
  await peer.ask("resolve_decision", { decision_id: asked.decision_id, choice: "Continue" });
  const { payload: finished } = await peer.event("work_finished");
  assert.deepEqual([finished.tokens, finished.cost], [360, 0.6]);
  await peer.event("artifact_delivered");
  const answer = await fetch(new URL("/api/office", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { projects, tasks } = (await answer.json()) as {
    readonly projects: readonly Readonly<Record<string, unknown>>[];
    readonly tasks: readonly Readonly<Record<string, unknown>>[];
  };
  assert.deepEqual([tasks[0]?.["tokens"], tasks[0]?.["cost"]], [360, 0.6]);
  assert.deepEqual([projects[0]?.["tokens"], projects[0]?.["cost"]], [480, 0.8]);
  assert.ok(!("is_cost_partial" in (projects[0] ?? {})));
  assert.deepEqual(atrium.faults, []);
});

test("[SIG-7] [AGENT-24] signals and the gateway tell what a turn cost", async () => {
  await using office = await openPricedOffice({});
  const { atrium } = office;
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  await using peer = await atrium.connect();
  const ask = async (sessionKey: string, message: string, runId: string) => {
    const ended = peer.first(
      ({ event, payload }) =>
        event === "chat" && payload.runId === runId && payload.state === "final",
    );
    await peer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
    return (await ended).payload;
  };
  const spent = await ask("main", "Hello", "run-1");
  assert.deepEqual(spent.usage.cost, { total: 0.2 });
  const free = await ask("agent:free_1:main", "[[say: hi]]", "run-2");
  assert.deepEqual(free.usage.cost, { total: 0 });
  const unpriced = await ask("agent:unpriced_1:main", "Hello", "run-4");
  assert.equal(unpriced.usage.output, 20);
  assert.ok(!("cost" in unpriced.usage), JSON.stringify(unpriced.usage));
  const told = async (runId: string): Promise<readonly unknown[]> => {
    const { signal } = await socket.until(
      ({ type, correlationId }) => type === "token_usage" && correlationId === runId,
    );
    return [signal?.payload.model, signal?.payload.cost];
  };
  assert.deepEqual(await told("run-1"), ["m", 0.2]);
  assert.deepEqual(await told("run-2"), ["rehearsal-1", 0]);
  const status = await ask("main", "/status", "run-3");
  assert.match(status.message.content[0].text, /100 tokens in, 20 out, \$0\.20/);
  const { sessions } = await peer.ask("sessions.list", {});
  const costs = sessions.map(({ key, estimatedCostUsd }: Record<string, unknown>) => [
    key,
    estimatedCostUsd,
  ]);
  assert.deepEqual(new Map(costs).get("agent:main:main"), 0.2);
  assert.ok(new Map(costs).has("agent:unpriced_1:main"));
  assert.equal(new Map(costs).get("agent:unpriced_1:main"), undefined);
  assert.deepEqual(atrium.faults, []);
});

test("[RUN-15] peers are told how much input came from a cache", async () => {
  await using office = await openPricedOffice({});
  const { atrium } = office;
  await using peer = await atrium.connect();
  const ended = peer.first(({ event, payload }) => event === "chat" && payload.state === "final");
  const message = "Read it again";
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "run-1" });
  const { input, output, cacheRead, totalTokens } = (await ended).payload.usage;
  assert.deepEqual([input, output, cacheRead, totalTokens], [40, 20, 60, 120]);
  const { totals } = await peer.ask("usage.cost", {});
  assert.deepEqual([totals.input, totals.cacheRead, totals.totalTokens], [40, 60, 120]);
  const answer = await fetch(new URL("/v1/chat/completions", atrium.url), {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: message }] }),
  });
  const { usage } = (await answer.json()) as { readonly usage: object };
  assert.deepEqual(usage, {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 60 },
    cost: 0.2,
  });
  assert.deepEqual(atrium.faults, []);
});

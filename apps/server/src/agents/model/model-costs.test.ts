/** What a turn of a model costs, against a real HTTP server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTHING_USED } from "@atrium/core";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { SpendBrakes } from "../../runs/spend-brakes.ts";
import { LOOKUP, modelStage, PROVIDERS, USAGE } from "./testing/model-stage.ts";

for (const provider of PROVIDERS) {
  const { play } = modelStage(provider);

  test(`[MODEL-7] ${provider}: tokens are priced, cached ones apart, over all steps`, async () => {
    const usage = { inputTokens: 1_000, cachedTokens: 600, outputTokens: 100 };
    const price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };
    const step: Behavior = {
      type: "answer",
      toolCalls: [{ name: "tide_lookup", input: { q: "x" } }],
      usage,
    };
    const { events } = await play([step, { type: "answer", chunks: ["ok"], usage }], {
      tools: [LOOKUP],
      settings: { price },
    });
    const costs = events.flatMap((event) => (event.type === "usage" ? [event.usage.cost] : []));
    assert.deepEqual(costs, [0.00288, 0.00576]);
    const { cachedInputPerMillion: _none, ...plain } = price;
    const without = await play([{ type: "answer", chunks: ["ok"], usage }], {
      settings: { price: plain },
    });
    assert.equal(without.events.find((event) => event.type === "usage")?.usage.cost, 0.0045);
  });

  test(`[MODEL-7] ${provider}: a budget in dollars counts cached input, and at its own price`, async () => {
    const usage = { inputTokens: 1_000, cachedTokens: 600, outputTokens: 100 };
    const price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };
    const toolCalls = [{ name: "tide_lookup", input: { q: "x" } }];
    const { events } = await play(
      [
        { type: "answer", toolCalls, usage },
        { type: "answer", chunks: ["ok"], usage },
      ],
      { tools: [LOOKUP], settings: { price } },
    );
    const tripped = (cost: number): (string | undefined)[] => {
      const cap = { tokens: 1_000_000, cost };
      const brakes = new SpendBrakes({ run: cap, conversation: cap }, NOTHING_USED);
      return events.map((event) => brakes.see(event)).filter((why) => why !== undefined);
    };
    // Two steps cost $0.00576; without the cached input $0.0054, and at the full price $0.009.
    assert.match(tripped(0.0055)[0] ?? "", /has cost \$0\.0058; its budget is \$0\.0055/);
    assert.deepEqual(tripped(0.006), []);
  });

  test(`[RUN-15] ${provider}: a budget in tokens counts cached input as a tenth`, async () => {
    const usage = { inputTokens: 1_000, cachedTokens: 600, outputTokens: 100 };
    const { events } = await play([{ type: "answer", chunks: ["ok"], usage }]);
    const tripped = (tokens: number): (string | undefined)[] => {
      const brakes = new SpendBrakes({ run: { tokens }, conversation: { tokens } }, NOTHING_USED);
      return events.map((event) => brakes.see(event)).filter((why) => why !== undefined);
    };
    assert.deepEqual(tripped(560), []);
    assert.match(tripped(559)[0] ?? "", /has used 560 tokens; its budget is 559/);
  });

  test(`[AGENT-24] ${provider}: without a price, or for another model, the cost is unknown`, async () => {
    const price = { inputPerMillion: 3, outputPerMillion: 15 };
    const answer: Behavior = { type: "answer", chunks: ["ok"], usage: USAGE };
    for (const scene of [
      {},
      { settings: { price }, turn: { wishes: { model: "maker/other-model" } } },
    ]) {
      const { events } = await play([answer], scene);
      assert.deepEqual(events.find((event) => event.type === "usage")?.usage, USAGE);
    }
    const free = { inputPerMillion: 0, outputPerMillion: 0 };
    const { events } = await play([answer], { settings: { price: free } });
    assert.equal(events.find((event) => event.type === "usage")?.usage.cost, 0);
  });
}

test("[MODEL-10] input that the provider puts into its cache costs what the settings say of it", async () => {
  const usage = { inputTokens: 1_000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 100 };
  const price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };
  for (const [cacheWritePerMillion, cost] of [
    [3.75, 0.003105],
    [undefined, 0.00288],
  ] as const) {
    const more = cacheWritePerMillion === undefined ? {} : { cacheWritePerMillion };
    const { events } = await modelStage("anthropic").play(
      [{ type: "answer", chunks: ["ok"], usage }],
      {
        settings: { price: { ...price, ...more } },
      },
    );
    assert.deepEqual(events.find((event) => event.type === "usage")?.usage, {
      inputTokens: 1_000,
      cachedInputTokens: 600,
      outputTokens: 100,
      cost,
    });
  }
});

test("[MODEL-7] a cost the provider reports is taken before one that is worked out", async () => {
  const tool = { type: "answer", toolCalls: [{ name: "tide_lookup", input: { q: "x" } }] } as const;
  const priced = { ...USAGE, cost: 0.5 };
  const { events } = await modelStage("openai-compatible").play(
    [
      { ...tool, usage: priced },
      { type: "answer", chunks: ["ok"], usage: USAGE },
    ],
    { tools: [LOOKUP] },
  );
  const whole = events.findLast((event) => event.type === "usage")?.usage;
  assert.deepEqual(whole, {
    inputTokens: 22,
    outputTokens: 14,
    cost: 0.5,
    isCostPartial: true,
  });
  const price = { inputPerMillion: 1_000_000, outputPerMillion: 0 };
  const dear: Behavior = { type: "answer", chunks: ["ok"], usage: priced };
  const told = await modelStage("openai-compatible").play([dear], { settings: { price } });
  assert.equal(told.events.find((event) => event.type === "usage")?.usage.cost, 0.5);
});

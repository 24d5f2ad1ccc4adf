/** What turns of programs cost that tell no dollars, by the price of their model, and what a budget in dollars stops. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../test/kit/acp-agent.ts";
import { openStage as openRuns } from "../runs/testing/stage.ts";
import { openStage as openAcp } from "./acp/testing/acp-stage.ts";
import { clinePrompt } from "./cline/testing/cline-double.ts";
import { openStage as openCline } from "./cline/testing/cline-stage.ts";
import { codexPrompt } from "./codex/testing/codex-double.ts";
import { openStage as openCodex } from "./codex/testing/codex-stage.ts";
import { createTestHost } from "./testing/test-host.ts";
import { turnOf } from "./testing/turns.ts";
import type { AgentRuntime, Turn, TurnUsage } from "./turn/agent-runtime.ts";
import type { Price } from "./turn/usage/price.ts";

const PRICE: Price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };
const FREE: Price = { inputPerMillion: 0, outputPerMillion: 0 };
const USAGE = { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 600 };
const COST = 0.00288;
type Stage = { readonly runtime: AgentRuntime } & AsyncDisposable;

interface Program {
  readonly open: (priced: { readonly model?: string; readonly price?: Price }) => Stage;
  /** It counts what it has used, says a word, and then goes on as it is told to. */
  readonly prompts: Readonly<Record<"ends" | "hangs" | "counts nothing", string>>;
}

/** As Qwen Code tells the tokens of a call of its model. */
const counted: AcpStep = {
  update: {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "" },
    _meta: {
      usage: { inputTokens: 1_000, outputTokens: 100, cachedReadTokens: 600, totalTokens: 1_100 },
    },
  },
};
const nothing = '{"type":"run_result","finishReason":"completed","text":""}\n';

const PROGRAMS: Readonly<Record<string, Program>> = {
  codex: {
    open: (priced) => openCodex([], priced),
    prompts: {
      ends: codexPrompt({ usage: [1_000, 100, 600] }, { say: "Hm." }),
      hangs: codexPrompt({ usage: [1_000, 100, 600] }, { say: "Hm." }, { hang: "interruptible" }),
      "counts nothing": codexPrompt({ say: "Hm." }),
    },
  },
  acp: {
    // The agent of the stage offers no models.
    open: ({ model: _model, ...priced }) => openAcp([], priced),
    prompts: {
      ends: acpPrompt(counted, { say: "Hm." }),
      hangs: acpPrompt(counted, { say: "Hm." }, { hang: "cancellable" }),
      "counts nothing": acpPrompt({ say: "Hm." }),
    },
  },
  cline: {
    open: (priced) => openCline({ approval: "allow", ...priced }),
    prompts: {
      ends: clinePrompt({ usage: { tokens: [1_000, 100, 600] } }, { say: "Hm." }),
      hangs: clinePrompt({ usage: { tokens: [1_000, 100, 600] } }, { say: "Hm." }, { hang: true }),
      "counts nothing": clinePrompt({ say: "Hm." }, { lines: nothing }),
    },
  },
};

for (const [name, { open, prompts }] of Object.entries(PROGRAMS)) {
  const used = async (stage: Stage, prompt: string, more: Partial<Turn> = {}) => {
    const host = createTestHost({ speed: 1 });
    let usage: TurnUsage | undefined;
    for await (const event of stage.runtime.start(turnOf(prompt, more), host)) {
      if (event.type === "usage") ({ usage } = event);
      if (event.type === "text" && prompt === prompts.hangs) host.abort();
    }
    return usage;
  };

  test(`[AGENT-32] ${name}: what was counted costs the price of the model, and is unknown without one`, async () => {
    await using stage = open({ model: "m1", price: PRICE });
    assert.deepEqual(await used(stage, prompts.ends), { ...USAGE, cost: COST });
    assert.equal((await used(stage, prompts["counts nothing"]))?.cost, undefined);
    const wishes = { model: "m2" };
    assert.equal((await used(stage, prompts.ends, { wishes }))?.cost, undefined);
    await using free = open({ model: "m1", price: FREE });
    assert.deepEqual(await used(free, prompts.ends), { ...USAGE, cost: 0 });
    await using unpriced = open({ model: "m1" });
    assert.deepEqual(await used(unpriced, prompts.ends), USAGE);
  });

  test(`[AGENT-32] ${name}: a turn that was stopped has cost at least what was counted`, async () => {
    await using stage = open({ model: "m1", price: PRICE });
    const stopped = { ...USAGE, cost: COST, isCostPartial: true };
    assert.deepEqual(await used(stage, prompts.hangs), stopped);
    await using free = open({ model: "m1", price: FREE });
    assert.deepEqual(await used(free, prompts.hangs), { ...USAGE, cost: 0 });
  });

  test(`[RUN-7] ${name}: a budget in dollars stops a turn that has a price`, async () => {
    for (const [cost, state] of [
      [0.0028, "run.failed"],
      [0.0029, "run.completed"],
    ] as const) {
      await using stage = open({ model: "m1", price: PRICE });
      const budgets = { run: { tokens: 1_000_000, cost } };
      const { runtime } = stage;
      await using runs = await openRuns((turn, host) => runtime.start(turn, host), { budgets });
      // With the budget used up it would wait for ever, if it were not stopped.
      await runs.send("r1", state === "run.failed" ? prompts.hangs : prompts.ends);
      const ended = await runs.ended("r1");
      assert.equal(ended.type, state);
      assert.equal(ended.usage.cost, COST);
      if (ended.type !== "run.failed") continue;
      assert.equal(ended.kind, "budget");
      assert.match(ended.reason, /has cost \$0\.0029; its budget is \$0\.0028/);
    }
  });
}

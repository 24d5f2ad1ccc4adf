/** The headless transport against the real Claude Code, offline. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { AgentRuntime } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import { describeClaude } from "../kit/claude-code.contract.ts";
import { openClaudeStage, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const { skip } = claude;
const settings = { transport: "headless" } as const;

describeClaude("headless", claude);

test(
  "[CLAUDE-10] a question of Claude's is put to people, and it hears the answer",
  { skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings,
      answer: ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: returned, usage: USAGE }
          : { type: "answer", toolCalls: [QUESTION], usage: USAGE },
    });
    const asked: unknown[] = [];
    const host = createTestHost({
      speed: 1,
      ask: (question) => {
        asked.push(question);
        return Promise.resolve("Blue");
      },
    });
    const events = await eventsOf(stage.runtime, turnOf("Paint it"), host);
    assert.deepEqual(asked, [{ text: "Which color?", options: ["Red", "Blue"] }]);
    assert.match(textIn(events), /"Which color\?"="Blue"/);
  },
);

test(
  "[CLAUDE-11] a wrong key and a conversation that is too long are told apart",
  { skip },
  async () => {
    for (const [status, message, kind, reason] of [
      [401, "invalid x-api-key", "unavailable", /no valid key or login/],
      [400, "prompt is too long: 210000 tokens > 200000 maximum", "context_length", /too long/],
    ] as const) {
      await using stage = await openClaudeStage({
        command: claude.path(),
        settings,
        answer: () => ({ type: "status", status, message }),
      });
      const events = await eventsOf(stage.runtime, turnOf("Hello"), createTestHost({ speed: 1 }));
      const last = events.at(-1);
      assert.ok(last?.type === "failed", JSON.stringify(last));
      assert.equal(last.kind, kind);
      assert.match(last.reason, reason);
    }
  },
);

test(
  "[CLAUDE-12] every turn has its own cost, in one process and after a restart of the server",
  { skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { ...settings, model: "claude-sonnet-4-5" },
    });
    const history = [{ role: "user" as const, text: "One." }];
    const costOf = async (runtime: AgentRuntime, prompt: string): Promise<number | undefined> => {
      const host = createTestHost({ speed: 1 });
      const events = await eventsOf(runtime, turnOf(prompt, { history }), host);
      assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
      return events.findLast((event) => event.type === "usage")?.usage.cost;
    };
    const first = await costOf(stage.runtime, "One.");
    assert.ok(first !== undefined && first > 0, String(first));
    assert.equal(await costOf(stage.runtime, "Two."), first);
    await stage.runtime.close?.();
    assert.equal(await costOf(stage.another(), "Three."), first);
  },
);

const QUESTION = {
  name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which color?",
        header: "Color",
        multiSelect: false,
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cold" },
        ],
      },
    ],
  },
};

/** The interactive transport against the real Claude Code, offline. */
import { describeAgentRuntime, type Situation } from "../../apps/server/src/agents/agent-runtime.contract.ts";
import type { Behavior } from "../kit/model-server/behavior.ts";
import { openClaudeStage, USAGE, type Asked } from "./kit/claude-stage.ts";
import { findClaudeCode } from "./kit/peer.ts";

const claude = findClaudeCode();

describeAgentRuntime("claude-code, interactive", async (situation) => {
    const stage = await openClaudeStage({
      command: claude.path(),
      settings: { transport: "interactive" },
      answer: (asked) => behaviorFor(situation, asked),
    });
    return {
      runtime: stage.runtime,
      prompt: "What about the tides?",
      speed: 1,
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  });

function behaviorFor(situation: Situation, { returned }: Asked): Behavior {
  switch (situation.type) {
    case "answers":
      return { type: "answer", chunks: situation.answer.split(/(?<= )/), usage: USAGE };
    case "uses a tool":
      if (returned.length > 0) return { type: "answer", chunks: [situation.answer], usage: USAGE };
      return { type: "answer", toolCalls: [{ name: "mcp__atrium__lookup", input: { q: "tide" } }], usage: USAGE };
    case "talks on":
      return { type: "forever", chunk: "and on\n", everyMs: 20 };
    case "is silent":
      return { type: "silence" };
  }
}

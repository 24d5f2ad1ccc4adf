import assert from "node:assert/strict";
import { test } from "node:test";
import { askTool } from "./ask.ts";
import { createToolbox } from "./toolbox.ts";

test("[TOOL-18] whoever asks without end is told to decide, and people are not asked any more", async () => {
  const questions: string[] = [];
  const humanInput = {
    ask: async (_about: unknown, { text }: { readonly text: string }) => {
      questions.push(text);
      return "yes";
    },
  };
  const toolbox = createToolbox([askTool({ humanInput })]);
  const ask = (runId: string, question: string) =>
    toolbox.call(
      "ask",
      { question },
      { key: "agent:main:main", runId, agentId: "agent_bd", signal: new AbortController().signal },
    );
  for (let n = 1; n <= 20; n++) assert.equal((await ask("r1", `q${n}`)).isError, false);
  for (let n = 21; n <= 25; n++) {
    const { isError, text } = await ask("r1", `q${n}`);
    assert.equal(isError, true);
    assert.match(text, /Nobody was asked\. Decide yourself/);
  }
  assert.equal(questions.length, 20);
  assert.equal((await ask("r2", "Another turn?")).isError, false);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../../terminal/paint.ts";
import { describeSignal } from "./describe-signal.ts";

test("[CLI-22] what a turn used is told with what it cost, if that is known", () => {
  const told = (more: object): string => {
    const payload = {
      agentId: "eng",
      promptTokens: 100,
      completionTokens: 20,
      model: "m",
      ...more,
    };
    const signal = { type: "token_usage", source: "atrium", timestamp: 0, payload };
    return describeSignal(signal, createPaint(false));
  };
  assert.match(told({ cost: 0.25 }), /100 in, 20 out m for \$0\.25\n$/);
  assert.match(told({ cost: 0 }), /out m for \$0\n$/);
  assert.match(told({}), /out m\n$/);
});

test("the columns of signals line up, whoever tells them", () => {
  const lines = ["a", "agent_research_1", "漢字", "someone-with-a-very-long-name"].map((agentId) =>
    describeSignal(
      { type: "tool_call", source: "x", timestamp: 0, payload: { agentId, toolName: "look" } },
      createPaint(false),
    ),
  );
  const wide = (line: string): number =>
    line.split("tool_call")[0]!.replaceAll(/[漢字]/g, "xx").length;
  assert.deepEqual(new Set(lines.map(wide)).size, 1);
  assert.match(lines[3] ?? "", /someone-with-a-very… tool_call +look\n$/);
});

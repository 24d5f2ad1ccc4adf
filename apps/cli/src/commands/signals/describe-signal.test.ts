import assert from "node:assert/strict";
import { test } from "node:test";
import { createPaint } from "../../terminal/paint.ts";
import { describeSignal } from "./describe-signal.ts";

test("[CLI-90] what a turn used is told with what it cost, if that is known", () => {
  const told = (more: object): string => {
    const payload = {
      agentId: "eng",
      promptTokens: 100,
      completionTokens: 20,
      model: "m",
      ...more,
    };
    return describeSignal(JSON.stringify({ type: "token_usage", payload }), createPaint(false));
  };
  assert.match(told({ cost: 0.25 }), /100 in, 20 out m for \$0\.25\n$/);
  assert.match(told({ cost: 0 }), /out m for \$0\n$/);
  assert.match(told({}), /out m\n$/);
});

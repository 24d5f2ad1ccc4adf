import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignalReader } from "@atrium/wire/signal";
import { createTellSignal } from "./tell-signal.ts";

test("[WEB-90] what people do on the page is told as valid signals", () => {
  const told: unknown[] = [];
  const tell = createTellSignal(
    (_method, path, body) => {
      assert.equal(path, "/api/signal");
      told.push(body);
      return new Promise(() => undefined);
    },
    () => 1_794_700_000_000,
    () => "web-1",
  );
  tell({ type: "user.click", payload: { target: "agent_eng_1" } });
  tell({ type: "user.move", payload: { entityId: "task_a_1", toSlot: "agent_eng_1" } });
  const read = createSignalReader();
  assert.equal(told.length, 2);
  for (const signal of told) {
    const outcome = read(signal);
    assert.ok(!("problem" in outcome) && !("reason" in outcome), JSON.stringify(outcome));
  }
});

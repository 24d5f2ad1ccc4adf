import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignalReader } from "@atrium/wire/signal";
import { createSendSignal } from "./send-signal.ts";

test("[WEB-35] what people do on the page is told as valid signals", () => {
  const told: unknown[] = [];
  let name = "";
  const tell = createSendSignal({
    ask(_method, path, body) {
      assert.equal(path, "/api/signal");
      told.push(body);
      return new Promise(() => undefined);
    },
    now: () => 1_794_700_000_000,
    newId: () => "web-1",
    name: () => name,
  });
  tell({ type: "user.click", payload: { target: "agent_eng_1" } });
  tell({ type: "user.move", payload: { entityId: "task_a_1", toSlot: "agent_eng_1" } });
  name = "Ada";
  const bounds = { x: -1, y: 0.5, w: 2, h: 1 };
  tell({ type: "user.zone", payload: { bounds, intent: "look" } });
  const position = { x: 1, y: -2 };
  tell({ type: "user.point", payload: { position }, metadata: { target: "agent_bd" } });
  const read = createSignalReader();
  assert.equal(told.length, 4);
  assert.deepEqual(
    told.map((signal) => Reflect.get(Object(signal), "metadata")),
    [undefined, undefined, { by: "Ada" }, { target: "agent_bd", by: "Ada" }],
  );
  for (const signal of told) {
    const outcome = read(signal);
    assert.ok(!("problem" in outcome) && !("reason" in outcome), JSON.stringify(outcome));
  }
});

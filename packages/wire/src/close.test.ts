import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, MAX_REASON_BYTES, mayComeBack } from "./close.ts";

test("[WIRE-6] a peer that did nothing wrong may come back", () => {
  const abnormal = 1006;
  for (const code of [CLOSE.goingAway, CLOSE.serviceRestart, CLOSE.tryLater, abnormal]) {
    assert.equal(mayComeBack(code), true, String(code));
  }
});

test("[WIRE-6] a peer that would be closed again for the same reason may not", () => {
  for (const code of [CLOSE.normal, CLOSE.protocolError, CLOSE.policy, CLOSE.tooBig]) {
    assert.equal(mayComeBack(code), false, String(code));
  }
});

test("[WIRE-6] our own codes say it by their half of the range", () => {
  for (let code = 4000; code < 5000; code += 1) assert.equal(mayComeBack(code), code < 4500);
});

test("[WIRE-6] a reason has the room that a control frame leaves it", () => {
  // RFC 6455, 5.5: a control frame carries at most 125 bytes, and the code takes two.
  assert.equal(MAX_REASON_BYTES, 125 - 2);
});

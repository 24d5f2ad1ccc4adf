import assert from "node:assert/strict";
import { test } from "node:test";
import { CLOSE, cutReason, mayComeBack } from "./close.ts";

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

test("[WIRE-6] a reason is cut to 123 bytes, never inside of a character", () => {
  assert.equal(cutReason("service restart"), "service restart");
  assert.equal(cutReason("x".repeat(500)), "x".repeat(123));
  // Two, three and four bytes each.
  assert.equal(cutReason("é".repeat(100)), "é".repeat(61));
  assert.equal(cutReason("x" + "漢".repeat(100)), "x" + "漢".repeat(40));
  assert.equal(cutReason("🪴".repeat(100)), "🪴".repeat(30));
});

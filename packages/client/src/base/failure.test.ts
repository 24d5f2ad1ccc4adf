import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorShape } from "@atrium/wire/gateway";
import { adviseOn, type Failure } from "./failure.ts";

const refused = (error: Partial<ErrorShape>): Failure => ({
  why: "refused",
  error: { code: "INVALID_REQUEST", message: "no", ...error },
});
const closed = (code: number, greeted: boolean): Failure => ({
  why: "closed",
  code,
  reason: "",
  greeted,
});
const comesBack = (failure: Failure): boolean => adviseOn(failure).comeBack;

test("[CLIENT-4] does not come back after an error that only a person can put right", () => {
  for (const code of [
    "AUTH_TOKEN_MISMATCH",
    "AUTH_TOKEN_MISSING",
    "AUTH_SCOPE_MISMATCH",
    "PROTOCOL_MISMATCH",
    "PAIRING_REQUIRED",
    "DEVICE_IDENTITY_REQUIRED",
    "DEVICE_AUTH_SIGNATURE_INVALID",
    "CONTROL_UI_ORIGIN_NOT_ALLOWED",
    "CLIENT_VERSION_MISMATCH",
  ]) {
    assert.equal(comesBack(refused({ details: { code } })), false, code);
    assert.equal(comesBack(refused({ code: "UNAVAILABLE", details: { code } })), false, code);
  }
  for (const code of ["INVALID_REQUEST", "NOT_PAIRED", "FORBIDDEN"]) {
    assert.equal(comesBack(refused({ code })), false, code);
  }
});

test("[CLIENT-5] comes back after an error that passes, at the moment the server asked for", () => {
  assert.deepEqual(adviseOn(refused({ code: "UNAVAILABLE", retryAfterMs: 500 })), {
    comeBack: true,
    afterMs: 500,
  });
  assert.equal(comesBack(refused({ code: "A_NEWER_SERVERS_CODE" })), true);
  assert.equal(comesBack(refused({ details: { code: "AUTH_RATE_LIMITED" } })), false);
  const limited = refused({ details: { code: "AUTH_RATE_LIMITED" }, retryAfterMs: 60_000 });
  assert.deepEqual(adviseOn(limited), { comeBack: true, afterMs: 60_000 });
});

test("[CLIENT-6] believes the server's own word on retrying before any code", () => {
  const soon = refused({ details: { code: "PAIRING_REQUIRED" }, retryable: true });
  assert.equal(comesBack(soon), true);
  assert.equal(comesBack(refused({ code: "UNAVAILABLE", retryable: false })), false);
});

test("[CLIENT-6] without an error, the close code says whether to come back", () => {
  for (const greeted of [true, false]) {
    for (const code of [1001, 1005, 1006, 1011, 1012, 1013, 4000, 4001, 4499]) {
      assert.equal(comesBack(closed(code, greeted)), true, String(code));
    }
    for (const code of [1002, 1009, 4500, 4999]) {
      assert.equal(comesBack(closed(code, greeted)), false, String(code));
    }
  }
  assert.equal(comesBack(closed(1000, true)), false);
});

test("[CLIENT-6] a normal close before the hello is a handshake cut short, and comes back", () => {
  assert.equal(comesBack(closed(1000, false)), true);
});

test("[CLIENT-6] a policy close means no use before the hello, and come back after it", () => {
  assert.equal(comesBack(closed(1008, false)), false);
  assert.equal(comesBack(closed(1008, true)), true);
});

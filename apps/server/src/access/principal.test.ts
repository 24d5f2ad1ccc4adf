import assert from "node:assert/strict";
import { test } from "node:test";
import { describeCredential } from "./principal.ts";

test("[SERVER-400] every credential can be named without a secret", () => {
  const named = [
    describeCredential({ kind: "token" }),
    describeCredential({ kind: "browser", sessionId: "s1" }),
    describeCredential({ kind: "device", deviceId: "d1", role: "operator" }),
    describeCredential({ kind: "local" }),
    describeCredential({ kind: "run", conversationKey: "agent:main:main" }),
  ];
  assert.deepEqual(named, [
    "token",
    "browser s1",
    "device d1 (operator)",
    "local",
    "run agent:main:main",
  ]);
});

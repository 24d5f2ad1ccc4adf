import assert from "node:assert/strict";
import { test } from "node:test";
import { describeCredential, whyUndecided, type Credential } from "./principal.ts";

test("every credential can be named without a secret", () => {
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

test("[GW-43] whoever works for an agent decides nothing, by what it was given or by what it is", () => {
  const why = (credential: Credential, isOfAgent = false) =>
    whyUndecided({ credential, address: "127.0.0.1", isLocal: true, isOfAgent: () => isOfAgent });
  const token = { kind: "token" } as const;
  assert.equal(why({ kind: "run", conversationKey: "agent:main:main" }), "credential.run");
  assert.equal(why(token, true), "credential.run");
  assert.equal(why(token), undefined);
});

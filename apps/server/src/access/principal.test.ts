import assert from "node:assert/strict";
import { test } from "node:test";
import { whyUndecided, type Credential } from "./principal.ts";

test("[GW-43] whoever works for an agent decides nothing, by what it was given or by what it is", () => {
  const why = (credential: Credential, isOfAgent = false) =>
    whyUndecided({ credential, address: "127.0.0.1", isLocal: true, isOfAgent: () => isOfAgent });
  const token = { kind: "token" } as const;
  assert.equal(why({ kind: "run", conversationKey: "agent:main:main" }), "credential.run");
  assert.equal(why(token, true), "credential.run");
  assert.equal(why(token), undefined);
});

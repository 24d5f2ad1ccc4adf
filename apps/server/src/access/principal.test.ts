import assert from "node:assert/strict";
import { test } from "node:test";
import { answererFrom, whyUndecided, type Credential } from "./principal.ts";

test("[JOIN-3] the secret of hooks decides nothing", () => {
  const principal = { credential: { kind: "hook" }, address: "127.0.0.1", isLocal: true } as const;
  assert.equal(whyUndecided(principal), "credential.run");
  const who = { id: "x", name: "x", via: "hooks" };
  assert.deepEqual(answererFrom(principal, who).credential, { kind: "run" });
});

test("[GW-43] whoever works for an agent decides nothing, by what it was given or by what it is", () => {
  const why = (credential: Credential, isOfAgent = false) =>
    whyUndecided({ credential, address: "127.0.0.1", isLocal: true, isOfAgent: () => isOfAgent });
  const token = { kind: "token" } as const;
  assert.equal(why({ kind: "run", conversationKey: "agent:main:main" }), "credential.run");
  assert.equal(why(token, true), "credential.run");
  assert.equal(why(token), undefined);
});

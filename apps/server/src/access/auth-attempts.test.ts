import assert from "node:assert/strict";
import { test } from "node:test";
import { AuthAttempts, networkOf, type Guesses } from "./auth-attempts.ts";
import { createFailureJournal } from "./failure-journal.ts";

const RULES = { tries: 3, refillMs: 1_000 };

test("[LISTEN-9] an IPv6 network is one guesser, an IPv4 address another", () => {
  const attempts = new AuthAttempts(RULES, { now: () => 0 });
  for (let n = 0; n < 3; n++) assert.equal(attempts.failed(`2001:db8::${n}`, "gateway"), 0);
  assert.ok(attempts.failed("2001:db8:0:0:ffff::1", "gateway") > 0);
  assert.equal(attempts.failed("2001:db8:0:1::1", "gateway"), 0);
  assert.equal(attempts.failed("192.0.2.1", "gateway"), 0);
  assert.equal(networkOf("2001:0db8::1"), networkOf("2001:db8:0:0:1:2:3:4"));
  assert.equal(networkOf("::1"), "0:0:0:0::/64");
});

test("[LISTEN-9] tries come back with time, and a clock that is set back takes none", () => {
  let now = 10_000;
  const attempts = new AuthAttempts(RULES, { now: () => now });
  for (let n = 0; n < 3; n++) attempts.failed("a", "gateway");
  assert.equal(attempts.waitMs("a"), 1_000);
  now = 0;
  assert.ok(attempts.failed("a", "gateway") > 0);
  now = 11_000;
  assert.equal(attempts.waitMs("a"), 0);
});

test("[LISTEN-9] of many who guess at once the journal keeps a few lines a minute, and the sum", () => {
  let now = 0;
  const lines: unknown[] = [];
  const tell = createFailureJournal((_, context) => void lines.push(context), { now: () => now });
  const guess = (n: number): Guesses => ({ address: `192.0.2.${n}`, door: "gateway", count: 1 });
  for (let n = 0; n < 200; n++) tell(guess(n));
  assert.equal(lines.length, 20);
  now = 60_000;
  tell(guess(201));
  assert.deepEqual(lines.at(-1), { ...guess(201), fromOthers: 180 });
});

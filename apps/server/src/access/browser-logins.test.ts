import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createDispatch, createLogins, type Logins } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog } from "@atrium/log";
import { createBrowserLogins, type BrowserLogins } from "./browser-logins.ts";
import type { NewLogin } from "./login-opener.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HERE = { userAgent: "Firefox/140.0", address: "127.0.0.1", isLocal: true };
const FAR = { ...HERE, address: "203.0.113.7", isLocal: false };
const by = { id: "d", name: "Ann", via: "gateway" };

function setUp() {
  const log = openMemoryLog();
  const clock = createTestTime();
  const rows: Logins = createLogins();
  let folded = 0;
  const settled = async (): Promise<void> => {
    for await (const entry of log.read({ after: folded })) {
      rows.apply(entry);
      folded = entry.seq;
    }
  };
  let made = 0;
  const logins = createBrowserLogins({
    token: "a-token-of-a-test",
    logins: rows,
    dispatch: createDispatch({ log, clock, settled }),
    clock,
    ids: { next: () => `login-${++made}` },
    report: (fault) => assert.fail(fault),
  });
  return { log, clock, logins };
}

async function open(logins: BrowserLogins, from: typeof HERE): Promise<NewLogin> {
  const opened = await logins.open(from);
  assert.ok(opened.ok);
  return opened.value;
}

test("[LISTEN-14] a login ends after 30 days, however often it is seen", async () => {
  const { log, clock, logins } = setUp();
  const { loginId, cookie, page, maxAgeSeconds } = await open(logins, HERE);
  const shown = { kind: "browser", cookie, page } as const;
  assert.equal(maxAgeSeconds, (30 * DAY_MS) / 1_000);
  for (let day = 1; day < 30; day++) {
    clock.advance(DAY_MS);
    assert.equal(logins.find(shown, HERE.address)?.loginId, loginId, `day ${day}`);
    await setImmediate();
  }
  clock.advance(DAY_MS - 1);
  assert.ok(logins.isOpen(loginId) && logins.hasCookie(loginId, cookie));
  clock.advance(1);
  assert.equal(logins.find(shown, HERE.address), undefined);
  assert.ok(!logins.isOpen(loginId) && !logins.hasCookie(loginId, cookie));
  await log[Symbol.asyncDispose]();
});

test("[LISTEN-14] one waits a quarter of an hour, and is let in for 30 days from then on", async () => {
  const { log, clock, logins } = setUp();
  const { loginId: late } = await open(logins, FAR);
  clock.advance(15 * MINUTE_MS);
  assert.equal((await logins.approve(late, by)).ok, false, "its time to wait is up");
  const { loginId, cookie, page } = await open(logins, FAR);
  clock.advance(14 * MINUTE_MS);
  assert.ok(!logins.isOpen(loginId) && !logins.hasCookie(loginId, cookie));
  assert.equal((await logins.approve(loginId, by)).ok, true);
  clock.advance(30 * DAY_MS - 1);
  assert.ok(logins.isOpen(loginId));
  clock.advance(1);
  assert.equal(logins.find({ kind: "browser", cookie, page }, FAR.address), undefined);
  await log[Symbol.asyncDispose]();
});

test("[LISTEN-14] those that waited in vain make room for others", async () => {
  const { log, clock, logins } = setUp();
  for (let n = 0; n < 3; n++) await open(logins, FAR);
  assert.equal((await logins.open(FAR)).ok, false);
  clock.advance(15 * MINUTE_MS);
  await open(logins, FAR);
  await log[Symbol.asyncDispose]();
});

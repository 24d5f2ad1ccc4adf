import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { given } from "../testing/index.ts";
import { login, type OpenLogin } from "./login.ts";

const OPENED: OpenLogin = {
  loginId: "l1",
  cookieDigest: "c",
  pageDigest: "p",
  name: "Firefox on Linux",
  userAgent: "Mozilla/5.0",
  address: "127.0.0.1",
  expiresAt: 1_000,
};
const opened = { type: "login.opened", ...OPENED } as const;
const ended = { type: "login.ended", loginId: "l1", why: "revoked" } as const;

test("[CORE-37] a login is opened once, named, seen, and ended for good", () => {
  assert.deepEqual(given(login).when({ type: "open", ...OPENED }), accept([opened]));
  const open = given(login, opened);
  assert.deepEqual(
    open.when({ type: "rename", name: " Desk " }),
    accept([{ type: "login.renamed", loginId: "l1", name: "Desk" }]),
  );
  for (const name of ["", "  ", "x".repeat(81)]) {
    assert.equal(open.when({ type: "rename", name }).ok, false);
  }
  assert.deepEqual(
    open.when({ type: "see", address: "192.0.2.1" }),
    accept([{ type: "login.seen", loginId: "l1", address: "192.0.2.1" }]),
  );
  assert.deepEqual(open.when({ type: "end", why: "revoked" }), accept([ended]));
  const over = given(login, opened, ended);
  assert.deepEqual(over.when({ type: "end", why: "logout" }), accept([]));
  for (const command of [
    { type: "rename", name: "x" },
    { type: "see", address: "x" },
    { type: "open", ...OPENED },
  ] as const) {
    assert.equal(over.when(command).ok, false);
  }
});

test("[CORE-37] a login that waits is let in or turned away once, by someone", () => {
  const by = { id: "d", name: "Ann", via: "gateway" };
  const waits = { ...opened, isWaiting: true } as const;
  const approved = { type: "login.approved", loginId: "l1", by, expiresAt: 9_000 } as const;
  const rejected = { type: "login.rejected", loginId: "l1", by } as const;
  const waiting = given(login, waits);
  assert.deepEqual(waiting.when({ type: "approve", by, expiresAt: 9_000 }), accept([approved]));
  assert.deepEqual(waiting.when({ type: "reject", by }), accept([rejected]));
  for (const after of [
    given(login, opened),
    given(login, waits, approved),
    given(login, waits, rejected),
  ]) {
    assert.equal(after.when({ type: "approve", by, expiresAt: 9_000 }).ok, false);
    assert.equal(after.when({ type: "reject", by }).ok, false);
  }
});

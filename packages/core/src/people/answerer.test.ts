import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import { approval, type ApprovalSubject } from "../approval/approval.ts";
import { createDispatch } from "../engine/dispatch.ts";
import { refuse } from "../engine/refusal.ts";
import { createTestTime } from "../testing/index.ts";
import { describeAnswerer, describeOrigin, type Answerer } from "./answerer.ts";

const ann: Answerer = { id: "d", name: "Ann", via: "gateway" };

test("[CORE-27] nothing that says it is an agent's is dispatched: it decides nothing", async () => {
  await using log = openMemoryLog();
  const dispatch = createDispatch({ log, clock: createTestTime(), settled: () => undefined });
  const subject: ApprovalSubject = {
    tool: "shell",
    summary: "ls",
    cwd: null,
    host: null,
    nodeId: null,
    warning: null,
    conversationKey: null,
    runId: null,
    agent: null,
    askedBy: "agent",
    mayAlways: true,
  };
  const request = { type: "request", id: "a", code: "abxyz", subject, expiresAt: 1 } as const;
  assert.equal((await dispatch(approval, "a", { ...request, standing: null })).ok, true);
  const { head } = log;
  for (const credential of [
    { kind: "run" },
    { kind: "run", id: "agent:main:main" },
    { kind: "elsewhere" },
  ] as const) {
    const by = { ...ann, credential };
    const code = credential.kind === "run" ? "credential.run" : "credential.elsewhere";
    for (const command of [
      { type: "allow", how: "once", by },
      { type: "deny", by },
      { type: "revoke", by },
    ] as const) {
      assert.deepEqual(await dispatch(approval, "a", command), refuse(code));
    }
  }
  assert.equal(log.head, head);
  const person = { ...ann, credential: { kind: "token" } } as const;
  assert.equal((await dispatch(approval, "a", { type: "deny", by: person })).ok, true);
});

test("[CORE-28] who decided is told with the credential and the place, where those were kept", () => {
  const browser = { kind: "browser", id: "1f3c5a7b9d" } as const;
  const came = { ...ann, credential: browser, from: "10.0.0.7" };
  assert.equal(describeAnswerer(ann), "Ann (gateway)");
  assert.equal(describeAnswerer(came), "Ann (gateway, browser 1f3c5a7b, from 10.0.0.7)");
  assert.equal(describeOrigin(came), "browser 1f3c5a7b from 10.0.0.7");
  assert.equal(describeOrigin(ann), "");
});

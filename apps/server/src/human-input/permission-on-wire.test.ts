import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalSubject } from "@atrium/core";
import { permissionOnWire } from "./permission-on-wire.ts";

const subject: ApprovalSubject = {
  tool: "Write",
  summary: "tide.md",
  input: { file_path: "tide\u202E.md", content: "low\u200B" },
  cwd: "/srv/\u202Ea",
  host: "gateway\u200B",
  nodeId: null,
  warning: null,
  conversationKey: "agent:main:main",
  runId: "run-1",
  agent: "main",
  askedBy: "agent",
  mayAlways: true,
};

test("[WORLD-14] folder, machine and what would be written are shown, with invisible characters written out", () => {
  const { cwd, host, writes, agent_id, is_whole } = permissionOnWire(subject, "/read", "agent_bd");
  assert.deepEqual([cwd, host, agent_id], ["/srv/‹U+202E›a", "gateway‹U+200B›", "agent_bd"]);
  assert.deepEqual(writes, [{ path: "tide‹U+202E›.md", text: "low‹U+200B›" }]);
  assert.equal(is_whole, true);
});

test("[WORLD-15] what would be written counts for the size, and is left to be read by itself", () => {
  const long = { ...subject, writes: [{ path: "tide.md", text: "x".repeat(16_384) }] };
  const { is_whole, writes, read_at } = permissionOnWire(long, "/read");
  assert.deepEqual([is_whole, writes, read_at], [false, undefined, "/read"]);
});

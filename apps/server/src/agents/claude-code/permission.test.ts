import assert from "node:assert/strict";
import { test } from "node:test";
import type { PermissionRequest } from "../agent-runtime.ts";
import { createTestHost } from "../testing/test-host.ts";
import { decide } from "./permission.ts";

async function askedFor(
  tool: string,
  input: unknown,
  description?: string,
): Promise<PermissionRequest | undefined> {
  let asked: PermissionRequest | undefined;
  const host = createTestHost({
    requestPermission(request) {
      asked = request;
      return Promise.resolve("allowed");
    },
  });
  await decide(host, { id: "permission_1", tool, input, description }, host.signal);
  return asked;
}

test("[AGENT-240] what a model says about a command is beside it, not in it", async () => {
  const command = "echo same >> tide.txt";
  const first = await askedFor("Bash", { command, description: "Add a line" }, "Add a line");
  const second = await askedFor("Bash", { command, description: "Add one more" }, "Add one more");
  assert.deepEqual([first?.summary, second?.summary], [command, command]);
  assert.deepEqual(
    [first?.details, second?.details],
    ["description: Add a line", "description: Add one more"],
  );
});

test("[AGENT-240] what would be written is there to be read", async () => {
  assert.deepEqual(await askedFor("Write", { file_path: "/tide.md", content: "low\nhigh" }), {
    tool: "Write",
    summary: "/tide.md",
    details: "content: low\nhigh",
  });
  assert.deepEqual(await askedFor("Odd", { level: 3 }), { tool: "Odd", summary: '{"level":3}' });
});

test("[AGENT-240] nothing of a long command is left out", async () => {
  const command = `echo ${"x".repeat(5_000)}; rm -r build`;
  assert.equal((await askedFor("Bash", { command }))?.summary, command);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../../testing/test-host.ts";
import type { PermissionRequest } from "../../turn/agent-runtime.ts";
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
  const wanted = { id: "permission_1", tool, input, description, cwd: "/shore" };
  await decide(host, wanted, host.signal);
  return asked;
}

test("[AGENT-17] what a model says about a command is beside it, not in it", async () => {
  const command = "echo same >> tide.txt";
  const first = await askedFor("Bash", { command, description: "Add a line" }, "Add a line");
  const second = await askedFor("Bash", { command, description: "Add one more" });
  assert.deepEqual([first?.input, second?.input], [{ command }, { command }]);
  assert.deepEqual([first?.details, second?.details], ["Add a line", "Add one more"]);
});

test("[AGENT-17] all of the input is asked for, with the folder; only the shell's own words about it are not", async () => {
  const write = { file_path: "/tide.md", content: "low\nhigh" };
  assert.deepEqual(await askedFor("Write", write), { tool: "Write", input: write, cwd: "/shore" });
  const odd = { level: 3, description: "kept: it may be what is done" };
  assert.deepEqual((await askedFor("Odd", odd))?.input, odd);
  const risky = { command: "ls", timeout: 5, dangerouslyDisableSandbox: true };
  assert.deepEqual((await askedFor("Bash", risky))?.input, risky);
});

test("[AGENT-17] nothing of a long command is left out", async () => {
  const command = `echo ${"x".repeat(5_000)}; rm -r build`;
  assert.deepEqual((await askedFor("Bash", { command }))?.input, { command });
});

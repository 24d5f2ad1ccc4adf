import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PresetPlace } from "../../process/workspace-preset.ts";
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

test("[CLAUDE-17] a change of a file of the workspace is asked only with the preset ask", async () => {
  using above = mkdtempDisposableSync(join(tmpdir(), "atrium-preset-"));
  const folder = join(above.path, "worktree");
  mkdirSync(folder);
  symlinkSync(above.path, join(folder, "up"));
  const askedWith = async (
    preset: PresetPlace["preset"],
    tool: string,
    input: object,
  ): Promise<boolean> => {
    let isAsked = false;
    const host = createTestHost({
      requestPermission: async () => ((isAsked = true), "denied"),
    });
    const wanted = { id: "p", tool, input, description: undefined, cwd: folder };
    const decision = await decide(host, wanted, host.signal, { folder, preset });
    assert.equal(decision.behavior, isAsked ? "deny" : "allow");
    return isAsked;
  };
  const inside = { file_path: join(folder, "new/a.txt"), content: "a" };
  assert.equal(await askedWith("ask", "Write", inside), true);
  for (const preset of ["edit", "sandbox"] as const) {
    assert.equal(await askedWith(preset, "Write", inside), false);
    const notebook = { notebook_path: join(folder, "a.ipynb") };
    assert.equal(await askedWith(preset, "NotebookEdit", notebook), false);
    for (const path of ["../b.txt", "up/b.txt", ".git/config"]) {
      const outside = { file_path: `${folder}/${path}` };
      assert.equal(await askedWith(preset, "Edit", outside), true, path);
    }
    assert.equal(await askedWith(preset, "Edit", { file_path: "a.txt" }), true);
    assert.equal(await askedWith(preset, "Bash", { command: "ls", ...inside }), true);
    assert.equal(await askedWith(preset, "WebFetch", { url: "https://tides.example" }), true);
  }
});

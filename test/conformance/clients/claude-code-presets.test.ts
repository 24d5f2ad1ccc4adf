/** What an agent may do in its workspace without asking, with the real Claude Code, offline. */
import assert from "node:assert/strict";
import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { PermissionRequest } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import { openFolders } from "../../../apps/server/src/confinement/testing/confinement-stage.ts";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openClaudeStage, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const { skip } = claude;
const settings = { transport: "headless" } as const;

/** What each preset asks about, of these calls in their order. */
const PRESETS = {
  ask: ["Bash", "Write", "Bash", "Write", "WebFetch"],
  edit: ["Bash", "Bash", "Write", "WebFetch"],
  sandbox: ["Write", "WebFetch"],
} as const;

for (const [transport, preset] of [
  ["headless", "ask"],
  ["headless", "edit"],
  ["headless", "sandbox"],
  ["interactive", "edit"],
  ["interactive", "sandbox"],
] as const) {
  const expected = PRESETS[preset];
  test(
    `[CLAUDE-17] ${transport}, with the preset ${preset} it asks in its workspace about ${expected.join(", ")}`,
    { skip: skip || skipWithoutSandbox() || skipWithout("socat") },
    async () => {
      await using folders = await openFolders();
      const { folder, other } = folders;
      const outside = join(other, "out.txt");
      const calls = [
        { name: "Bash", input: { command: "touch b.txt; mv b.txt c.txt; sh -c 'echo high'" } },
        { name: "Write", input: { file_path: join(folder, "made.txt"), content: "made" } },
        {
          name: "Bash",
          input: { command: `echo x > ${outside}`, dangerouslyDisableSandbox: true },
        },
        { name: "Write", input: { file_path: outside, content: "x" } },
        { name: "WebFetch", input: { url: "http://127.0.0.1:9/tides", prompt: "High?" } },
      ];
      await using stage = await openClaudeStage({
        command: claude.path(),
        // It would allow more than the preset does.
        settings: { transport, permissionMode: "acceptEdits" },
        permissionsOf: () => preset,
        answer: ({ returned }) => {
          const next = calls[returned.length];
          if (next !== undefined) return { type: "answer", toolCalls: [next], usage: USAGE };
          return { type: "answer", chunks: ["done"], usage: USAGE };
        },
      });
      const asked: string[] = [];
      const host = createTestHost({
        speed: 1,
        requestPermission: async ({ tool, input }) => {
          asked.push(tool);
          return JSON.stringify(input).includes(outside) || tool === "WebFetch"
            ? "denied"
            : "allowed";
        },
      });
      const turn = turnOf("Go", { workspace: { folder, store: null } });
      const events = await eventsOf(stage.runtime, turn, host);
      assert.deepEqual(asked, expected, JSON.stringify(events));
      assert.equal(await readFile(join(folder, "made.txt"), "utf8"), "made");
      assert.ok((await readdir(folder)).includes("c.txt"), JSON.stringify(events));
      assert.deepEqual(await readdir(other), ["secret"]);
    },
  );
}

test(
  "[CLAUDE-17] where its sandbox cannot run, the preset sandbox leaves every command to people",
  { skip },
  async () => {
    await using folders = await openFolders();
    const { folder, other } = folders;
    // Neither bubblewrap nor socat is among these.
    for (const name of ["bash", "cat", "dirname", "env", "ls", "sh", "touch", "uname", "which"]) {
      await symlink(join("/usr/bin", name), join(other, name));
    }
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings,
      permissionsOf: () => "sandbox",
      env: { PATH: other },
      answer: ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: returned, usage: USAGE }
          : {
              type: "answer",
              toolCalls: [{ name: "Bash", input: { command: "touch b.txt" } }],
              usage: USAGE,
            },
    });
    const asked: string[] = [];
    const host = createTestHost({
      speed: 1,
      requestPermission: async ({ tool }) => (asked.push(tool), "denied"),
    });
    const turn = turnOf("Go", { workspace: { folder, store: null } });
    const events = await eventsOf(stage.runtime, turn, host);
    assert.deepEqual(asked, ["Bash"], JSON.stringify(events));
    assert.ok(!(await readdir(folder)).includes("b.txt"));
  },
);

test(
  "[CLAUDE-17] a command that wants the network has people asked, whatever the preset",
  { skip: skip || skipWithoutSandbox() || skipWithout("socat") || skipWithout("curl") },
  async () => {
    await using folders = await openFolders();
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings,
      permissionsOf: () => "sandbox",
      answer: ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: returned, usage: USAGE }
          : {
              type: "answer",
              toolCalls: [{ name: "Bash", input: { command: "curl -s http://tides.example" } }],
              usage: USAGE,
            },
    });
    const asked: PermissionRequest[] = [];
    const host = createTestHost({
      speed: 1,
      requestPermission: async (request) => (asked.push(request), "denied"),
    });
    const turn = turnOf("Go", { workspace: { folder: folders.folder, store: null } });
    await eventsOf(stage.runtime, turn, host);
    assert.deepEqual(
      asked.map(({ input }) => input),
      [{ host: "tides.example" }],
    );
  },
);

/** What an agent may do in its workspace without asking, with the real Codex, offline. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { WorkspacePermissions } from "../../../apps/server/src/agents/settings/agent-settings.ts";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { openCodexStage, USAGE } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

const codex = findCodex();
const skip = codex.skip || skipWithoutSandbox();

const PATCH = "*** Begin Patch\n*** Add File: patched.txt\n+high\n*** End Patch\n";
const STEPS = ["touch touched.txt", `apply_patch <<'EOF'\n${PATCH}EOF\n`];
const ASKED: readonly (readonly [WorkspacePermissions, readonly string[]])[] = [
  ["ask", ["shell", "apply_patch"]],
  ["edit", ["shell"]],
  ["sandbox", []],
];

for (const [permissions, expected] of ASKED) {
  test(
    `[CODEX-11] with "${permissions}" it asks about ${expected.join(" and ") || "nothing"} in its workspace`,
    { skip },
    async () => {
      await using stage = await openCodexStage({
        command: codex.path(),
        permissionsOf: () => permissions,
        answer({ returned }) {
          const cmd = STEPS[returned.length];
          const toolCalls = cmd === undefined ? [] : [{ name: "exec_command", input: { cmd } }];
          return { type: "answer", chunks: cmd ? [] : ["Done."], toolCalls, usage: USAGE };
        },
      });
      const folder = join(stage.folder, "workspace");
      mkdirSync(folder);
      const tools: string[] = [];
      const host = createTestHost({
        speed: 1,
        requestPermission: async ({ tool }) => {
          tools.push(tool);
          return "allowed";
        },
      });
      const turn = turnOf("Note it", { workspace: { folder, store: null } });
      const events = await eventsOf(stage.runtime, turn, host);
      assert.deepEqual(tools, expected, JSON.stringify(events));
      for (const file of ["touched.txt", "patched.txt"]) {
        assert.ok(existsSync(join(folder, file)), JSON.stringify(events));
      }
    },
  );
}

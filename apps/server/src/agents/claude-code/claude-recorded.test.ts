/** Claude Code as it was recorded, headless. */
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../platform/timers.ts";
import { describeRecordedTurns } from "../testing/recorded-turns.contract.ts";
import { turnOf } from "../testing/turns.ts";
import { createClaudeCodeRuntime } from "./claude-code.ts";
import { withDefaults } from "./protocol/claude-settings.ts";

const DOUBLE = join(import.meta.dirname, "testing/recorded-claude-double.ts");
const RECORDING = join(import.meta.dirname, "testing/recorded-work.jsonl");

describeRecordedTurns(
  "claude-code",
  () => {
    const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-claude-"));
    const command = join(folder.path, "claude");
    const script = `#!/bin/sh\nexec "${process.execPath}" "${DOUBLE}" "${RECORDING}" "$@"\n`;
    writeFileSync(command, script, { mode: 0o700 });
    const settings = { command, cwd: folder.path, transport: "headless" } as const;
    const runtime = createClaudeCodeRuntime(
      "claude",
      withDefaults(settings, folder.path, (name) => process.env[name]),
      { newSecret: randomUUID, now: () => Date.now(), after: systemTimers.after },
    );
    return {
      turn: (host) => runtime.start(turnOf("Do it."), host),
      async [Symbol.asyncDispose]() {
        await runtime.close?.();
        folder[Symbol.dispose]();
      },
    };
  },
  [
    { answer: "denied", tools: [], text: /^High tide\.$/ },
    { answer: "allowed", tools: [["Bash", false]], text: /^Done\.$/ },
    { answer: "denied", tools: [["Bash", true]], text: /^Done\.$/ },
    { answer: "allowed", tools: [["Write", false]], text: /^Done\.$/, shows: /high at noon/ },
  ],
);

/** A runtime whose Claude Code is the double beside this file. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestTime } from "@atrium/core/testing";
import { openToolServer } from "../../../../../../test/kit/tool-server/tool-server.ts";
import type { PermissionsOf } from "../../process/workspace-preset.ts";
import type { AgentRuntime } from "../../turn/agent-runtime.ts";
import { createClaudeCodeRuntime } from "../claude-code.ts";
import { withDefaults, type WrittenClaudeSettings } from "../protocol/claude-settings.ts";

export interface DoubleStage extends AsyncDisposable {
  readonly folder: string;
  readonly runtime: AgentRuntime;
  /** What was started, oldest first. */
  starts(): { readonly pid: number; readonly args: readonly string[] }[];
  /** Lets that much of the pool's time pass. */
  pass(ms: number): void;
}

export interface DoubleOptions {
  readonly traits?: readonly ("stubborn" | "broken" | "confused")[];
  readonly settings?: WrittenClaudeSettings;
  readonly env?: Readonly<Record<string, string>>;
  readonly permissionsOf?: PermissionsOf;
}

export function openDoubleStage(options: DoubleOptions = {}): DoubleStage {
  const folder = mkdtempSync(join(tmpdir(), "atrium-double-"));
  const program = join(folder, "claude");
  const script = join(import.meta.dirname, "claude-double.ts");
  const traits = (options.traits ?? []).join(" ");
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${script}" "${folder}" ${traits} -- "$@"\n`,
    { mode: 0o700 },
  );
  const env: Readonly<Record<string, string>> = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    ...options.env,
  };
  const time = createTestTime(0);
  const settings = { command: program, cwd: folder, ...options.settings };
  const runtime = createClaudeCodeRuntime(
    "claude",
    withDefaults(settings, folder, (name) => env[name]),
    {
      openMcpToolServer: openToolServer,
      newSecret: randomUUID,
      permissionsOf: options.permissionsOf,
      now: () => time.now(),
      after: (ms, run) => time.after(ms, run),
    },
  );
  return {
    folder,
    runtime,
    starts() {
      const file = join(folder, "starts.jsonl");
      const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
      return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    },
    pass: (ms) => time.advance(ms),
    async [Symbol.asyncDispose]() {
      await runtime.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A Codex runtime whose program is the double, and does as the test says. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openToolServer } from "../../../../../../test/kit/tool-server/tool-server.ts";
import { systemTimers } from "../../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import type { CodexSettings } from "../app-server/codex-settings.ts";
import type { CodexDeps } from "../app-server/open-codex.ts";
import { createCodexRuntime } from "../codex.ts";
import { codexPrompt, type CodexFlaw, type CodexStep } from "./codex-double.ts";

const DOUBLE = fileURLToPath(new URL("codex-double.ts", import.meta.url));
const ENV = { PATH: process.env["PATH"] ?? "" };

export interface Stage extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly folder: string;
  play(steps: readonly CodexStep[], scene?: Scene): Promise<TurnEvent[]>;
  say(...steps: readonly CodexStep[]): Promise<string>;
}

export interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly host?: TestHost;
}

export function openStage(
  flaws: readonly CodexFlaw[] = [],
  more: Partial<CodexSettings> = {},
  around: Partial<Pick<CodexDeps, "secretFolders" | "permissionsOf">> = {},
): Stage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-codex-"));
  const double = { command: process.execPath, extraArgs: [DOUBLE, ...flaws] };
  const place = { cwd: folder.path, env: ENV };
  const deps = {
    timers: systemTimers,
    openMcpToolServer: openToolServer,
    newMark: randomUUID,
    ...around,
  };
  const runtime = createCodexRuntime("codex", { ...double, ...place, ...more }, deps);
  const play: Stage["play"] = (steps, { turn = {}, host, ...options } = {}) =>
    eventsOf(
      runtime,
      turnOf(codexPrompt(...steps), turn),
      host ?? createTestHost({ speed: 1, ...options }),
    );
  return {
    runtime,
    folder: folder.path,
    play,
    say: async (...steps) => textIn(await play(steps)),
    async [Symbol.asyncDispose]() {
      await runtime.close?.();
      folder[Symbol.dispose]();
    },
  };
}

export function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

/** An ACP runtime whose agent does as the test says. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acpPrompt, type AcpStep } from "../../../../../../test/kit/acp-agent.ts";
import { openToolServer } from "../../../../../../test/kit/tool-server/tool-server.ts";
import { systemTimers } from "../../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import type { AcpSettings } from "../acp-settings.ts";
import { createAcpRuntime, type AcpDeps } from "../acp.ts";

const AGENT = fileURLToPath(new URL("../../../../../../test/kit/acp-agent.ts", import.meta.url));
const ENV = { PATH: process.env["PATH"] ?? "" };

export interface Stage extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly folder: string;
  play(steps: readonly AcpStep[], scene?: Scene): Promise<TurnEvent[]>;
  say(...steps: readonly AcpStep[]): Promise<string>;
}

export interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly host?: TestHost;
}

export function openStage(
  abilities: readonly string[] = [],
  more: Partial<AcpSettings> = {},
  deps: Partial<Pick<AcpDeps, "secretsInUse" | "confinement" | "permissionsOf">> = {},
): Stage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-acp-"));
  const command = [process.execPath, AGENT, ...abilities];
  const settings = { command, cwd: folder.path, env: ENV, ...more };
  const runtime = createAcpRuntime("acp", settings, {
    timers: systemTimers,
    openMcpToolServer: openToolServer,
    newSecret: randomUUID,
    ...deps,
  });
  const play: Stage["play"] = (steps, { turn = {}, host, ...options } = {}) =>
    eventsOf(
      runtime,
      turnOf(acpPrompt(...steps), turn),
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

export function toolCall(more: object): AcpStep {
  const call = { toolCallId: "t1", title: "Look it up", name: "lookup", rawInput: { q: "tide" } };
  return { update: { sessionUpdate: "tool_call", ...call, ...more } };
}

export function toolUpdate(more: object): AcpStep {
  return { update: { sessionUpdate: "tool_call_update", toolCallId: "t1", ...more } };
}

export function failureIn(events: readonly TurnEvent[]): { kind: string; reason: string } {
  const last = events.at(-1);
  assert.ok(last?.type === "failed", JSON.stringify(last));
  return last;
}

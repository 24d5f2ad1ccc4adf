/** An ACP runtime whose agent does what a program did when it was recorded. */
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Body } from "../../../../../../test/kit/model-server/model-server.ts";
import { openToolServer } from "../../../../../../test/kit/tool-server/tool-server.ts";
import { systemTimers } from "../../../platform/timers.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, turnOf } from "../../testing/turns.ts";
import type { AgentRuntime, TurnEvent } from "../../turn/agent-runtime.ts";
import type { AcpSettings } from "../acp-settings.ts";
import { createAcpRuntime } from "../acp.ts";

type ProgramName = NonNullable<AcpSettings["program"]>;

export interface RecordedStage extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  readonly folder: string;
  /** The recorded turns come one after another, whatever is said. */
  play(options?: TestHostOptions, host?: TestHost): Promise<TurnEvent[]>;
  /** What the program was sent, and what it was started with as `argv`. */
  received(): readonly Body[];
}

const AGENT = join(import.meta.dirname, "../../testing/recorded-double.ts");

export function openRecordedStage(
  program: ProgramName,
  more: Partial<AcpSettings> = {},
  recordings = "recordings",
): RecordedStage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-acp-"));
  const recording = join(import.meta.dirname, recordings, `${program}.jsonl`);
  const command = [process.execPath, AGENT, recording];
  const env = { PATH: process.env["PATH"] ?? "" };
  const runtime = createAcpRuntime(
    "acp",
    { command, program, cwd: folder.path, env, ...more },
    { timers: systemTimers, openMcpToolServer: openToolServer, newSecret: randomUUID },
  );
  return {
    runtime,
    folder: folder.path,
    play: (options = {}, host = createTestHost({ speed: 1, ...options })) =>
      eventsOf(runtime, turnOf("Do it."), host),
    received: () =>
      readFileSync(join(folder.path, "received.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line): Body => JSON.parse(line)),
    async [Symbol.asyncDispose]() {
      await runtime.close?.();
      folder[Symbol.dispose]();
    },
  };
}

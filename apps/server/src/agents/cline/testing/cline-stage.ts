/** A Cline runtime whose program is the double, and does as the test says. */
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../../platform/timers.ts";
import { createTestHost, type TestHostOptions } from "../../testing/test-host.ts";
import { eventsOf, turnOf } from "../../testing/turns.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../../turn/agent-runtime.ts";
import { createClineRuntime, type ClineDeps, type ClineSettings } from "../cline.ts";
import { clinePrompt, type ClineStep } from "./cline-double.ts";

const DOUBLE = join(import.meta.dirname, "cline-double.ts");

export interface Stage extends AsyncDisposable {
  readonly runtime: AgentRuntime;
  play(
    steps: readonly ClineStep[],
    options?: TestHostOptions,
    turn?: Partial<Turn>,
  ): Promise<TurnEvent[]>;
}

export function openStage(
  more: Partial<ClineSettings> = {},
  given: Partial<ClineDeps> = {},
): Stage {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-cline-"));
  const env = { PATH: process.env["PATH"] ?? "" };
  const command = [process.execPath, DOUBLE];
  const settings = { command, cwd: folder.path, env, ...more };
  const deps = { timers: systemTimers, newSecret: randomUUID, ...given };
  const runtime = createClineRuntime("cline", settings, deps);
  return {
    runtime,
    play: (steps, options = {}, turn = {}) =>
      eventsOf(
        runtime,
        turnOf(clinePrompt(...steps), turn),
        createTestHost({ speed: 1, ...options }),
      ),
    async [Symbol.asyncDispose]() {
      await runtime.close?.();
      folder[Symbol.dispose]();
    },
  };
}

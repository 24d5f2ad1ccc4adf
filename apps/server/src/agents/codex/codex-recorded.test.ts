/** Codex as it was recorded, by its app-server. */
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../platform/timers.ts";
import { describeRecordedTurns } from "../testing/recorded-turns.contract.ts";
import { turnOf } from "../testing/turns.ts";
import { createCodexRuntime } from "./codex.ts";

const DOUBLE = join(import.meta.dirname, "../testing/recorded-double.ts");
const RECORDING = join(import.meta.dirname, "testing/recorded-session.jsonl");

describeRecordedTurns(
  "codex",
  () => {
    const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-codex-"));
    const program = { command: process.execPath, extraArgs: [DOUBLE, RECORDING] };
    const place = { cwd: folder.path, env: { PATH: process.env["PATH"] ?? "" } };
    const deps = { timers: systemTimers, newMark: randomUUID };
    const runtime = createCodexRuntime("codex", { ...program, ...place }, deps);
    return {
      turn: (host) => runtime.start(turnOf("Do it."), host),
      async [Symbol.asyncDispose]() {
        await runtime.close?.();
        folder[Symbol.dispose]();
      },
    };
  },
  [
    { answer: "denied", tools: [], text: /^ECHO: hello$/ },
    { answer: "allowed", tools: [["shell", false]], text: /^DONE: Chunk ID/ },
  ],
);

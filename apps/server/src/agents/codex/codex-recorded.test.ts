/** Codex as it was recorded, by its app-server. */
import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../platform/timers.ts";
import { describeRecordedTurns, type RecordedProgram } from "../testing/recorded-turns.contract.ts";
import { turnOf } from "../testing/turns.ts";
import { createCodexRuntime } from "./codex.ts";

const DOUBLE = join(import.meta.dirname, "../testing/recorded-double.ts");

function open(recording: string): RecordedProgram {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-codex-"));
  const file = join(import.meta.dirname, "testing", recording);
  const program = { command: process.execPath, extraArgs: [DOUBLE, file] };
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
}

describeRecordedTurns("codex", () => open("recorded-session.jsonl"), [
  { answer: "denied", tools: [], text: /^ECHO: hello$/ },
  { answer: "allowed", tools: [["shell", false]], text: /^DONE: Chunk ID/ },
]);

describeRecordedTurns("codex at work", () => open("recorded-work.jsonl"), [
  { answer: "denied", tools: [], text: /^High tide\.$/ },
  { answer: "allowed", tools: [["shell", false]], text: /^Done\.$/ },
  { answer: "denied", tools: [["shell", true]], text: /^Done\.$/ },
  { answer: "allowed", tools: [["apply_patch", false]], text: /^Done\.$/, shows: /high at noon/ },
]);

/**
 * A program of an agent with which something is wrong. Whatever it is, a process beside it goes on, which nobody but its
 * group knows of.
 *
 *   node broken-program.ts WHOSE login|old
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export type ProgramKind = "claude-code" | "codex" | "acp" | "cline";
export type ProgramFault =
  | "hangs"
  | "prints garbage"
  | "dies at its start"
  | "wants a login"
  | "is too old"
  | "may not be run";

/** Makes it in the folder, under this name; what is returned is its path. */
export function makeBrokenProgram(
  folder: string,
  name: string,
  kind: ProgramKind,
  fault: ProgramFault,
): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nsleep 984 &\n${scriptOf(kind, fault)}\n`);
  chmodSync(file, fault === "may not be run" ? 0o600 : 0o700);
  return file;
}

function scriptOf(kind: ProgramKind, fault: ProgramFault): string {
  const speak = (mode: string): string =>
    `exec "${process.execPath}" "${import.meta.filename}" ${kind} ${mode}`;
  switch (fault) {
    case "hangs":
      return "exec sleep 985";
    case "prints garbage":
      return "exec yes 'the sea is wide'";
    case "dies at its start":
    case "may not be run":
      return "echo no tide >&2; exit 3";
    case "wants a login":
      return speak("login");
    case "is too old":
      if (kind === "acp") return speak("old");
      return kind === "codex"
        ? `echo "error: unrecognized subcommand 'app-server'" >&2; exit 2`
        : `echo "error: unknown option '--json'" >&2; exit 1`;
  }
}

const NEVER_ASKED = { jsonrpc: "2.0", result: {} };

/** What each answers to a request, by its method. */
const ANSWERS: ReadonlyMap<string, object> = new Map<string, object>([
  ["acp old initialize", { result: { protocolVersion: 0 } }],
  ["acp login initialize", { result: { protocolVersion: 1 } }],
  ["acp login session/new", { error: { code: -32_000, message: "Authentication required" } }],
  ["codex login account/read", { result: { requiresOpenaiAuth: true, account: null } }],
]);

if (import.meta.main) {
  const [, , kind = "", mode = ""] = process.argv;
  if (kind === "cline") {
    const text = "401 Unauthorized: provide an API key";
    write({ ts: "2026-11-18T00:00:00.000Z", type: "run_result", finishReason: "error", text });
  } else createInterface({ input: process.stdin }).on("line", (line) => hear(kind, mode, line));
}

function hear(kind: string, mode: string, line: string): void {
  const { id, method, type } = JSON.parse(line) as Record<string, unknown>;
  if (kind === "claude-code") {
    if (type === "user") write(LOGGED_OUT);
  } else if (id !== undefined) {
    const answer = ANSWERS.get(`${kind} ${mode} ${String(method)}`) ?? NEVER_ASKED;
    write(kind === "acp" ? { jsonrpc: "2.0", id, ...answer } : { id, ...answer });
  }
}

const LOGGED_OUT = {
  type: "result",
  subtype: "success",
  is_error: true,
  result: "Not logged in · Please run /login",
};

function write(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

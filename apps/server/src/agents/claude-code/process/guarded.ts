/**
 * A program that does not outlive the server. A server that is killed cannot stop its children, and Claude Code does not
 * stop in the middle of a turn when its pipes close. So a shell beside it reads a pipe of ours, which the system closes
 * however we end; the shell then sends SIGTERM to the program and SIGKILL to what is left of its group.
 *
 * In a terminal this is not needed: its end hangs up on everyone in it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { quote } from "../protocol/turn-ending.ts";
import { signalGroup } from "./process-tree.ts";

export interface GuardedProgram {
  readonly child: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** The shell becomes the program, so that the number of the one is the number of the other, and of their group. */
const SCRIPT = `{ read -r _ <&3; kill -TERM $$; sleep 2; kill -KILL -$$; } >/dev/null 2>&1 &
exec "$0" "$@" 3<&-`;

const MAX_ERROR_CHARS = 4_096;

/** Keeps the end of what is written to it, to say why a program ended. */
export function keepErrors(
  stderr: Readable,
): (code: number | null, signal: string | null) => string {
  let errors = "";
  stderr.on("data", (bytes: Buffer) => {
    errors = `${errors}${bytes.toString("utf8")}`.slice(-MAX_ERROR_CHARS);
  });
  return (code, signal) => {
    const quoted = quote(errors);
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    return `it ended ${how}${quoted === "" ? "" : `: ${quoted}`}`;
  };
}

export function spawnGuarded(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): GuardedProgram {
  const child = spawn("/bin/sh", ["-c", SCRIPT, command, ...args], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    // A group of its own, so that it can be ended with what it starts.
    detached: true,
  });
  child.once("exit", () => {
    // The guard, and what the program has started and left: it may hold the output open for ever.
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as pipes
  const [stdin, stdout, stderr] = child.stdio as unknown as [Writable, Readable, Readable];
  return { child, stdin, stdout, stderr };
}

/**
 * A program that does not outlive the server. Who is killed cannot end its children, and Claude Code in the middle of
 * a turn does not care that nobody listens any more. So a shell beside it holds a pipe of ours, which the system closes
 * however we end; then it asks the program to stop, and ends what is left of its group.
 *
 * In a terminal this is not needed: its end hangs up on everyone in it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
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

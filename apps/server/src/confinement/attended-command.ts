/**
 * One command from its start until nothing of it is left: its output is read, its time, memory and
 * processes are watched, and whatever it leaves behind is ended with it.
 *
 *   started -> running -> over (by itself, or stopped) -> everything gone -> result
 */
import { spawn, type ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Fault } from "@atrium/core";
import type { Timers } from "../platform/timers.ts";
import {
  NO_OUTPUT,
  OutputCapture,
  type OutputHandling,
  type OutputStream,
} from "./captured-output.ts";
import type { CommandEnd, CommandLaunch, CommandResult } from "./confinement.ts";
import type { StdioEntry } from "./inherited-descriptors.ts";
import type { CommandLimits } from "./limits.ts";
import { OutputPace } from "./output-pace.ts";
import { descendantsOf, identityOf, kill } from "./process-tree.ts";
import { watchTree, type Excess } from "./tree-watch.ts";

export interface Attendance {
  readonly limits: CommandLimits;
  readonly signal: AbortSignal;
  readonly handling: OutputHandling;
  /** Processes of it that are not below it any more. */
  readonly strays: (most?: number) => readonly number[];
  readonly timers: Timers;
  readonly now: () => number;
}

type StopReason = Extract<CommandEnd, { readonly how: "stopped" }>["why"];

const LOOK_AGAIN_MS = 2;
const QUIET_LOOKS = 3;
const QUIET_LOOK_MS = 20;
const QUICK_LOOKS = 50;
/** What was killed is gone in no time, unless the kernel itself is stuck with it. */
const GONE_WITHIN_MS = 10_000;
const LAST_OUTPUT_MS = 1_000;

/** The first descriptor that a command does not use. */
export const FREE_DESCRIPTOR = 3;

export async function attend(
  launch: CommandLaunch,
  attendance: Attendance,
): Promise<CommandResult> {
  const { signal, now } = attendance;
  const began = now();
  if (signal.aborted) return unstarted({ how: "stopped", why: "aborted" });
  const child = start(launch);
  const problem = await startProblem(child, launch);
  if (problem !== undefined) return refusedCommand(problem);
  lowerPriority(child);
  const command = new AttendedCommand(child, attendance);
  if (launch.options !== undefined) command.readStatus(launch.options);
  const end = await command.finish();
  return { end, durationMs: now() - began, output: command.output.finish() };
}

/** The server comes first, also beside a command that takes all there is. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is over already.
  }
}

/** One that never started. */
export function refusedCommand(reason: string): CommandResult {
  return unstarted({ how: "refused", reason });
}

function unstarted(end: CommandEnd): CommandResult {
  return { end, durationMs: 0, output: NO_OUTPUT };
}

function start({ argv, cwd, env, options, stdio }: CommandLaunch): ChildProcess {
  const [program = "", ...args] = argv;
  const pipes: StdioEntry[] = options === undefined ? [] : ["pipe", "pipe"];
  // A group of its own, which can be ended as a whole.
  const detached = true;
  return spawn(program, args, {
    cwd,
    env,
    detached,
    stdio: stdio(["ignore", "pipe", "pipe", ...pipes]),
  });
}

async function startProblem(
  child: ChildProcess,
  launch: CommandLaunch,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once("spawn", () => resolve(undefined));
  child.once("error", ({ message }) =>
    resolve(`The program "${launch.argv[0]}" could not be started: ${message}`),
  );
  return promise;
}

class AttendedCommand {
  readonly output: OutputCapture;
  readonly #child: ChildProcess;
  readonly #pid: number;
  readonly #attendance: Attendance;
  readonly #over = Promise.withResolvers<CommandEnd>();
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** To be seen gone before the call is over, by number. */
  readonly #known = new Map<number, string>();
  #status = "";
  #isSandboxed = false;
  #stopped: StopReason | undefined;

  constructor(child: ChildProcess, attendance: Attendance) {
    this.#child = child;
    this.#pid = child.pid ?? 0;
    this.#attendance = attendance;
    this.output = new OutputCapture(attendance.handling);
    this.#read({ stdout: child.stdout, stderr: child.stderr });
    child.once("close", () => {
      this.#isClosed = true;
      this.#closed.resolve();
    });
    child.once("exit", (code, killedBy) => this.#over.resolve(endOf(code, killedBy)));
  }

  #read(pipes: Readonly<Record<OutputStream, Readable | null>>): void {
    const { stdout, stderr } = pipes;
    const pace = new OutputPace(
      [stdout, stderr].filter((pipe) => pipe !== null),
      this.#attendance.timers,
    );
    for (const stream of ["stdout", "stderr"] as const) {
      pipes[stream]?.on("data", (chunk: Buffer) => {
        this.output.add(chunk, stream);
        pace.count(chunk.length);
      });
    }
  }

  /** Bubblewrap is given its options, and says which process holds all the others. */
  readStatus(options: string): void {
    this.#isSandboxed = true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as pipes
    const [, , , input, status] = this.#child.stdio as unknown as [
      null,
      Readable,
      Readable,
      Writable,
      Readable,
    ];
    input.on("error", () => undefined);
    input.end(options);
    status.on("error", () => undefined);
    status.on("data", (chunk: Buffer) => {
      this.#status += chunk.toString("utf8");
      const init = /"child-pid": (?<pid>\d+)/.exec(this.#status)?.groups?.["pid"];
      if (init !== undefined) this.#know(Number(init));
    });
  }

  async finish(): Promise<CommandEnd> {
    const { limits, signal, timers } = this.#attendance;
    const onAbort = (): void => this.#stop("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const stopClock = timers.after(limits.timeoutMs, () => this.#stop("time"));
    const everyone = (most: number): readonly number[] => this.#everyone(most);
    const onExcess = (excess: Excess): void => this.#stop(excess);
    const stopWatching = watchTree({ limits, everyone, onExcess }, timers);
    const end = await this.#over.promise;
    stopClock();
    stopWatching();
    signal.removeEventListener("abort", onAbort);
    await this.#clear();
    if (this.#stopped !== undefined) return { how: "stopped", why: this.#stopped };
    // Without an exit code of the command's own, the sandbox could not be made.
    if (this.#isSandboxed && !this.#status.includes('"exit-code"')) {
      return { how: "refused", reason: `The sandbox failed: ${this.output.finish().text.trim()}` };
    }
    return end;
  }

  #stop(why: StopReason): void {
    this.#stopped ??= why;
    this.#killAll();
  }

  #killAll(): void {
    // The group at once, which also ends those who multiply; then everyone by number.
    kill(-this.#pid);
    for (const pid of this.#everyone(this.#attendance.limits.processes)) {
      if (pid !== this.#pid) this.#know(pid);
    }
    for (const pid of this.#known.keys()) kill(pid);
  }

  /** Stops counting above `most`. */
  #everyone(most?: number): readonly number[] {
    return [...new Set([...descendantsOf(this.#pid, most), ...this.#attendance.strays(most)])];
  }

  #know(pid: number): void {
    const identity = identityOf(pid);
    if (identity !== undefined && !this.#known.has(pid)) this.#known.set(pid, identity);
  }

  /** Its first process is over: ends what it left behind, and waits until all of it is gone. */
  async #clear(): Promise<void> {
    const { strays, now } = this.#attendance;
    const began = now();
    // Outside of a sandbox one may be missed while it becomes another program.
    let quietLooks = this.#isSandboxed ? 1 : QUIET_LOOKS;
    for (let looks = 0; ; looks++) {
      kill(-this.#pid);
      const left = [...strays(), ...this.#alive()];
      if (left.length === 0) {
        if (--quietLooks <= 0) break;
        await this.#pause(QUIET_LOOK_MS);
        continue;
      }
      for (const pid of left) kill(pid);
      if (now() - began > GONE_WITHIN_MS) {
        throw new Fault("processes of a command cannot be ended", { pids: left });
      }
      // Whoever holds the others holds the output too: when that ends, all of it is gone in no time.
      if (!this.#isClosed) {
        await Promise.race([this.#closed.promise, this.#pause(LOOK_AGAIN_MS)]);
      } else if (looks < QUICK_LOOKS) {
        await setImmediate();
      } else {
        await this.#pause(LOOK_AGAIN_MS);
      }
    }
    // Whoever wrote is gone, so that the rest is in the pipes already.
    await Promise.race([this.#closed.promise, this.#pause(LAST_OUTPUT_MS)]);
    for (const pipe of this.#child.stdio) pipe?.destroy();
  }

  #alive(): readonly number[] {
    return [...this.#known]
      .filter(([pid, identity]) => identityOf(pid) === identity)
      .map(([pid]) => pid);
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#attendance.timers.after(ms, resolve);
    return promise;
  }
}

function endOf(code: number | null, killedBy: NodeJS.Signals | null): CommandEnd {
  if (killedBy !== null) return { how: "killed", signal: killedBy };
  return { how: "exited", code: code ?? 0 };
}

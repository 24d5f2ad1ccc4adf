/**
 * A program that was started here, and everything it has started: one process group, so that none of
 * it is left behind.
 *
 *   open -> running -> ended (by itself, or stopped: asked to, then made to)
 *
 * Standard input, output and one more pipe are its owner's; standard error is kept for explanations.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Duplex, Readable, Writable } from "node:stream";
import type { Timers } from "../../platform/timers.ts";
import type { CommandLaunch } from "../confinement.ts";
import type { CommandLimits } from "../limits.ts";
import { descendantsOf, identityOf, kill } from "../process-tree.ts";
import { watchTree, type Excess } from "../tree-watch.ts";
import { keepTail } from "./tail.ts";

export interface ChildSettings {
  readonly command: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a sandbox around it, on the descriptor after those it is spoken with. */
  readonly options?: string;
  /** What it gets besides: nothing that is open here. Left out: what Node leaves open. */
  readonly stdio?: CommandLaunch["stdio"];
  /** Beyond which it is stopped; left out: it is not watched. */
  readonly limits?: CommandLimits;
}

export type ChildEnd =
  | { readonly how: "exited"; readonly code: number }
  | { readonly how: "killed"; readonly signal: string }
  /** From here, with everything it had started. */
  | { readonly how: "stopped"; readonly excess: Excess; readonly limits: CommandLimits };

export interface Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** What the program reads as file descriptor 3. */
  readonly answers: Writable;
  readonly ended: Promise<ChildEnd>;
  /** After its end, once all that it has written is read. What outlives it and holds its output may keep it waiting. */
  readonly drained: Promise<void>;
  complaint(): string;
  /** Settles when nothing of it is left. */
  stop(): Promise<void>;
}

export type OpenedChild =
  | { readonly ok: true; readonly child: Child }
  /** For a person: what is missing. */
  | { readonly ok: false; readonly reason: string };

const MEGABYTE = 1024 * 1024;
const GRACE_MS = 2_000;
const LOOK_AGAIN_MS = 10;
const MAX_CHECKS = 20;
/** The kernel ends a sandbox as a whole, so that it is worth waiting for. */
const MAX_SANDBOX_CHECKS = 1_000;

export async function openChild(settings: ChildSettings, timers: Timers): Promise<OpenedChild> {
  const { command, cwd, env, options, stdio = (wanted) => [...wanted] } = settings;
  const [program = "", ...args] = command;
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return { ok: false, reason: `The folder ${cwd} does not exist.` };
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  const spawned = spawn(program, args, {
    cwd,
    env,
    stdio: stdio(["pipe", "pipe", "pipe", "pipe", ...pipesAround(options)]),
    // Its own process group, which can be ended as a whole.
    detached: true,
  });
  spawned.once("spawn", resolve);
  spawned.once("error", reject);
  try {
    await started;
  } catch (cause) {
    return { ok: false, reason: unstarted(program, cause) };
  }
  const around = options === undefined ? undefined : tellSandbox(spawned, options);
  return { ok: true, child: attend(spawned, timers, { sandbox: around, limits: settings.limits }) };
}

/** A sandbox reads its options on one, and tells how it goes on the other. */
function pipesAround(options: string | undefined): readonly "pipe"[] {
  return options === undefined ? [] : ["pipe", "pipe"];
}

/** The process in which everything of a sandbox ends. */
interface Sandbox {
  readonly isOver: () => boolean;
}

function tellSandbox({ stdio }: ChildProcess, options: string): Sandbox {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as pipes
  const [input, status] = stdio.slice(4) as unknown as [Duplex, Duplex];
  for (const pipe of [input, status]) pipe.on("error", () => undefined);
  input.end(options);
  let output = "";
  let first: { readonly pid: number; readonly identity: string | undefined } | undefined;
  status.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
    const pid = Number(/"child-pid": (?<pid>\d+)/.exec(output)?.groups?.["pid"] ?? 0);
    if (pid > 0) first ??= { pid, identity: identityOf(pid) };
  });
  return {
    isOver: () => first?.identity === undefined || identityOf(first.pid) !== first.identity,
  };
}

interface Surroundings {
  readonly sandbox: Sandbox | undefined;
  readonly limits: CommandLimits | undefined;
}

function attend(spawned: ChildProcess, timers: Timers, { sandbox, limits }: Surroundings): Child {
  const { pid = 0 } = spawned;
  const [stdin, stdout, stderr, answers] = pipesOf(spawned);
  const tail = keepTail(stderr);
  // A program that does not read what it is told is within its rights.
  for (const pipe of [stdin, answers]) pipe.on("error", () => undefined);
  const { promise: ended, resolve } = Promise.withResolvers<ChildEnd>();
  const { promise: drained, resolve: onDrained } = Promise.withResolvers<void>();
  spawned.once("close", () => onDrained());
  const stopWatching = limits === undefined ? () => undefined : watch(pid, limits, timers, resolve);
  spawned.once("exit", (code, signal) => {
    stopWatching();
    // What it started and left behind has nobody to report to.
    signalGroup(pid, "SIGKILL");
    resolve(signal === null ? { how: "exited", code: code ?? 0 } : { how: "killed", signal });
  });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    signalGroup(pid, "SIGTERM");
    const cancel = timers.after(GRACE_MS, () => signalGroup(pid, "SIGKILL"));
    await ended;
    cancel();
    await emptied(() => !signalGroup(pid, 0), MAX_CHECKS, timers);
    if (sandbox !== undefined) await emptied(sandbox.isOver, MAX_SANDBOX_CHECKS, timers);
    for (const pipe of [stdin, stdout, stderr, answers]) pipe.destroy();
  };
  return {
    pid,
    stdin,
    stdout,
    answers,
    ended,
    drained,
    complaint: () => tail.read(),
    stop: () => (stopping ??= stop()),
  };
}

/** What it leaves behind ends as it does for any other end. */
function watch(
  pid: number,
  limits: CommandLimits,
  timers: Timers,
  end: (end: ChildEnd) => void,
): () => void {
  const everyone = (most: number): readonly number[] => descendantsOf(pid, most);
  const onExcess = (excess: Excess): void => {
    end({ how: "stopped", excess, limits });
    signalGroup(pid, "SIGKILL");
    for (const each of everyone(limits.processes)) kill(each);
  };
  return watchTree({ limits, everyone, onExcess }, timers);
}

function pipesOf({ stdio }: ChildProcess): [Writable, Readable, Readable, Writable] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as four pipes
  const [stdin, stdout, stderr, answers] = stdio as unknown as [Duplex, Duplex, Duplex, Duplex];
  return [stdin, stdout, stderr, answers];
}

/** False when nobody of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** What was killed takes a moment to be gone, and for ever to be buried where nobody does that. */
async function emptied(isEmpty: () => boolean, checks: number, timers: Timers): Promise<void> {
  for (let look = 0; look < checks && !isEmpty(); look++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    timers.after(LOOK_AGAIN_MS, resolve);
    await promise;
  }
}

function unstarted(program: string, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ENOENT") {
    return `There is no program "${program}". Is it installed, and where the PATH or its folder says?`;
  }
  if (code === "EACCES") {
    return `The program "${program}" may not be run. Is it executable (chmod +x)?`;
  }
  return `The program "${program}" could not be started: ${cause instanceof Error ? cause.message : String(cause)}`;
}

export function describeEnd(program: string, end: ChildEnd, complaint: string): string {
  const how = endOf(end);
  return complaint === "" ? `"${program}" ${how}.` : `"${program}" ${how}:\n${complaint}`;
}

function endOf(end: ChildEnd): string {
  switch (end.how) {
    case "exited":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `was ended by ${end.signal}`;
    case "stopped":
      return end.excess === "memory"
        ? `took more than ${Math.round(end.limits.memoryBytes / MEGABYTE)} MB of memory and was stopped`
        : `started more than ${end.limits.processes} processes and was stopped`;
  }
}

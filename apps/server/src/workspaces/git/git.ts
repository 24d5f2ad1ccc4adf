/**
 * Runs git: the only place of the server that does.
 *
 * A process group of its own, so that what git starts ends with it; an environment that holds nothing
 * of the server's; a limit on time and on output. What became of it is returned, never thrown.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Duplex } from "node:stream";
import type { CommandLaunch } from "../../confinement/confinement.ts";
import type { Timers } from "../../platform/timers.ts";
import { FREE_DESCRIPTOR, type EncloseGit, type GitSite } from "./enclosed-git.ts";

export interface GitCall {
  readonly input?: string | Buffer;
  /** The files it works on; left out: a repository that its arguments name. */
  readonly site?: GitSite;
  /** Where it runs, where that matters and nothing else is known of it. */
  readonly folder?: string;
  /** Whether it reads or writes files of agents, and not only what is known of them. */
  readonly isConfined?: boolean;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

export type GitResult =
  | { readonly ok: true; readonly stdout: Buffer }
  | {
      readonly ok: false;
      readonly why: "failed" | "killed" | "late" | "large" | "missing";
      /** Null where it was ended. */
      readonly code: number | null;
      /** What git said about it, or what to say in its place. */
      readonly complaint: string;
      readonly stdout: Buffer;
    };

export interface Git {
  run(args: readonly string[], call?: GitCall): Promise<GitResult>;
  /** One that goes on until it is ended. */
  start(args: readonly string[]): GitProcess;
  /** Ends all that run; whatever is asked for afterwards fails. */
  close(): void;
}

export interface GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has said on standard error. */
  readonly complaint: () => string;
  readonly end: () => void;
}

export interface GitOptions {
  /** A name to be found in the PATH, or a path. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timers: Timers;
  /** Left out: nothing is confined. */
  readonly enclose?: EncloseGit | undefined;
}

/** Where it runs unless a call says otherwise; it is told what to work on. */
const NOWHERE = "/";
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_COMPLAINT_CHARACTERS = 4_000;
/** A checkout of fifty thousand files takes twenty seconds on a busy disk. */
const TIMEOUT_MS = 10 * 60_000;

export function createGit(options: GitOptions): Git {
  const running = new Set<ChildProcessWithoutNullStreams>();
  let isClosed = false;
  const launch = (how: CommandLaunch): ChildProcessWithoutNullStreams => {
    const child = startProcess(how);
    // A git that has ended does not read on.
    child.stdin.on("error", () => undefined);
    running.add(child);
    child.once("close", () => running.delete(child));
    if (isClosed) endGroup(child.pid);
    return child;
  };
  return {
    async run(args, call = {}) {
      const { site, isConfined = false } = call;
      const enclosed =
        isConfined && site !== undefined ? await options.enclose?.(args, site) : undefined;
      if (enclosed?.ok === false) return unstarted(enclosed.reason);
      const how = enclosed?.launch ?? plainly(args, options, call);
      return attend(launch(how), call, options.timers);
    },
    start(args) {
      const child = launch(plainly(args, options));
      let complaint = "";
      child.on("error", (cause) => (complaint = cause.message));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
      });
      return { child, complaint: () => complaint.trim(), end: () => endGroup(child.pid) };
    },
    close() {
      isClosed = true;
      for (const { pid } of running) endGroup(pid);
    },
  };
}

const stdio: CommandLaunch["stdio"] = (wanted) => [...wanted];

/** Not confined; what it works on is named, so that it looks for nothing. */
function plainly(
  args: readonly string[],
  { program, env }: GitOptions,
  { site, folder = NOWHERE }: GitCall = {},
): CommandLaunch {
  if (site === undefined) return { argv: [program, ...args], cwd: folder, env, stdio };
  const { gitDir, folder: cwd, index } = site;
  const argv = [program, `--git-dir=${gitDir}`, `--work-tree=${cwd}`, ...args];
  return { argv, cwd, env: { ...env, GIT_INDEX_FILE: index }, stdio };
}

function startProcess(launch: CommandLaunch): ChildProcessWithoutNullStreams {
  const { argv, cwd, env, options } = launch;
  const [program = "", ...args] = argv;
  const around = options === undefined ? [] : (["pipe", "pipe"] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as pipes
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: launch.stdio(["pipe", "pipe", "pipe", ...around]),
    detached: true,
  }) as ChildProcessWithoutNullStreams;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- asked for as pipes
  const [input, status] = child.stdio.slice(FREE_DESCRIPTOR) as (Duplex | undefined)[];
  input?.on("error", () => undefined).end(options);
  status?.on("error", () => undefined).resume();
  return child;
}

function unstarted(complaint: string): GitResult {
  return { ok: false, why: "failed", code: null, complaint, stdout: Buffer.alloc(0) };
}

function attend(
  child: ChildProcessWithoutNullStreams,
  { input, maxBytes = MAX_OUTPUT_BYTES, timeoutMs = TIMEOUT_MS }: GitCall,
  timers: Timers,
): Promise<GitResult> {
  const { promise, resolve } = Promise.withResolvers<GitResult>();
  const output: Buffer[] = [];
  let bytes = 0;
  let complaint = "";
  let ending: "late" | "large" | undefined;
  const end = (why: "late" | "large"): void => {
    ending ??= why;
    endGroup(child.pid);
  };
  const cancel = timers.after(timeoutMs, () => end("late"));
  child.stdout.on("data", (chunk: Buffer) => {
    output.push(chunk.subarray(0, Math.max(0, maxBytes - bytes)));
    bytes += chunk.length;
    if (bytes > maxBytes) end("large");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
  });
  const failed = (why: "failed" | "killed" | "late" | "large" | "missing", says: string): void => {
    const stdout = Buffer.concat(output);
    resolve({ ok: false, why, code: child.exitCode, complaint: says.trim(), stdout });
  };
  child.once("error", (cause) => {
    cancel();
    failed("missing", cause.message);
  });
  child.once("close", (code, signal) => {
    cancel();
    // What it started and left behind has nobody to report to.
    endGroup(child.pid);
    if (ending === "late") failed("late", `git did not end within ${timeoutMs / 1000} s`);
    else if (ending === "large") failed("large", `git wrote more than ${maxBytes} bytes`);
    else if (signal !== null) failed("killed", `git was ended by ${signal}: ${complaint}`);
    else if (code === 0) resolve({ ok: true, stdout: Buffer.concat(output) });
    else failed("failed", complaint);
  });
  child.stdin.end(input ?? "");
  return promise;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended by itself.
  }
}

/** What git separates with NUL; the last is closed by one too. */
export function splitNul(output: Buffer, encoding: "utf8" | "latin1" = "utf8"): string[] {
  const text = output.toString(encoding);
  return text === "" ? [] : text.replace(/\0$/, "").split("\0");
}

export const textOf = (output: Buffer): string => output.toString("utf8").trim();

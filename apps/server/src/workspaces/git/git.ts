/**
 * Runs git: the only place of the server that does.
 *
 * A process group of its own, so that what git starts ends with it; an environment that holds nothing
 * of the server's; a limit on time and on output. What became of it is returned, never thrown.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Timers } from "../../platform/timers.ts";

export interface GitCall {
  readonly input?: string | Buffer;
  /** Beyond what every call is given. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
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
  const launch = (args: readonly string[], call: GitCall): ChildProcessWithoutNullStreams => {
    const child = spawn(options.program, args, {
      cwd: call.cwd ?? NOWHERE,
      env: { ...options.env, ...call.env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    // A git that has ended does not read on.
    child.stdin.on("error", () => undefined);
    running.add(child);
    child.once("close", () => running.delete(child));
    if (isClosed) endGroup(child.pid);
    return child;
  };
  return {
    run: (args, call = {}) => attend(launch(args, call), call, options.timers),
    start(args) {
      const child = launch(args, {});
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
    bytes += chunk.length;
    if (bytes <= maxBytes) output.push(chunk);
    else end("large");
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

/**
 * One question to a program: it is started, read to its end or to a deadline, and ended with everything that it has started.
 *
 * It works in the root folder, where no project can tell it anything. Its environment is its caller's choice; keys have no
 * place in it.
 */
import { openChild, type Child } from "../../../confinement/program/child.ts";
import type { Timers } from "../../../platform/timers.ts";

export interface ProgramProbe {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Left out: there is nothing to read for it. */
  readonly input?: string;
  /** With its first line it has told enough, and need not end by itself. */
  readonly isOneLine?: boolean;
}

export type ProbeOutcome =
  | {
      readonly how: "ended";
      readonly code: number;
      readonly output: string;
      readonly errors: string;
    }
  | { readonly how: "killed"; readonly signal: string }
  | { readonly how: "late"; readonly afterMs: number }
  | { readonly how: "flooded" | "unstarted" };

/** With its environment and deadline already known. */
export type AskProgram = (probe: Omit<ProgramProbe, "env">) => Promise<ProbeOutcome>;

export interface ProbeDeps {
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Aborted when nobody wants to know any more. */
  readonly signal: AbortSignal;
}

const ROOT = "/";
const MAX_OUTPUT_BYTES = 64 * 1024;
/** How long something that outlives the program may hold its output. */
const DRAIN_MS = 500;

export async function probeProgram(
  { command, env, input, isOneLine = false }: ProgramProbe,
  deps: ProbeDeps,
): Promise<ProbeOutcome> {
  const opened = await openChild({ command, cwd: ROOT, env }, deps.timers);
  if (!opened.ok) return { how: "unstarted" };
  const { child } = opened;
  const { promise: given, resolve: giveUp } = Promise.withResolvers<ProbeOutcome>();
  const onLate = (): void => giveUp({ how: "late", afterMs: deps.timeoutMs });
  const cancel = deps.timers.after(deps.timeoutMs, onLate);
  deps.signal.addEventListener("abort", onLate);
  if (deps.signal.aborted) onLate();
  try {
    child.answers.end();
    if (input === undefined) child.stdin.end();
    else child.stdin.write(input);
    return await Promise.race([given, readOutcome(child, isOneLine, deps.timers)]);
  } finally {
    cancel();
    deps.signal.removeEventListener("abort", onLate);
    await child.stop();
  }
}

async function readOutcome(
  child: Child,
  isOneLine: boolean,
  timers: Timers,
): Promise<ProbeOutcome> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const output = (): string => Buffer.concat(chunks).toString("utf8");
  const enough = Promise.withResolvers<ProbeOutcome>();
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) return enough.resolve({ how: "flooded" });
    chunks.push(chunk);
    if (isOneLine && chunk.includes("\n")) {
      enough.resolve({ how: "ended", code: 0, output: output(), errors: "" });
    }
  });
  child.stdout.on("error", () => undefined);
  const ended = async (): Promise<ProbeOutcome> => {
    const end = await child.ended;
    await Promise.race([child.drained, wait(DRAIN_MS, timers)]);
    if (end.how === "killed") return { how: "killed", signal: end.signal };
    if (end.how === "stopped") return { how: "flooded" };
    return { how: "ended", code: end.code, output: output(), errors: child.complaint() };
  };
  return Promise.race([enough.promise, ended()]);
}

function wait(ms: number, timers: Timers): Promise<void> {
  return new Promise((resolve) => void timers.after(ms, resolve));
}

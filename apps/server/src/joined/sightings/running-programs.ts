/**
 * Which agent programs run on this machine, and in which folder, as /proc tells: on Linux, and of the server's own user.
 * Those that the server itself has started for its agents are not among them, nor are daemons, which are no sessions.
 */
import { readlinkSync } from "node:fs";
import type { Clock } from "@atrium/core";
import { AGENT_VARIABLE } from "../../platform/agent-processes.ts";
import { procNames, procText } from "../../platform/proc-files.ts";
import type { RunningProcess } from "./seen-session.ts";

/** How a program is known by the first words of its command line: its own file, or that of its package. */
export type ProgramPattern = RegExp;

export type FindRunning = () => ReadonlyMap<string, readonly RunningProcess[]>;

interface KnownProcess {
  readonly program: string;
  readonly parent: number;
  readonly process: Omit<RunningProcess, "pids">;
}

/** As every Linux that we know of counts time for /proc. */
const TICKS_PER_SECOND = 100;
/** Until then it may still become another program. */
const MIN_AGE_MS = 5_000;
const DAEMON = /^(?:app-server|--cline-hub-daemon|serve)$/;
/** In the environment of whatever the server starts for its agents. */
const OURS = new RegExp(`^(?:${AGENT_VARIABLE}|SYNTHESIS_CLAUDE_SESSION)=.`);

export function createFindRunning(
  patterns: ReadonlyMap<string, ProgramPattern>,
  clock: Clock,
): FindRunning {
  /** By number: of those that are old enough to stay what they are. */
  const known = new Map<string, KnownProcess | undefined>();
  const bootedAt = readBootTime();

  function read(pid: string, now: number): KnownProcess | undefined {
    const program = programIn(procText(`/proc/${pid}/cmdline`).split("\0"));
    const found = program === undefined ? undefined : describe(pid, program);
    const startedAt = found?.process.startedAt ?? startOf(pid);
    if (startedAt !== undefined && now - startedAt > MIN_AGE_MS) known.set(pid, found);
    return found;
  }

  function programIn([command = "", ...args]: readonly string[]): string | undefined {
    if (args.some((word) => DAEMON.test(word))) return undefined;
    // An interpreter comes first, and may have options.
    const script = args.find((word) => !word.startsWith("-")) ?? "";
    for (const [program, pattern] of patterns) {
      const isScript = /(?:^|\/)(?:node|bun)$/.test(command) && pattern.test(script);
      if (pattern.test(command) || isScript) return program;
    }
    return undefined;
  }

  function startOf(pid: string): number | undefined {
    const ticks = statOf(pid)[19];
    return ticks === undefined ? undefined : bootedAt + (Number(ticks) / TICKS_PER_SECOND) * 1000;
  }

  function describe(pid: string, program: string): KnownProcess | undefined {
    // Without its environment it is another user's.
    const isAnothers = procText(`/proc/${pid}/environ`) === "";
    const folder = linkOf(`/proc/${pid}/cwd`);
    const [, parent, ...fields] = statOf(pid);
    const startedAt = startOf(pid);
    if (isAnothers || folder === undefined || startedAt === undefined) return undefined;
    if (isOfAgents(pid)) return undefined;
    const identity = `${pid}:${fields[17]}`;
    const process = { pid: Number(pid), identity, folder, startedAt };
    return { program, parent: Number(parent), process };
  }

  return () => {
    const now = clock.now();
    const pids = procNames("/proc").filter((name) => /^\d+$/.test(name));
    const present = new Set(pids);
    for (const pid of known.keys()) if (!present.has(pid)) known.delete(pid);
    const found = pids.flatMap((pid) => {
      const process = known.has(pid) ? known.get(pid) : read(pid, now);
      return process === undefined || !isRunning(process.process) ? [] : [process];
    });
    const groups = Map.groupBy(found, ({ program }) => program);
    return new Map([...groups].map(([program, all]) => [program, sessionsIn(all)]));
  };
}

/** Many start themselves again, below the first; that is one session. */
function sessionsIn(all: readonly KnownProcess[]): readonly RunningProcess[] {
  const parents = new Map(all.map(({ process, parent }) => [process.pid, parent]));
  const firstOf = (pid: number): number => {
    const parent = parents.get(pid);
    return parent !== undefined && parents.has(parent) ? firstOf(parent) : pid;
  };
  const families = Map.groupBy(parents.keys(), firstOf);
  return all.flatMap(({ process }) => {
    const pids = families.get(process.pid);
    return pids === undefined ? [] : [{ ...process, pids }];
  });
}

/** Whether the server has started it for one of its agents. */
export function isOfAgents(pid: number | string): boolean {
  const environment = procText(`/proc/${pid}/environ`);
  return environment.split("\0").some((variable) => OURS.test(variable));
}

function isRunning({ pid, identity }: KnownProcess["process"]): boolean {
  const [state, ...fields] = statOf(String(pid));
  return state !== undefined && !/[ZX]/.test(state) && identity === `${pid}:${fields[18]}`;
}

/** From the state on: the name before it, in parentheses, may hold anything. */
function statOf(pid: string): readonly string[] {
  const stat = procText(`/proc/${pid}/stat`);
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function readBootTime(): number {
  const [, seconds = "0"] = /^btime (\d+)$/m.exec(procText("/proc/stat")) ?? [];
  return Number(seconds) * 1000;
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

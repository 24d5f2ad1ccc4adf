/**
 * Which agents are on this machine: the programs of the table, and the model servers that listen on it.
 *
 * Nobody waits for a program that hangs longer than its deadline, few are started at a time, and none is asked again while
 * its answer holds. Whatever one of them does, the others are told of as they are.
 */
import type { Timers } from "../../platform/timers.ts";
import { environmentFor } from "../process/environment.ts";
import { examineModelServer, MODEL_SERVER_TABLE, type ModelServerRow } from "./model-servers.ts";
import type { ModelServerFinding, ProgramFinding } from "./probes/finding.ts";
import { ProbeCache } from "./probes/probe-cache.ts";
import { probeProgram, type AskProgram } from "./probes/probe-program.ts";
import { createSemaphore } from "./probes/semaphore.ts";
import { examineProgram } from "./programs/examine-program.ts";
import { PROGRAM_TABLE, type ProgramRow } from "./programs/program-table.ts";

export interface Detection {
  readonly agentPrograms: readonly ProgramFinding[];
  readonly modelServers: readonly ModelServerFinding[];
  readonly checkedAtMs: number;
}

export interface Detector extends AsyncDisposable {
  /** `isFresh`: what is known is asked again. */
  detect(isFresh: boolean): Promise<Detection>;
}

export interface DetectorDeps {
  readonly readEnv: (name: string) => string | undefined;
  /** Whether a key of that name is kept with the server; left out: none is. */
  readonly isKept?: (name: string) => boolean;
  readonly timers: Timers;
  readonly now: () => number;
  readonly programs?: readonly ProgramRow[];
  readonly modelServers?: readonly ModelServerRow[];
  readonly programTimeoutMs?: number;
  readonly modelServerTimeoutMs?: number;
}

/** Some take three seconds for their version, on a machine that has nothing else to do. */
const PROGRAM_TIMEOUT_MS = 10_000;
const MODEL_SERVER_TIMEOUT_MS = 2_000;
const MODELS_HOLD_MS = 2_000;
const MAX_PROBES = 4;
/** Not secret, and needed to find what is kept in a keychain. */
const USER = "USER";

export function openDetector(deps: DetectorDeps): Detector {
  const { readEnv, isKept = () => false, timers, now } = deps;
  const { programs = PROGRAM_TABLE, modelServers = MODEL_SERVER_TABLE } = deps;
  const { programTimeoutMs = PROGRAM_TIMEOUT_MS } = deps;
  const { modelServerTimeoutMs = MODEL_SERVER_TIMEOUT_MS } = deps;
  const cache = new ProbeCache(now);
  const inTurn = createSemaphore(MAX_PROBES);
  const closing = new AbortController();
  const { signal } = closing;
  const underWay = new Set<Promise<unknown>>();

  const askOf = (row: ProgramRow): AskProgram => {
    const env = environmentFor([USER, ...(row.variables.places ?? [])], readEnv);
    const limits = { timers, timeoutMs: programTimeoutMs, signal };
    return (probe) => inTurn(() => probeProgram({ ...probe, env }, limits));
  };
  const examineServer = async (row: ModelServerRow) => ({
    value: await examineModelServer(row, { timeoutMs: modelServerTimeoutMs, signal }),
    holdsMs: MODELS_HOLD_MS,
  });
  const look = async (isFresh: boolean): Promise<Detection> => {
    const [foundPrograms, foundServers] = await Promise.all([
      Promise.all(
        programs.map((row) =>
          examineProgram(row, { readEnv, isKept, cache, ask: askOf(row), isFresh }),
        ),
      ),
      Promise.all(
        modelServers.map((row) => cache.read(row.id, "", () => examineServer(row), isFresh)),
      ),
    ]);
    return { agentPrograms: foundPrograms, modelServers: foundServers, checkedAtMs: now() };
  };

  return {
    async detect(isFresh) {
      const looking = look(isFresh);
      underWay.add(looking);
      try {
        return await looking;
      } finally {
        underWay.delete(looking);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.allSettled(underWay);
    },
  };
}

/** A director with everything around it real but time and the agents, which do as the test says. */
import assert from "node:assert/strict";
import {
  BUILT_IN_CREW,
  conversation,
  createConversations,
  createDispatch,
  createRuns,
  createTranscript,
  openProjections,
  resolveKey,
  type ConversationEvent,
  type Conversations,
  type Dispatch,
  type Fault,
  type Outcome,
  type Projection,
  type Projections,
  type ReadTranscript,
  type RunsProjection,
} from "@atrium/core";
import { createTestIds, createTestTime, type TestTime } from "@atrium/core/testing";
import { openMemoryLog, type Log } from "@atrium/log";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../../agents/turn/agent-runtime.ts";
import type { Blobs } from "../../platform/blobs.ts";
import { createToolbox, type Tool } from "../../tools/toolbox.ts";
import { createLiveRuns } from "../live-runs.ts";
import type { IncomingMessage, SendReceipt } from "../message-intake.ts";
import { createRunDirector, type RunDirector, type RunDirectorLimits } from "../run-director.ts";
import type { TurnHumanInput } from "../run-driver.ts";
import type { RunStatus } from "../run-statuses.ts";
import type { WorkspaceOf } from "../run-workspace.ts";
import type { Budgets } from "../spend-brakes.ts";
import { createTurnClocks, type TurnClocks } from "../turn-clocks.ts";

export type Play = (turn: Turn, host: TurnHost) => AsyncIterable<TurnEvent>;

export interface StageOptions {
  readonly log?: Log;
  /** Resolves once files may be kept; left out: at once. */
  readonly disk?: () => Promise<void>;
  readonly tools?: readonly Tool[];
  readonly humanInput?: (clocks: TurnClocks) => Partial<TurnHumanInput>;
  readonly budgets?: Partial<Budgets>;
  readonly limits?: Partial<RunDirectorLimits>;
  /** What else is folded. */
  readonly folds?: readonly Projection[];
  readonly workspaceOf?: WorkspaceOf;
  /** What stands between the director and whoever plays. */
  readonly around?: (played: AgentRuntime, dispatch: Dispatch) => AgentRuntime;
}

type How = { readonly key?: string } & Partial<Omit<IncomingMessage, "key">>;

export interface Stage extends RunDirector {
  readonly log: Log;
  readonly dispatch: Dispatch;
  readonly projections: Pick<Projections, "onBatch">;
  readonly blobs: Blobs;
  readonly time: TestTime;
  readonly faults: readonly Fault[];
  readonly conversations: Conversations;
  readonly runs: RunsProjection;
  readonly transcript: ReadTranscript;
  send(runId: string, text: string, how?: How): Promise<Outcome<SendReceipt>>;
  /** How a run ended, once it has. */
  ended(runId: string): Promise<NonNullable<RunStatus["ended"]>>;
  /** Resolves once the first words are on their way. */
  said(runId: string): Promise<void>;
  /** Resolves once something of that kind is in the log. */
  happened(type: ConversationEvent["type"], runId: string): Promise<void>;
  events(key?: string): Promise<ConversationEvent[]>;
}

const MAIN = "agent:main:main";

export async function openStage(play: Play, options: StageOptions = {}): Promise<Stage> {
  const log = options.log ?? openMemoryLog();
  const time = createTestTime();
  const conversations = createConversations();
  const runs = createRuns();
  const projections = await openProjections(log, [conversations, runs, ...(options.folds ?? [])]);
  const dispatch = createDispatch({ log, clock: time, settled: projections.settled });
  const faults: Fault[] = [];
  const blobs = createTestBlobs(options.disk);
  const played: AgentRuntime = {
    name: "played",
    type: "test",
    model: { provider: "test", id: "played", contextTokens: 10_000 },
    start: play,
  };
  const runtime = options.around?.(played, dispatch) ?? played;
  const pace = {
    now: () => time.now(),
    sleep: (ms: number, signal: AbortSignal) => time.sleep(ms, signal),
    after: (ms: number, run: () => void) => time.after(ms, run),
  };
  const clocks = createTurnClocks(pace);
  const director = createRunDirector({
    live: createLiveRuns(),
    log,
    dispatch,
    conversations,
    runs,
    crew: BUILT_IN_CREW,
    runtimeOf: () => runtime,
    ...(options.workspaceOf !== undefined && { workspaceOf: options.workspaceOf }),
    blobs,
    policyOf: () => ({
      tools: createToolbox(options.tools ?? []),
      budgets: {
        run: { tokens: 100_000 },
        conversation: { tokens: 1_000_000 },
        ...options.budgets,
      },
      timeoutMs: 60_000,
    }),
    humanInput: {
      ask: () => Promise.resolve(null),
      requestPermission: () => Promise.resolve("denied"),
      ...options.humanInput?.(clocks),
    },
    clocks,
    limits: {
      clientCallTimeoutMs: 120_000,
      maxTurns: 8,
      maxFileBytes: 100,
      maxFiles: 2,
      ...options.limits,
    },
    ids: createTestIds(log.head.toString()),
    ...pace,
    report: (fault) => void faults.push(fault),
  });
  projections.onBatch(director.reports.onBatch);
  projections.onBatch(director.onBatch);

  const send: Stage["send"] = (runId, text, { key: written = "main", ...how } = {}) => {
    const key = resolveKey(BUILT_IN_CREW, written);
    assert.ok(key.ok);
    const from = { clientId: "test", clientMode: "test", name: null };
    const once = { id: `run:${JSON.stringify(runId)}`, digest: text };
    return director.intake.send({ runId, text, from, ...how, key: key.value }, once);
  };

  return {
    ...director,
    log,
    dispatch,
    projections,
    blobs,
    time,
    faults,
    conversations,
    runs,
    send,
    transcript: createTranscript(log),
    async ended(runId) {
      const report = await director.reports.wait(runId, new AbortController().signal);
      assert.ok(report?.ended, `${runId} has not ended`);
      return report.ended;
    },
    said(runId) {
      return new Promise((resolve) => {
        if ((director.live.get(runId)?.text ?? "") !== "") resolve();
        director.live.onEvent((run) => {
          if (run.runId === runId) resolve();
        });
      });
    },
    async happened(type, runId) {
      for await (const batch of log.tail(0)) {
        for (const entry of batch) {
          const event = conversation.read(entry);
          if (event.type === type && "runId" in event && event.runId === runId) return;
        }
      }
    },
    async events(key = MAIN) {
      const stream = `conversation/${key}`;
      return (await Array.fromAsync(log.read({ stream }))).map(conversation.read);
    },
    async [Symbol.asyncDispose]() {
      await director[Symbol.asyncDispose]();
      await projections.close();
      if (options.log === undefined) await log.close();
    },
  };
}

function createTestBlobs(disk = (): Promise<void> => Promise.resolve()): Blobs {
  const kept: Uint8Array[] = [];
  return {
    async put(bytes) {
      await disk();
      return `b${kept.push(bytes) - 1}`;
    },
    get: (digest) => Promise.resolve(Buffer.from(kept[Number(digest.slice(1))] ?? [])),
  };
}

/** Says it, and is done. */
export async function* says(text: string): AsyncGenerator<TurnEvent> {
  yield { type: "text", delta: text };
  yield { type: "completed", stopReason: "stop" };
}

/** Until the turn is stopped. */
export function untilStopped({ signal }: TurnHost): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

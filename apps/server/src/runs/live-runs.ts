/**
 * The runs that are being driven right now, and what has been said in each so far.
 *
 * Ephemeral by nature: words on their way are told to whoever listens and are nowhere else; what became
 * of them is in the log once the run has ended.
 */
import { BoundedMap } from "@atrium/core";
import type { TurnUsage } from "../agents/turn/agent-runtime.ts";

export interface LiveRun {
  readonly runId: string;
  readonly key: string;
  readonly handle: string;
  readonly sessionId: string;
  readonly startedAt: number;
  readonly text: string;
  /** The end of what each call at work has put out, by its id. */
  readonly outputs: ReadonlyMap<string, string>;
}

export type LiveEvent =
  | { readonly type: "output"; readonly callId: string; readonly text: string }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  | { readonly type: "usage"; readonly usage: TurnUsage }
  | { readonly type: "progress"; readonly text: string; readonly percent?: number }
  | { readonly type: "retrying"; readonly attempt: number; readonly reason: string };

export type LiveListener = (run: LiveRun, event: LiveEvent) => void;

export interface LiveRuns {
  get(runId: string): LiveRun | undefined;
  /** What a run has used so far; of one that has just ended, what it had used. */
  usageOf(runId: string): TurnUsage | undefined;
  list(): Iterable<LiveRun>;
  onEvent(listener: LiveListener): void;
  begin(run: Omit<LiveRun, "text" | "outputs">): void;
  beginCall(runId: string, callId: string): void;
  endCall(runId: string, callId: string): void;
  publish(runId: string, event: LiveEvent): void;
  end(runId: string): void;
}

/** Whoever is late to read how a run ended still finds what it used. */
const MAX_USAGES = 200;
const MAX_OUTPUT_CHARS = 65_536;

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun & { text: string; readonly outputs: Map<string, string> }>();
  const usages = new BoundedMap<string, TurnUsage>(MAX_USAGES);
  const listeners: LiveListener[] = [];

  return {
    get: (runId) => runs.get(runId),
    usageOf: (runId) => usages.get(runId),
    list: () => runs.values(),
    onEvent: (listener) => void listeners.push(listener),
    begin: (run) => void runs.set(run.runId, { ...run, text: "", outputs: new Map() }),
    beginCall: (runId, callId) => void runs.get(runId)?.outputs.set(callId, ""),
    endCall: (runId, callId) => void runs.get(runId)?.outputs.delete(callId),
    publish(runId, event) {
      const run = runs.get(runId);
      if (run === undefined) return;
      if (event.type === "text") run.text += event.delta;
      if (event.type === "output") {
        const { outputs } = run;
        const before = outputs.get(event.callId);
        // It came too late to be of a call at work.
        if (before === undefined) return;
        outputs.set(event.callId, `${before}${event.text}`.slice(-MAX_OUTPUT_CHARS));
      }
      if (event.type === "usage") usages.setNewest(runId, event.usage);
      for (const listener of listeners) listener(run, event);
    },
    end: (runId) => void runs.delete(runId),
  };
}

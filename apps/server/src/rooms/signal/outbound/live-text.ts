/** What agents of the house say and think, while they do, as passing signals. */
import type { SignalEnvelope } from "@atrium/wire/signal";
import type { LiveEvent, LiveRun, LiveRuns } from "../../../runs/live-runs.ts";
import { OWN_SOURCE, type TranslatorDeps } from "../translate/translate.ts";

export interface LiveTextDeps extends Pick<TranslatorDeps, "agentIdOf"> {
  readonly live: Pick<LiveRuns, "onEvent" | "list">;
  readonly now: () => number;
}

export interface LiveText {
  onSignal(listener: (signal: SignalEnvelope) => void): void;
  underway(): Iterable<SignalEnvelope>;
}

export function createLiveText({ agentIdOf, live, now }: LiveTextDeps): LiveText {
  /** How many each run has had; a run that is over is forgotten with its object. */
  const counts = new WeakMap<LiveRun, number>();

  function envelope(run: LiveRun, id: string): Omit<SignalEnvelope, "type" | "payload"> {
    const { runId: correlationId, key: conversationKey } = run;
    const origin = { timestamp: now(), source: OWN_SOURCE, correlationId };
    return { id: `${correlationId}:${id}`, ...origin, metadata: { conversationKey } };
  }

  function translate(run: LiveRun, event: LiveEvent): SignalEnvelope | undefined {
    const agentId = agentIdOf(run.handle);
    const index = counts.get(run) ?? 0;
    const common = envelope(run, String(index));
    counts.set(run, index + 1);
    switch (event.type) {
      case "text":
        return { ...common, type: "text_delta", payload: { agentId, content: event.delta, index } };
      case "thinking":
        return { ...common, type: "thinking", payload: { agentId, content: event.delta } };
      case "retrying": {
        const payload = { message: event.reason, severity: "warning", agentId, code: "retrying" };
        return { ...common, type: "error", payload };
      }
      // A tool is told with its result. What a run has used is told once, when it ends: sums would count it twice.
      case "output":
      case "usage":
      case "progress":
        return undefined;
    }
  }

  return {
    onSignal(listener) {
      live.onEvent((run, event) => {
        const signal = translate(run, event);
        if (signal !== undefined) listener(signal);
      });
    },
    *underway() {
      for (const run of live.list()) {
        if (run.text === "") continue;
        const payload = { agentId: agentIdOf(run.handle), content: run.text };
        yield { ...envelope(run, "text"), type: "text_delta", payload };
      }
    },
  };
}

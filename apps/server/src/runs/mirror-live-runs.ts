/**
 * Runs that another node drives, as if they were driven here: whoever shows words on their way shows them on every
 * node. What comes after the end of a run in the log is too late, and is left out.
 */
import type { MirrorSource } from "../cluster/mirror.ts";
import type { LiveEvent, LiveRun, LiveRuns } from "./live-runs.ts";

type RunStart = Omit<LiveRun, "text" | "outputs">;

export type LiveRunChange =
  | { readonly type: "begin"; readonly run: RunStart }
  | { readonly type: "beginCall"; readonly runId: string; readonly callId: string }
  | { readonly type: "endCall"; readonly runId: string; readonly callId: string }
  | { readonly type: "event"; readonly runId: string; readonly event: LiveEvent }
  | { readonly type: "end"; readonly runId: string };

interface MirrorLiveRunsDeps {
  /** Undefined when there is nobody to tell. */
  readonly mirror: (
    source: MirrorSource<LiveRunChange>,
  ) => { tell(change: LiveRunChange): void } | undefined;
  /** Whether the log has its end. */
  readonly isOver: (runId: string) => boolean;
}

/** So that a long text is told in pieces. */
const MAX_DELTA_CHARS = 65_536;

export function mirrorLiveRuns(
  live: LiveRuns,
  { mirror: open, isOver }: MirrorLiveRunsDeps,
): LiveRuns {
  /** Runs of other nodes, and which node has each. */
  const nodes = new Map<string, string>();

  function apply(change: LiveRunChange, node: string): void {
    if (change.type === "begin") {
      const { runId } = change.run;
      if (isOver(runId)) return;
      nodes.set(runId, node);
      live.begin(change.run);
      return;
    }
    const { runId } = change;
    if (nodes.get(runId) !== node) return;
    if (change.type === "end") drop(runId);
    else if (!isOver(runId)) applyTo(live, change);
  }

  function drop(runId: string): void {
    nodes.delete(runId);
    live.end(runId);
  }

  function replace(changes: readonly LiveRunChange[], node: string): void {
    const runIds = new Set(
      changes.flatMap((change) => (change.type === "begin" ? change.run.runId : [])),
    );
    for (const [runId, at] of nodes) if (at === node && !runIds.has(runId)) drop(runId);
    for (const change of newIn(changes, live)) apply(change, node);
  }

  const mirror = open({
    name: "live-runs",
    *whole() {
      for (const run of live.list()) if (!nodes.has(run.runId)) yield* changesOf(run, live);
    },
    apply,
    replace,
  });
  if (mirror === undefined) return live;
  const tell = (change: LiveRunChange): void => mirror.tell(change);

  return {
    get: (runId) => live.get(runId),
    usageOf: (runId) => live.usageOf(runId),
    // The log may have its end before its node has told it.
    list: () => [...live.list()].filter(({ runId }) => !nodes.has(runId) || !isOver(runId)),
    onEvent: (listener) => live.onEvent(listener),
    begin(run) {
      live.begin(run);
      tell({ type: "begin", run });
    },
    beginCall(runId, callId) {
      live.beginCall(runId, callId);
      tell({ type: "beginCall", runId, callId });
    },
    endCall(runId, callId) {
      live.endCall(runId, callId);
      tell({ type: "endCall", runId, callId });
    },
    publish(runId, event) {
      live.publish(runId, event);
      for (const part of inParts(event)) tell({ type: "event", runId, event: part });
    },
    end(runId) {
      live.end(runId);
      tell({ type: "end", runId });
    },
  };
}

type CallChange = Exclude<LiveRunChange, { readonly type: "begin" | "end" }>;

function applyTo(live: LiveRuns, change: CallChange): void {
  switch (change.type) {
    case "beginCall":
      live.beginCall(change.runId, change.callId);
      return;
    case "endCall":
      live.endCall(change.runId, change.callId);
      return;
    case "event":
      live.publish(change.runId, change.event);
  }
}

/** What is not known yet: of a text the rest, of runs and calls those that are new. */
function newIn(changes: readonly LiveRunChange[], live: LiveRuns): readonly LiveRunChange[] {
  const known = new Map(
    Array.from(live.list(), ({ runId, text, outputs }) => {
      return [runId, { text, calls: new Set(outputs.keys()) }];
    }),
  );
  return changes.flatMap((change): readonly LiveRunChange[] => {
    if (change.type === "begin") return known.has(change.run.runId) ? [] : [change];
    const run = known.get(change.runId);
    if (run === undefined) return [change];
    if (change.type === "event" && change.event.type === "text") {
      const { delta } = change.event;
      const rest = delta.slice(run.text.length);
      run.text = run.text.slice(delta.length);
      return rest === "" ? [] : [{ ...change, event: { type: "text" as const, delta: rest } }];
    }
    const callId = callOf(change);
    return callId !== undefined && run.calls.has(callId) ? [] : [change];
  });
}

function callOf(change: LiveRunChange): string | undefined {
  if (change.type === "beginCall") return change.callId;
  const isOutput = change.type === "event" && change.event.type === "output";
  return isOutput ? change.event.callId : undefined;
}

/** A run as it stands, from nothing. */
function* changesOf(
  { text, outputs, ...run }: LiveRun,
  live: Pick<LiveRuns, "usageOf">,
): Iterable<LiveRunChange> {
  const { runId } = run;
  yield { type: "begin", run };
  for (const event of inParts({ type: "text", delta: text })) yield { type: "event", runId, event };
  for (const [callId, output] of outputs) {
    yield { type: "beginCall", runId, callId };
    yield { type: "event", runId, event: { type: "output", callId, text: output } };
  }
  const usage = live.usageOf(runId);
  if (usage !== undefined) yield { type: "event", runId, event: { type: "usage", usage } };
}

function inParts(event: LiveEvent): readonly LiveEvent[] {
  if (!("delta" in event) || event.delta.length <= MAX_DELTA_CHARS) return [event];
  const { type, delta } = event;
  const parts = Math.ceil(delta.length / MAX_DELTA_CHARS);
  return Array.from({ length: parts }, (_, at) => {
    const from = at * MAX_DELTA_CHARS;
    return { type, delta: delta.slice(from, from + MAX_DELTA_CHARS) };
  });
}

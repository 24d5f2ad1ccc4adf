/** Gathers what the client hears and tells the store a few times a second. */
import type { StoreApi } from "zustand/vanilla";
import { callIn, EMPTY_DRAFT, writeOn, type Draft } from "./drafts.ts";
import {
  callMomentOf,
  lineOf,
  mergeBySeq,
  momentOf,
  type CallMoment,
  type Line,
  type Moment,
} from "./moments.ts";
import { Screens } from "./screens.ts";
import { callKey, printOn, type Terminal } from "./terminals.ts";
import type { WorldDeps, WorldView } from "./world.ts";

const GATHER_MS = 60;
/** A command prints faster than anyone reads. */
const PRINT_MS = 250;
/** What is older can be read again. */
const MAX_CALLS = 2_000;

export function createAgentOutputRecorder(
  { client, now, later }: WorldDeps,
  store: StoreApi<WorldView>,
): void {
  const moments: Moment[] = [];
  const lines: Line[] = [];
  const calls: CallMoment[] = [];
  const screens = new Screens();
  let terminals: ReadonlyMap<string, Terminal> = new Map();
  const drafts = new Map<string, Draft>();
  let snapshotAt = 0;
  let lag: number | undefined;

  const publish = (): void => {
    store.setState((view) => ({
      snapshot: client.snapshot,
      snapshotAt,
      clockLagMs: lag ?? 0,
      goals: new Map(client.goals),
      screens: screens.shown(),
      terminals,
      drafts: new Map(drafts),
      timeline: moments.length === 0 ? view.timeline : mergeBySeq(view.timeline, [...moments]),
      talk: lines.length === 0 ? view.talk : mergeBySeq(view.talk, [...lines]),
      calls: calls.length === 0 ? view.calls : mergeBySeq(view.calls, calls).slice(-MAX_CALLS),
    }));
    moments.length = 0;
    lines.length = 0;
    calls.length = 0;
  };
  const gatherWithin = createGathering({ now, later }, publish);
  const gather = (): void => gatherWithin(GATHER_MS);

  /** The message that was on its way for the shortest time says most about the clocks. */
  const readClock = (ts: number): void => {
    lag = Math.min(lag ?? Infinity, now() - ts);
  };

  // Answers are as old as their way here, whatever a server makes of its snapshots.
  client.on("hello_ack", ({ ts }) => readClock(ts));
  client.on("pong", ({ ts }) => readClock(ts));
  client.on("snapshot", ({ ts }) => {
    snapshotAt = ts;
    readClock(ts);
    gather();
  });
  client.on("agent_goal", gather);
  client.on("event", (message) => {
    const moment = momentOf(message);
    if (moment !== undefined) moments.push(moment);
    const call = callMomentOf(message);
    if (call !== undefined) calls.push(call);
    if (call?.event.name === "tool_called") {
      const { task_id: taskId, run_id: runId, call_id: callId } = call.event;
      drafts.set(taskId, callIn(drafts.get(taskId) ?? EMPTY_DRAFT, callKey(runId, callId)));
      screens.call(call.event);
    }
    gather();
  });
  client.on("chat", (message) => {
    lines.push(lineOf(message));
    gather();
  });
  client.on("agent_stream", ({ payload }) => {
    const { agent_id: agentId, task_id: taskId, delta, done: isOver, seq } = payload;
    const { run_id: runId, call_id: callId } = payload;
    const isAnew = seq <= 1;
    if (callId !== undefined) {
      const key = callKey(runId, callId);
      gatherWithin(isOver ? GATHER_MS : PRINT_MS);
      terminals = printOn(terminals, key, { delta, isAnew, isOver });
      return screens.print(agentId, key, { delta, isAnew, isOver });
    }
    gather();
    screens.write(agentId, { delta, isAnew, isOver });
    if (taskId === undefined) return;
    const before = drafts.get(taskId) ?? EMPTY_DRAFT;
    drafts.set(taskId, writeOn(isAnew ? EMPTY_DRAFT : before, delta));
  });
}

/** Does it once for all who want it done, as soon as the most impatient of them. */
function createGathering(
  { now, later }: Pick<WorldDeps, "now" | "later">,
  act: () => void,
): (delayMs: number) => void {
  let dueAt = Infinity;
  return (delayMs) => {
    const at = now() + delayMs;
    if (at >= dueAt) return;
    dueAt = at;
    later(() => {
      if (dueAt !== at) return;
      dueAt = Infinity;
      act();
    }, delayMs);
  };
}

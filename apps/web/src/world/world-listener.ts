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
import type { WorldDeps, WorldView } from "./world.ts";

const GATHER_MS = 60;
/** More than a screen shows, and than a person reads back. */
const SCREEN_CHARACTERS = 1_500;
/** What is older can be read again. */
const MAX_CALLS = 2_000;

export function createAgentOutputRecorder(
  { client, now, later }: WorldDeps,
  store: StoreApi<WorldView>,
): void {
  const moments: Moment[] = [];
  const lines: Line[] = [];
  const calls: CallMoment[] = [];
  const screens = new Map<string, string>();
  const drafts = new Map<string, Draft>();
  const ended = new Set<string>();
  let snapshotAt = 0;
  let lag: number | undefined;
  let isWaiting = false;

  const tell = (): void => {
    isWaiting = false;
    store.setState((view) => ({
      snapshot: client.snapshot,
      snapshotAt,
      clockLagMs: lag ?? 0,
      goals: new Map(client.goals),
      screens: new Map(screens),
      drafts: new Map(drafts),
      timeline: moments.length === 0 ? view.timeline : mergeBySeq(view.timeline, [...moments]),
      talk: lines.length === 0 ? view.talk : mergeBySeq(view.talk, [...lines]),
      calls: calls.length === 0 ? view.calls : mergeBySeq(view.calls, calls).slice(-MAX_CALLS),
    }));
    moments.length = 0;
    lines.length = 0;
    calls.length = 0;
  };
  const gather = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    later(tell, GATHER_MS);
  };

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
      drafts.set(taskId, callIn(drafts.get(taskId) ?? EMPTY_DRAFT, `${runId} ${callId}`));
    }
    gather();
  });
  client.on("chat", (message) => {
    lines.push(lineOf(message));
    gather();
  });
  client.on("agent_stream", ({ payload }) => {
    const { agent_id: agentId, task_id: taskId, delta, done, seq } = payload;
    const isAgain = seq <= 1 || ended.has(agentId);
    ended.delete(agentId);
    screens.set(agentId, grown(isAgain ? "" : screens.get(agentId), delta, SCREEN_CHARACTERS));
    if (taskId !== undefined) {
      const before = drafts.get(taskId) ?? EMPTY_DRAFT;
      drafts.set(taskId, writeOn(seq <= 1 ? EMPTY_DRAFT : before, delta));
    }
    if (done) ended.add(agentId);
    gather();
  });
}

function grown(before = "", delta: string, most: number): string {
  const text = before + delta;
  return text.length > most ? text.slice(-most) : text;
}

/**
 * What the agents of the house are doing: a fold over runs and what they ask of people.
 *
 *   idle --a run starts--> thinking --a tool is called--> acting --it returns--> thinking
 *                             \--a person is asked--> waiting --settled--> thinking
 *   the last run under way ends: done, error, or idle when it was stopped
 *
 * An agent may have several runs under way; it waits if any of them does, else acts if any of them does. A
 * change is told where it shows, with what was true before.
 */
import type { Entry } from "@atrium/log";
import { approval, type ApprovalEvent } from "../approval/approval.ts";
import { conversation } from "../conversation/conversation.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { handleOf } from "../conversation/key.ts";
import { question, type QuestionEvent } from "../question/question.ts";

export type AgentState = "idle" | "thinking" | "acting" | "waiting" | "done" | "error";

export interface RunUnderWay {
  /** The agent's. */
  readonly handle: string;
  readonly key: string;
  readonly model: string;
  readonly openCalls: readonly string[];
  /** Streams of what was asked of people and is open. */
  readonly asked: readonly string[];
}

export interface Activity {
  /** By run, whose id its sender may have chosen. */
  readonly runs: ReadonlyMap<string, RunUnderWay>;
  /** By handle: how things stood when an agent's last run ended. */
  readonly rest: ReadonlyMap<string, AgentState>;
}

export interface StateChange {
  readonly handle: string;
  readonly key: string;
  readonly runId: string;
  readonly from: AgentState;
  readonly to: AgentState;
  readonly reason: string | null;
}

export interface ActivityStep {
  readonly activity: Activity;
  readonly change: StateChange | null;
}

export const nobodyActive: Activity = { runs: new Map(), rest: new Map() };

export function stateOf({ runs, rest }: Activity, handle: string): AgentState {
  const own = [...runs.values()].filter((run) => run.handle === handle);
  if (own.some(({ asked }) => asked.length > 0)) return "waiting";
  if (own.some(({ openCalls }) => openCalls.length > 0)) return "acting";
  return own.length > 0 ? "thinking" : (rest.get(handle) ?? "idle");
}

const READERS: ReadonlyMap<string, (entry: Entry) => Step | undefined> = new Map([
  [conversation.name, (entry: Entry) => conversationStep(entry, conversation.read(entry))],
  [approval.name, (entry: Entry) => approvalStep(entry, approval.read(entry))],
  [question.name, (entry: Entry) => questionStep(entry, question.read(entry))],
]);

export function stepActivity(activity: Activity, entry: Entry): ActivityStep {
  const reader = READERS.get(entry.stream.slice(0, entry.stream.indexOf("/")));
  const step = reader?.(entry);
  const unchanged = { activity, change: null };
  if (step === undefined) return unchanged;
  const runId = step.runId ?? askerOf(activity, entry.stream);
  if (runId === undefined) return unchanged;
  const before = activity.runs.get(runId) ?? step.begins;
  if (before === undefined) return unchanged;
  const { handle, key } = before;
  const after = step.change(before);
  const runs = new Map(activity.runs);
  // Whatever happens to a run puts it at the end.
  runs.delete(runId);
  const next: Activity =
    typeof after === "string"
      ? { runs, rest: new Map(activity.rest).set(handle, after) }
      : { ...activity, runs: runs.set(runId, after) };
  const [from, to] = [stateOf(activity, handle), stateOf(next, handle)];
  const { reason } = step;
  return { activity: next, change: from === to ? null : { handle, key, runId, from, to, reason } };
}

/** What an entry does to a run. */
interface Step {
  /** Left out: the run that asked what the entry's stream is about. */
  readonly runId?: string;
  /** The run as it begins, when this is its beginning. */
  readonly begins?: RunUnderWay;
  readonly reason: string | null;
  /** The run as it goes on, or how its agent rests after it. */
  readonly change: (run: RunUnderWay) => RunUnderWay | AgentState;
}

function askerOf({ runs }: Activity, stream: string): string | undefined {
  for (const [runId, { asked }] of runs) if (asked.includes(stream)) return runId;
  return undefined;
}

function conversationStep(entry: Entry, event: ConversationEvent): Step | undefined {
  switch (event.type) {
    case "run.started": {
      const key = entry.stream.slice(conversation.name.length + 1);
      const { runId, model } = event;
      const begins = { handle: handleOf(key), key, model: model.model, openCalls: [], asked: [] };
      return { runId, begins, reason: null, change: (run) => run };
    }
    case "run.tool.called": {
      const { runId, callId, name } = event;
      const change = (run: RunUnderWay): RunUnderWay => ({
        ...run,
        openCalls: [...run.openCalls, callId],
      });
      return { runId, reason: name, change };
    }
    case "run.tool.returned": {
      const { runId, callId } = event;
      const change = (run: RunUnderWay): RunUnderWay => ({
        ...run,
        openCalls: run.openCalls.filter((id) => id !== callId),
      });
      return { runId, reason: null, change };
    }
    case "run.completed":
      return { runId: event.runId, reason: null, change: () => "done" };
    case "run.failed":
      return { runId: event.runId, reason: event.reason, change: () => "error" };
    case "run.aborted":
      return { runId: event.runId, reason: event.reason, change: () => "idle" };
    case "run.merged":
    case "run.requested":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "run.stopping":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
    case "message.injected":
      return undefined;
  }
}

function approvalStep({ stream }: Entry, event: ApprovalEvent): Step | undefined {
  if (event.type !== "approval.requested") return settled(stream);
  const { runId, tool, summary } = event.subject;
  return waitStep(stream, runId, `may it use ${tool}: ${summary}`);
}

function questionStep({ stream }: Entry, event: QuestionEvent): Step | undefined {
  if (event.type !== "question.asked") return settled(stream);
  return waitStep(stream, event.source.runId, event.items.map((item) => item.text).join(" "));
}

function waitStep(stream: string, runId: string | null, reason: string): Step | undefined {
  if (runId === null) return undefined;
  return { runId, reason, change: (run) => ({ ...run, asked: [...run.asked, stream] }) };
}

function settled(stream: string): Step {
  const change = (run: RunUnderWay): RunUnderWay => ({
    ...run,
    asked: run.asked.filter((each) => each !== stream),
  });
  return { reason: null, change };
}

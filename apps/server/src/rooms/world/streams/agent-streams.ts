/**
 * The streams of all runs that are under way: what is said in each, and what its tools put out. Who asks late is told
 * what there was so far, then goes on with everyone.
 */
import {
  conversation,
  type BatchListener,
  type ConversationEvent,
  type CrewMember,
  type Projects,
} from "@atrium/core";
import type { Timers } from "../../../platform/timers.ts";
import type { LiveListener } from "../../../runs/live-runs.ts";
import { message } from "../messages/message.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { AgentStream, type Delta } from "./agent-stream.ts";

export interface AgentStreamDeps {
  readonly crew: readonly CrewMember[];
  readonly projects: Pick<Projects, "ofRun">;
  readonly timers: Timers;
  readonly now: () => number;
  readonly publish: (text: string) => void;
}

export interface AgentStreams {
  readonly onLiveEvent: LiveListener;
  /** Sends the words that wait for company, so that a tool call stands behind what was said before it. */
  readonly flushBefore: BatchListener;
  readonly onBatch: BatchListener;
  current(): readonly string[];
  close(): void;
}

const MOVES = /^run\.(?:completed|failed|aborted|merged|tool\.called|tool\.returned)$/;

/** The words of a run, or the output of one of its calls. */
interface StreamOrigin {
  readonly runId: string;
  readonly callId?: string;
}

interface Open extends StreamOrigin {
  readonly stream: AgentStream;
  readonly encode: (delta: Delta, mark?: string) => string;
}

/** Sums up what other messages said one by one, so it has an id of its own. */
const SO_FAR = "_so_far";

export function createAgentStreams(deps: AgentStreamDeps): AgentStreams {
  const { crew, timers, publish } = deps;
  const streams = new Map<string, Open>();

  function openFor(origin: StreamOrigin, handle: string): AgentStream | undefined {
    const id = streamIdOf(origin);
    const known = streams.get(id);
    if (known !== undefined) return known.stream;
    const agent = crew.find((member) => member.handle === handle);
    if (agent === undefined) return undefined;
    const encode = (delta: Delta, mark = ""): string =>
      encodeDelta(deps, { ...origin, agentId: agent.id, mark }, delta);
    const kind = origin.callId === undefined ? "token" : "code";
    const stream = new AgentStream(timers, (delta) => publish(encode(delta)), kind);
    streams.set(id, { ...origin, stream, encode });
    return stream;
  }

  function endWhere(isOver: (origin: StreamOrigin) => boolean): void {
    for (const [id, open] of streams) {
      if (!isOver(open)) continue;
      open.stream.end();
      streams.delete(id);
    }
  }

  return {
    onLiveEvent({ runId, handle }, event) {
      if (event.type === "text" || event.type === "thinking") {
        openFor({ runId }, handle)?.onLiveEvent(event);
      } else if (event.type === "output") {
        openFor({ runId, callId: event.callId }, handle)?.onOutput(event.text);
      }
    },
    flushBefore(entries) {
      for (const event of movesIn(entries)) {
        const { runId } = event;
        if (event.type === "run.tool.called") streams.get(runId)?.stream.flush();
        if (event.type === "run.tool.returned") {
          streams.get(streamIdOf({ runId, callId: event.callId }))?.stream.flush();
        }
      }
    },
    onBatch(entries) {
      for (const event of movesIn(entries)) {
        if (event.type === "run.tool.called") continue;
        const callId = event.type === "run.tool.returned" ? event.callId : undefined;
        endWhere(
          (origin) =>
            origin.runId === event.runId && (callId === undefined || origin.callId === callId),
        );
      }
    },
    current: () =>
      [...streams.values()].flatMap(({ stream, encode }) => {
        const soFar = stream.current();
        return soFar === undefined ? [] : [encode(soFar, SO_FAR)];
      }),
    close() {
      for (const { stream } of streams.values()) stream.close();
      streams.clear();
    },
  };
}

function streamIdOf({ runId, callId }: StreamOrigin): string {
  return callId === undefined ? runId : `${runId}:${callId}`;
}

type RunMove = Extract<ConversationEvent, { readonly runId: string }>;

function movesIn(entries: Parameters<BatchListener>[0]): readonly RunMove[] {
  return entries.flatMap((entry) => {
    if (!MOVES.test(entry.type)) return [];
    const event = conversation.read(entry);
    return "runId" in event ? [event] : [];
  });
}

function encodeDelta(
  { projects, now }: AgentStreamDeps,
  { runId, callId, agentId, mark }: StreamOrigin & Readonly<Record<"agentId" | "mark", string>>,
  delta: Delta,
): string {
  const found = projects.ofRun(runId);
  const streamId = streamIdOf({ runId, ...(callId !== undefined && { callId }) });
  // Our ids have letters, digits, `_` and `-` only; a run's may have anything.
  const id = `str_${delta.seq}_${streamId.replaceAll(/[^A-Za-z0-9_-]/g, "-")}${mark}`;
  const work = omitEmpty({ project_id: found?.project.projectId, task_id: found?.task?.taskId });
  const call = callId === undefined ? {} : { run_id: runId, call_id: callId };
  const payload = { stream_id: streamId, agent_id: agentId, ...work, ...call, ...delta };
  return message("agent_stream", { id, ts: now() }, payload);
}

/**
 * The streams of all runs that are under way: what is said in each, and what its tools put out; and those of checks.
 * Who asks late is told what there was so far, then goes on with everyone.
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
import type { CheckListener } from "../../../workshop/checks/live-checks.ts";
import { message } from "../messages/message.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { AgentStream, type Delta } from "./agent-stream.ts";

export interface AgentStreamDeps {
  readonly crew: readonly CrewMember[];
  readonly projects: Pick<Projects, "ofRun" | "ofTask">;
  readonly timers: Timers;
  readonly now: () => number;
  readonly publish: (text: string) => void;
}

export interface AgentStreams {
  readonly onLiveEvent: LiveListener;
  readonly onCheckOutput: CheckListener;
  /** Sends the words that wait for company, so that a tool call stands behind what was said before it. */
  readonly flushBefore: BatchListener;
  readonly onBatch: BatchListener;
  current(): readonly string[];
  close(): void;
}

const MOVES = /^run\.(?:completed|failed|aborted|merged|tool\.called|tool\.returned)$/;

/** The words of a run, the output of one of its calls, or that of a check of a task's files. */
type StreamOrigin =
  | { readonly type: "words"; readonly runId: string }
  | { readonly type: "call"; readonly runId: string; readonly callId: string }
  | { readonly type: "check"; readonly checkId: string; readonly taskId: string };

interface Open {
  readonly origin: StreamOrigin;
  readonly stream: AgentStream;
  readonly encode: (delta: Delta, mark?: string) => string;
}

/** Sums up what other messages said one by one, so it has an id of its own. */
const SO_FAR = "_so_far";

export function createAgentStreams(deps: AgentStreamDeps): AgentStreams {
  const { crew, projects, timers, publish } = deps;
  const streams = new Map<string, Open>();
  const idOf = (handle: string): string | undefined =>
    crew.find((member) => member.handle === handle)?.id;

  /** Undefined where it is nobody's of the crew. */
  function openFor(origin: StreamOrigin, agentId: string | undefined): AgentStream | undefined {
    const id = streamIdOf(origin);
    const known = streams.get(id);
    if (known !== undefined || agentId === undefined) return known?.stream;
    const encode = (delta: Delta, mark = ""): string =>
      encodeDelta(deps, { origin, agentId, mark }, delta);
    const kind = origin.type === "words" ? "token" : "code";
    const stream = new AgentStream(timers, (delta) => publish(encode(delta)), kind);
    streams.set(id, { origin, stream, encode });
    return stream;
  }

  function endWhere(isOver: (origin: StreamOrigin) => boolean): void {
    for (const [id, { origin, stream }] of streams) {
      if (!isOver(origin)) continue;
      stream.end();
      streams.delete(id);
    }
  }

  return {
    onLiveEvent({ runId, handle }, event) {
      if (event.type === "text" || event.type === "thinking") {
        openFor({ type: "words", runId }, idOf(handle))?.onLiveEvent(event);
      } else if (event.type === "output") {
        const origin = { type: "call", runId, callId: event.callId } as const;
        openFor(origin, idOf(handle))?.onOutput(event.text);
      }
    },
    onCheckOutput({ checkId, workspaceId: taskId }, text) {
      if (text === null) {
        endWhere((origin) => origin.type === "check" && origin.checkId === checkId);
        return;
      }
      const assignee = projects.ofTask(taskId)?.task.assignee ?? undefined;
      openFor({ type: "check", checkId, taskId }, assignee)?.onOutput(text);
    },
    flushBefore(entries) {
      for (const event of movesIn(entries)) {
        const { runId } = event;
        if (event.type === "run.tool.called") streams.get(runId)?.stream.flush();
        if (event.type === "run.tool.returned") {
          const origin = { type: "call", runId, callId: event.callId } as const;
          streams.get(streamIdOf(origin))?.stream.flush();
        }
      }
    },
    onBatch(entries) {
      for (const event of movesIn(entries)) {
        if (event.type === "run.tool.called") continue;
        const callId = event.type === "run.tool.returned" ? event.callId : undefined;
        endWhere(
          (origin) =>
            origin.type !== "check" &&
            origin.runId === event.runId &&
            (callId === undefined || (origin.type === "call" && origin.callId === callId)),
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

function streamIdOf(origin: StreamOrigin): string {
  switch (origin.type) {
    case "words":
      return origin.runId;
    case "call":
      return `${origin.runId}:${origin.callId}`;
    case "check":
      return `check:${origin.checkId}`;
  }
}

type RunMove = Extract<ConversationEvent, { readonly runId: string }>;

function movesIn(entries: Parameters<BatchListener>[0]): readonly RunMove[] {
  return entries.flatMap((entry) => {
    if (!MOVES.test(entry.type)) return [];
    const event = conversation.read(entry);
    return "runId" in event ? [event] : [];
  });
}

interface StreamMark {
  readonly origin: StreamOrigin;
  readonly agentId: string;
  readonly mark: string;
}

function encodeDelta(
  deps: Pick<AgentStreamDeps, "projects" | "now">,
  { origin, agentId, mark }: StreamMark,
  delta: Delta,
): string {
  const streamId = streamIdOf(origin);
  // Our ids have letters, digits, `_` and `-` only; a run's may have anything.
  const id = `str_${delta.seq}_${streamId.replaceAll(/[^A-Za-z0-9_-]/g, "-")}${mark}`;
  const about = { ...workOf(origin, deps.projects), ...callOf(origin) };
  const payload = { stream_id: streamId, agent_id: agentId, ...about, ...delta };
  return message("agent_stream", { id, ts: deps.now() }, payload);
}

function workOf(origin: StreamOrigin, projects: AgentStreamDeps["projects"]) {
  const found =
    origin.type === "check" ? projects.ofTask(origin.taskId) : projects.ofRun(origin.runId);
  return omitEmpty({ project_id: found?.project.projectId, task_id: found?.task?.taskId });
}

function callOf(origin: StreamOrigin) {
  switch (origin.type) {
    case "words":
      return {};
    case "call":
      return { run_id: origin.runId, call_id: origin.callId };
    case "check":
      return { call_id: origin.checkId };
  }
}

/** The streams of all runs that are under way. Who asks late is told what was said so far, then goes on with everyone. */
import { conversation, type BatchListener, type CrewMember, type Projects } from "@atrium/core";
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

const ENDINGS = /^run\.(?:completed|failed|aborted|merged)$/;

interface Open {
  readonly stream: AgentStream;
  readonly encode: (delta: Delta, mark?: string) => string;
}

/** Sums up what other messages said one by one, so it has an id of its own. */
const SO_FAR = "_so_far";

export function createAgentStreams(deps: AgentStreamDeps): AgentStreams {
  const { crew, timers, publish } = deps;
  const streams = new Map<string, Open>();

  function openFor(runId: string, handle: string): Open | undefined {
    const known = streams.get(runId);
    if (known !== undefined) return known;
    const agent = crew.find((member) => member.handle === handle);
    if (agent === undefined) return undefined;
    const encode = (delta: Delta, mark = ""): string =>
      encodeDelta(deps, { runId, agentId: agent.id, mark }, delta);
    const stream = new AgentStream(timers, (delta) => publish(encode(delta)));
    streams.set(runId, { stream, encode });
    return { stream, encode };
  }

  return {
    onLiveEvent({ runId, handle }, event) {
      if (event.type !== "text" && event.type !== "thinking") return;
      openFor(runId, handle)?.stream.onLiveEvent(event);
    },
    flushBefore(entries) {
      for (const entry of entries) {
        if (entry.type === "run.tool.called") streams.get(runOf(entry))?.stream.flush();
      }
    },
    onBatch(entries) {
      for (const entry of entries) {
        if (!ENDINGS.test(entry.type)) continue;
        const runId = runOf(entry);
        streams.get(runId)?.stream.end();
        streams.delete(runId);
      }
    },
    current: () =>
      [...streams.values()].flatMap(({ stream, encode }) => {
        const current = stream.current();
        return current === undefined ? [] : [encode(current, SO_FAR)];
      }),
    close() {
      for (const { stream } of streams.values()) stream.close();
      streams.clear();
    },
  };
}

function runOf(entry: Parameters<typeof conversation.read>[0]): string {
  const event = conversation.read(entry);
  return "runId" in event ? event.runId : "";
}

function encodeDelta(
  { projects, now }: AgentStreamDeps,
  { runId, agentId, mark }: Readonly<Record<"runId" | "agentId" | "mark", string>>,
  delta: Delta,
): string {
  const found = projects.ofRun(runId);
  // Our ids have letters, digits, `_` and `-` only; a run's may have anything.
  const id = `str_${delta.seq}_${runId.replaceAll(/[^A-Za-z0-9_-]/g, "-")}${mark}`;
  const work = omitEmpty({ project_id: found?.project.projectId, task_id: found?.task?.taskId });
  const payload = { stream_id: runId, agent_id: agentId, ...work, ...delta };
  return message("agent_stream", { id, ts: now() }, payload);
}

/** How a run ended, read from where the log says so. */
import type { Entry, Log } from "@atrium/log";
import { conversation } from "../conversation/conversation.ts";
import type { RunEnded, RunEvent, RunRequested } from "../conversation/events.ts";
import { streamOf } from "../engine/dispatch.ts";
import type { RunRow } from "./runs.ts";

export type CallsRequested = Extract<RunEvent, { readonly type: "run.calls.requested" }>;
export type ToolReturned = Extract<RunEvent, { readonly type: "run.tool.returned" }>;

export interface ReadRun {
  request(row: Pick<RunRow, "key" | "requestSeq">): Promise<RunRequested | undefined>;
  end(row: Pick<RunRow, "key" | "endSeq">): Promise<RunEnded | undefined>;
  /** The calls that it asked its client to make, counted from 1; undefined: it has not. */
  calls(
    row: Pick<RunRow, "key" | "pauseSeqs">,
    number: number,
  ): Promise<CallsRequested | undefined>;
  /** For a run the projection has forgotten: looks through what followed its request. */
  findEnd(key: string, runId: string, after: number): Promise<FoundEnd | undefined>;
}

export interface FoundEnd {
  readonly ended: RunEnded;
  readonly at: number;
  readonly pauseSeqs: readonly number[];
}

/** What a tool of the run returned; undefined when it has not, or was never called. */
export async function findToolResult(
  log: Pick<Log, "read">,
  { key, runId, requestSeq, endSeq }: Pick<RunRow, "key" | "runId" | "requestSeq" | "endSeq">,
  callId: string,
): Promise<ToolReturned | undefined> {
  const range = { after: requestSeq, ...(endSeq !== null && { before: endSeq }) };
  for await (const entry of log.read({ stream: streamOf(conversation, key), ...range })) {
    if (entry.type !== "run.tool.returned") continue;
    const event = conversation.read(entry);
    if (event.type !== "run.tool.returned") continue;
    if (event.runId === runId && event.callId === callId) return event;
  }
  return undefined;
}

export function createReadRun(log: Pick<Log, "read">): ReadRun {
  async function at(key: string, seq: number): Promise<Entry | undefined> {
    const found = log.read({ stream: streamOf(conversation, key), after: seq - 1, limit: 1 });
    for await (const entry of found) if (entry.seq === seq) return entry;
    return undefined;
  }

  return {
    async request({ key, requestSeq }) {
      const entry = await at(key, requestSeq);
      const event = entry && conversation.read(entry);
      return event?.type === "run.requested" ? event : undefined;
    },
    async end({ key, endSeq }) {
      const entry = endSeq === null ? undefined : await at(key, endSeq);
      return entry && readEnd(entry);
    },
    async calls({ key, pauseSeqs = [] }, number) {
      const seq = pauseSeqs[number - 1];
      const entry = seq === undefined ? undefined : await at(key, seq);
      const event = entry && conversation.read(entry);
      return event?.type === "run.calls.requested" ? event : undefined;
    },
    async findEnd(key, runId, after) {
      const pauseSeqs: number[] = [];
      for await (const entry of log.read({ stream: streamOf(conversation, key), after })) {
        const event = conversation.read(entry);
        if (!("runId" in event) || event.runId !== runId) continue;
        if (event.type === "run.calls.requested") pauseSeqs.push(entry.seq);
        const ended = readEnd(entry);
        if (ended !== undefined) return { ended, at: entry.at, pauseSeqs };
      }
      return undefined;
    },
  };
}

export function readEnd(entry: Entry): RunEnded | undefined {
  const event = conversation.read(entry);
  switch (event.type) {
    case "run.completed":
    case "run.failed":
    case "run.aborted":
    case "run.merged":
      return event;
    case "run.requested":
    case "run.started":
    case "run.stopping":
    case "run.tool.called":
    case "run.tool.returned":
    case "run.delivered":
    case "run.compacted":
    case "run.session.named":
    case "run.calls.requested":
    case "run.calls.answered":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
    case "message.injected":
      return undefined;
  }
}

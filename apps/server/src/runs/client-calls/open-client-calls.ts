/** The calls of a run that its client makes, put to the log: what the client is asked, and what the run had said by then. */
import {
  conversation,
  Fault,
  NOTHING_USED,
  type Dispatch,
  type Ending,
  type Ids,
  type RunRequested,
  type Usage,
} from "@atrium/core";
import type { ToolDeclaration, ToolResult } from "../../agents/turn/agent-runtime.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { Timers } from "../../platform/timers.ts";
import { ClientCalls } from "./client-calls.ts";
import { keepCalls, readAnswers, readToolset, type ClientCall } from "./kept-calls.ts";

export interface OpenClientCallsDeps {
  readonly dispatch: Dispatch;
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly after: Timers["after"];
  /** What the run has said and used so far. */
  readonly live: {
    get(runId: string): { readonly text: string } | undefined;
    usageOf(runId: string): Usage | undefined;
  };
  readonly limits: { readonly clientCallTimeoutMs: number };
  readonly report: (fault: Fault) => void;
}

export interface CallingRun {
  readonly key: string;
  readonly request: Pick<RunRequested, "runId" | "clientTools">;
  /** The names of the tools that it has besides. */
  readonly taken: ReadonlySet<string>;
  readonly stop: (ending: Ending) => void;
}

/** Undefined: the message brought no tools along. */
export async function openClientCalls(
  deps: OpenClientCallsDeps,
  { key, request: { runId, clientTools }, taken, stop }: CallingRun,
): Promise<ClientCalls | undefined> {
  if (clientTools === undefined) return undefined;
  const { dispatch, blobs, ids, live } = deps;
  const timeoutMs = deps.limits.clientCallTimeoutMs;
  const toolset = await readToolset(blobs, clientTools.digest);
  let textLength = 0;
  return new ClientCalls(toolset, taken, {
    async request(calls) {
      const soFar = live.get(runId)?.text ?? "";
      const text = soFar.slice(textLength);
      textLength = soFar.length;
      const kept = await keepCalls((bytes) => blobs.put(bytes), { text, calls: [...calls] });
      const done = await dispatch(conversation, key, {
        type: "request-calls",
        runId,
        callIds: calls.map(({ id }) => id),
        textLength,
        usage: live.usageOf(runId) ?? NOTHING_USED,
        kept,
      });
      return done.ok;
    },
    readAnswers: (digest) => readAnswers(blobs, digest),
    // Letters and digits only: some clients, OpenClaw among them, send ids back without anything else.
    newCallId: () => `call${ids.next().replaceAll(/[^a-zA-Z0-9]/g, "")}`,
    after: deps.after,
    onTimeout: (calls) => stop(unanswered(calls, timeoutMs)),
    onFault: (cause) =>
      deps.report(new Fault("calls of a client could not be asked for", { runId }, cause)),
    timeoutMs,
  });
}

/** A turn's tools. */
interface ToolPorts {
  readonly tools: readonly ToolDeclaration[];
  callTool(name: string, input: unknown, signal: AbortSignal, callId?: string): Promise<ToolResult>;
}

/** The turn with the client's tools among its own. Its clock stands still while the client works. */
export function withClientCalls<Ports extends ToolPorts>(
  ports: Ports,
  calls: ClientCalls | undefined,
  hold: <Result>(waiting: Promise<Result>) => Promise<Result>,
): Ports {
  if (calls === undefined) return ports;
  return {
    ...ports,
    tools: [...ports.tools, ...calls.declarations],
    callTool: (name: string, input: unknown, signal: AbortSignal, callId?: string) =>
      calls.has(name)
        ? hold(calls.call(name, input, signal))
        : ports.callTool(name, input, signal, callId),
  };
}

function unanswered(calls: readonly ClientCall[], timeoutMs: number): Ending {
  const names = calls.map(({ name }) => name).join(", ");
  const reason = `The client was asked to call ${names} and did not answer within ${Math.round(timeoutMs / 1_000)} s.`;
  return { how: "failed", kind: "timeout", reason };
}

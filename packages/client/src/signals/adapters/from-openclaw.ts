/**
 * Agent events of an OpenClaw gateway (protocol 4) as signals: the `agent` frames of its socket, or their payloads.
 *
 * Events are numbered within their run, and one that came before is left out. Whose run it is, and who spawned it,
 * belongs into the metadata: payloads are closed.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";
import { createAgentStates, type MoveTo } from "../agent-states.ts";
import { asObject, looseCount, looseObject, looseText, type Loose } from "../loose.ts";
import {
  createEmitter,
  type Producer,
  type SignalAdapter,
  type EmitSignal,
  type SignalDraft,
} from "../producer.ts";

interface OpenClawEvent {
  readonly runId: string;
  readonly agentId: string;
  readonly data: Loose;
  readonly meta: SignalDraft;
}

interface Run {
  lastSeq: number;
  /** How much of the answer has been told, for servers that send all of it each time. */
  text: string;
  parent: string | undefined;
}

const MAX_RUNS = 1_000;

export function createOpenclawSignals(producer: Producer, fallbackAgent: string): SignalAdapter {
  const events = new OpenclawEvents(producer, fallbackAgent);
  return (piece) => events.take(eventOf(piece) ?? {});
}

class OpenclawEvents {
  readonly #emit: EmitSignal;
  readonly #moveTo: MoveTo;
  readonly #fallbackAgent: string;
  readonly #runs = new Map<string, Run>();

  constructor(producer: Producer, fallbackAgent: string) {
    this.#emit = createEmitter(producer);
    this.#moveTo = createAgentStates(this.#emit);
    this.#fallbackAgent = fallbackAgent;
  }

  #runOf(runId: string, parent: string | undefined): Run {
    const run = this.#runs.get(runId) ?? { lastSeq: -1, text: "", parent };
    this.#runs.set(runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return run;
  }

  #lifecycle({ runId, agentId, data, meta }: OpenClawEvent, run: Run): readonly SignalEnvelope[] {
    switch (data["phase"]) {
      case "start": {
        const from = run.parent ?? "openclaw";
        const dispatch = this.#emit("task_dispatch", { taskId: runId, from, to: agentId }, meta);
        return [dispatch, ...this.#moveTo(agentId, "thinking", meta)];
      }
      case "end": {
        const isAborted = data["aborted"] === true;
        const payload = {
          taskId: runId,
          success: !isAborted,
          agentId,
          ...resultOf(data, isAborted),
        };
        const done = this.#emit("completion", payload, meta);
        return [done, ...this.#moveTo(agentId, isAborted ? "idle" : "done", meta)];
      }
      case "error": {
        const message = looseText(data["error"]) ?? "The run failed.";
        return [
          this.#emit("error", { message, severity: "error", agentId }, meta),
          this.#emit(
            "completion",
            { taskId: runId, success: false, agentId, result: message },
            meta,
          ),
          ...this.#moveTo(agentId, "error", { ...meta, reason: message }),
        ];
      }
      default:
        return [];
    }
  }

  #assistant({ agentId, data, meta }: OpenClawEvent, run: Run): readonly SignalEnvelope[] {
    const whole = looseText(data["text"]);
    const isMore = whole !== undefined && whole.startsWith(run.text);
    const content =
      looseText(data["delta"]) ?? (isMore ? whole.slice(run.text.length) : (whole ?? ""));
    run.text = whole ?? run.text + content;
    return content === "" ? [] : [this.#emit("text_delta", { agentId, content }, meta)];
  }

  #tool({ agentId, data, meta }: OpenClawEvent): readonly SignalEnvelope[] {
    const toolName = looseText(data["name"]) ?? "unknown";
    const callId = looseText(data["toolCallId"]);
    const named = { toolName, agentId, ...(callId !== undefined && { callId }) };
    switch (data["phase"]) {
      case "start": {
        const input = asObject(data["args"]);
        const payload = { ...named, ...(input !== undefined && { input: { ...input } }) };
        return [
          this.#emit("tool_call", payload, meta),
          ...this.#moveTo(agentId, "acting", { ...meta, reason: toolName }),
        ];
      }
      case "result": {
        const output = asObject(data["result"]);
        const success = data["isError"] !== true;
        const payload = {
          ...named,
          success,
          ...(output !== undefined && { output: { ...output } }),
        };
        return [
          this.#emit("tool_result", payload, meta),
          ...this.#moveTo(agentId, "thinking", meta),
        ];
      }
      default:
        return [];
    }
  }

  #translate(stream: string, event: OpenClawEvent, run: Run): readonly SignalEnvelope[] {
    const { agentId, data, meta } = event;
    switch (stream) {
      case "lifecycle":
        return this.#lifecycle(event, run);
      case "assistant":
        return this.#assistant(event, run);
      case "tool":
        return this.#tool(event);
      case "thinking": {
        const content = looseText(data["delta"]) ?? looseText(data["text"]) ?? "";
        return content === "" ? [] : [this.#emit("thinking", { agentId, content }, meta)];
      }
      case "error": {
        const message =
          looseText(data["error"]) ?? looseText(data["message"]) ?? "Something failed.";
        return [this.#emit("error", { message, severity: "error", agentId }, meta)];
      }
      default:
        return [];
    }
  }

  take(event: Loose): readonly SignalEnvelope[] {
    const runId = looseText(event["runId"]);
    const stream = looseText(event["stream"]);
    if (runId === undefined || stream === undefined) return [];
    if (event["isHeartbeat"] === true) return [];
    const parent = looseText(event["spawnedBy"]);
    const run = this.#runOf(runId, parent);
    const seq = looseCount(event["seq"]);
    if (seq !== undefined && seq <= run.lastSeq) return [];
    run.lastSeq = seq ?? run.lastSeq;
    const data = looseObject(event["data"]) ?? {};
    const sessionKey = looseText(event["sessionKey"]) ?? looseText(data["sessionKey"]);
    const agentId = looseText(event["agentId"]) ?? agentIn(sessionKey) ?? this.#fallbackAgent;
    const metadata = {
      ...(seq !== undefined && { seq }),
      ...(sessionKey !== undefined && { sessionKey }),
      ...(parent !== undefined && { spawnedBy: parent }),
    };
    const meta = { correlationId: runId, timestamp: looseCount(event["ts"]), metadata };
    return this.#translate(stream, { runId, agentId, data, meta }, run);
  }
}

/** A whole frame, or what is in it. */
function eventOf(piece: unknown): Loose | undefined {
  const object = looseObject(piece);
  if (object?.["type"] !== "event") return object;
  return object["event"] === "agent" ? looseObject(object["payload"]) : undefined;
}

function agentIn(sessionKey: string | undefined): string | undefined {
  return /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1];
}

function resultOf(data: Loose, isAborted: boolean): { readonly result?: string } {
  if (isAborted) return { result: "aborted" };
  const reason = looseText(data["stopReason"]);
  return reason === undefined ? {} : { result: reason };
}

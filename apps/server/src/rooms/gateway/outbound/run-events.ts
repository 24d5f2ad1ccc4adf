/**
 * Runs as `chat` and `agent` events, from their entries in the log and from their text while it is being
 * written.
 *
 * Every requested run ends in exactly one `chat` event with its result: the log has one ending
 * per run, and this file translates it.
 */
import {
  handleOf,
  messageOf,
  type ConversationEvent,
  type RunEnded,
  type RunEvent,
} from "@atrium/core";
import {
  agentProgressed,
  chatChanged,
  type EventContract,
  type PayloadOf,
} from "@atrium/wire/gateway";
import type { LiveEvent, LiveRun, LiveRuns } from "../../../runs/live-runs.ts";
import { CAPS } from "../frames/capabilities.ts";
import { encodeEvent } from "../frames/encode.ts";
import {
  chatMessage,
  spoken,
  tokenUsage,
  wholeOutput,
  type ModelOf,
} from "../rows/conversation-rows.ts";
import { type GatewayEgress, type PublishOptions } from "./egress.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { createTextBatcher, type TextBatcher } from "./text-batcher.ts";

export interface RunEventsDeps {
  readonly egress: Pick<GatewayEgress, "publish">;
  readonly subscriptions: Pick<Subscriptions, "publishScoped">;
  readonly live: Pick<LiveRuns, "list" | "onEvent">;
  readonly modelOf: ModelOf;
  readonly now: () => number;
}

/** Clients show this in place of what they were told before. */
const MAX_PARTIAL_CHARS = 8_000;

type ChatPayload = PayloadOf<typeof chatChanged>;
type ChatDelta = Extract<ChatPayload, { readonly state: "delta" }>;
type ErrorKind = Extract<ChatPayload, { readonly state: "error" }>["errorKind"];
type Injected = Extract<ConversationEvent, { readonly type: "message.injected" }>;

const ERROR_KINDS: ReadonlySet<string> = new Set([
  "refusal",
  "timeout",
  "rate_limit",
  "context_length",
] satisfies ErrorKind[]);

export class RunEvents {
  readonly #deps: RunEventsDeps;
  readonly #deltas: TextBatcher;
  /** How many events each run has had; they are numbered within the run. */
  readonly #counts = new Map<string, number>();
  /** The tools at work, by call within the run. */
  readonly #tools = new Map<string, Map<string, string>>();

  constructor(deps: RunEventsDeps) {
    this.#deps = deps;
    this.#deltas = createTextBatcher((run, delta) => this.#publishText(run, delta));
    deps.live.onEvent((run, event) => this.#publishLive(run, event));
  }

  /** The whole text of every answer in progress, for a peer that missed some of the deltas. */
  present(): readonly string[] {
    return [...this.#deps.live.list()]
      .filter(({ text }) => text !== "")
      .map((run) => encodeEvent(chatChanged, { ...this.#delta(run, run.text), replace: true }));
  }

  /** Publishes the text that is still buffered. */
  flushText(runId: string): void {
    this.#deltas.finish(runId);
  }

  close(): void {
    this.#deltas.close();
  }

  publish(key: string, event: RunEvent | Injected, at: number): void {
    switch (event.type) {
      case "run.started": {
        const { provider, model } = event.model;
        this.#agent(key, event.runId, "lifecycle", {
          phase: "start",
          startedAt: at,
          provider,
          model,
        });
        const status = { state: "status", phase: "starting_model" } as const;
        this.#publish(key, chatChanged, { ...this.#place(key, event.runId), ...status });
        return;
      }
      case "run.tool.called": {
        this.#deltas.finish(event.runId);
        const { callId: toolCallId, name, input: args } = event;
        const tools = this.#tools.get(event.runId) ?? new Map<string, string>();
        this.#tools.set(event.runId, tools.set(toolCallId, name));
        const data = { phase: "start", name, toolCallId, args };
        this.#agent(key, event.runId, "tool", data, { cap: CAPS.toolEvents });
        return;
      }
      case "run.tool.returned": {
        const { runId, callId: toolCallId, name, isError, text, output } = event;
        this.#tools.get(runId)?.delete(toolCallId);
        const details = output && { details: wholeOutput(runId, toolCallId, output) };
        const result = { content: [{ type: "text", text }], ...details };
        const data = { phase: "result", name, toolCallId, isError, result };
        this.#agent(key, event.runId, "tool", data, { cap: CAPS.toolEvents });
        return;
      }
      case "run.completed":
      case "run.failed":
      case "run.aborted":
      case "run.merged":
        this.#publishEnd(key, event, at);
        return;
      case "message.injected": {
        const message = messageOf(event, at);
        if (message === undefined) return;
        const agentId = handleOf(key);
        const content = { message: spoken(message, this.#deps.modelOf(agentId)) };
        const place = { runId: `inject-${message.id}`, sessionKey: key, agentId, seq: 0 };
        this.#publish(key, chatChanged, { ...place, state: "final", ...content });
        return;
      }
      case "run.delivered": {
        const { artifactId, name, mediaType, bytes } = event;
        const data = { phase: "delivered", artifactId, name, mediaType, bytes };
        this.#agent(key, event.runId, "artifact", data);
        return;
      }
      case "run.requested":
      case "run.stopping":
      case "run.compacted":
      case "run.session.named":
      case "run.calls.requested":
      case "run.calls.answered":
    }
  }

  #publishEnd(key: string, event: RunEnded, at: number): void {
    const { runId } = event;
    this.#deltas.finish(runId);
    const isBad = event.type === "run.failed";
    this.#agent(key, runId, "lifecycle", {
      phase: isBad ? "error" : "end",
      endedAt: at,
      aborted: event.type === "run.aborted",
      ...(isBad && { error: event.reason }),
    });
    const place = this.#place(key, runId);
    this.#counts.delete(runId);
    this.#tools.delete(runId);
    const message = messageOf(event, at);
    const model = this.#deps.modelOf(place.agentId);
    const content = message === undefined ? {} : { message: chatMessage(message, model) };
    this.#publish(key, chatChanged, { ...place, ...content, ...endOf(event) });
  }

  #publishLive(run: LiveRun, event: LiveEvent): void {
    const { key, runId } = run;
    switch (event.type) {
      case "text":
        this.#deltas.add(run, event.delta);
        return;
      case "thinking":
        this.#agent(key, runId, "thinking", { delta: event.delta }, { isPassing: true });
        return;
      case "output": {
        const { callId: toolCallId, text: delta } = event;
        const name = this.#tools.get(runId)?.get(toolCallId);
        if (name === undefined) return;
        const text = run.outputs.get(toolCallId)?.slice(-MAX_PARTIAL_CHARS) ?? "";
        const partialResult = { content: [{ type: "text", text }] };
        const data = { phase: "update", name, toolCallId, partialResult, delta };
        this.#agent(key, runId, "tool", data, { cap: CAPS.toolEvents, isPassing: true });
        return;
      }
      case "usage": {
        const { inputTokens, outputTokens } = event.usage;
        const { cost } = tokenUsage(event.usage);
        this.#agent(key, runId, "usage", { inputTokens, outputTokens, ...(cost && { cost }) });
        return;
      }
      case "progress": {
        const status = { phase: "progress", message: event.text };
        this.#agent(key, runId, "run_status", status, { isPassing: true });
        return;
      }
      case "retrying": {
        const { attempt, reason } = event;
        const status = { phase: "retrying", attempt, reason, message: reason };
        this.#agent(key, runId, "run_status", status);
      }
    }
  }

  #publishText(run: LiveRun, delta: string): void {
    const { key, runId, text } = run;
    this.#agent(key, runId, "assistant", { text, delta }, { isPassing: true });
    this.#publish(key, chatChanged, this.#delta(run, delta), { isPassing: true });
  }

  #delta({ key, runId, text }: LiveRun, deltaText: string): ChatDelta {
    const content = [{ type: "text" as const, text }];
    const message = { role: "assistant" as const, content, timestamp: this.#deps.now() };
    return { ...this.#place(key, runId), state: "delta", deltaText, message };
  }

  #agent(
    key: string,
    runId: string,
    stream: string,
    data: Readonly<Record<string, unknown>>,
    reach?: PublishOptions,
  ): void {
    const { seq, sessionKey, agentId } = this.#place(key, runId);
    const head = { runId, seq, stream, ts: this.#deps.now() };
    this.#publish(key, agentProgressed, { ...head, data: { ...data, sessionKey, agentId } }, reach);
  }

  /** Which run of which conversation, and the next number within the run. */
  #place(sessionKey: string, runId: string) {
    const seq = (this.#counts.get(runId) ?? 0) + 1;
    this.#counts.set(runId, seq);
    return { runId, sessionKey, agentId: handleOf(sessionKey), seq };
  }

  #publish<E extends EventContract>(
    key: string,
    event: E,
    payload: PayloadOf<E>,
    reach?: PublishOptions,
  ): void {
    this.#deps.egress.publish(event, payload, { ...reach, isOfSession: true });
    this.#deps.subscriptions.publishScoped(key, event, payload);
  }
}

/** The run's one ending. */
function endOf(event: RunEnded) {
  switch (event.type) {
    case "run.completed": {
      const { stopReason, usage } = event;
      return { state: "final", stopReason, usage: tokenUsage(usage) } as const;
    }
    case "run.merged":
      return { state: "final", stopReason: "merged" } as const;
    case "run.aborted":
      return { state: "aborted", errorMessage: event.reason, stopReason: "rpc" } as const;
    case "run.failed": {
      const { kind, reason, usage } = event;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set holds just these
      const errorKind = (ERROR_KINDS.has(kind) ? kind : "unknown") as ErrorKind;
      return { state: "error", errorMessage: reason, errorKind, usage: tokenUsage(usage) } as const;
    }
  }
}

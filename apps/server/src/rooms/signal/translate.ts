/**
 * From entries of the log to signals: the one translator, for what is told live and what is told again.
 *
 * Pure. The same entry, after the same entries, gives the same signals with the same ids. Anything the schema has no
 * place for is in `metadata`.
 */
import {
  approval,
  conversation,
  handleOf,
  question,
  signalSource,
  stepActivity,
  type Activity,
  type BatchListener,
  type ConversationEvent,
  type RunUnderWay,
  type StateChange,
} from "@atrium/core";
import type { SignalEnvelope, SignalPayloadMap, WellKnownSignalType } from "@atrium/wire/signal";
import { placeText } from "./position.ts";
import { ToldSignal } from "./told-signal.ts";

export type Entry = Parameters<BatchListener>[0][number];

export interface TranslatorDeps {
  /** Makes ids that no other log gives out. */
  readonly epoch: string;
  /** An agent's id by its handle. */
  readonly agentIdOf: (handle: string) => string;
}

export interface Translated {
  readonly activity: Activity;
  readonly told: readonly ToldSignal[];
}

export type Translate = (before: Activity, entry: Entry) => Translated;

/** What is said of an entry, without what every signal of it has in common. */
type Draft =
  | {
      readonly [Name in WellKnownSignalType]: {
        readonly type: Name;
        readonly payload: SignalPayloadMap[Name];
        readonly isKept?: boolean;
      };
    }[WellKnownSignalType]
  | {
      readonly type: "artifact";
      readonly payload: Readonly<Record<string, unknown>>;
      readonly isKept?: boolean;
    };

/** Nobody else may be called so. */
export const OWN_SOURCE = "atrium";
const LONGEST_SUMMARY = 2_000;
const LONGEST_OUTPUT = 16_000;

export function createTranslate({ epoch, agentIdOf }: TranslatorDeps): Translate {
  function own(
    entry: Entry,
    drafts: readonly Draft[],
    correlationId: string | undefined,
    key: string,
  ): readonly ToldSignal[] {
    const { seq, at: timestamp } = entry;
    return drafts.map(({ type, payload, isKept = false }, index) => {
      const id = `${epoch}:${placeText(seq, index)}`;
      const signal = {
        id,
        type,
        timestamp,
        source: OWN_SOURCE,
        ...(correlationId !== undefined && { correlationId }),
        metadata: { seq, conversationKey: key },
        payload: { ...payload },
      };
      return placed(entry, signal, index, isKept);
    });
  }

  return (before, entry) => {
    const kind = entry.stream.slice(0, entry.stream.indexOf("/"));
    if (kind === signalSource.name) {
      const { signals, passed } = signalSource.read(entry);
      const told = signals.map((each, index) => placed(entry, each, index, passed.includes(index)));
      return { activity: before, told };
    }
    const { activity, change } = stepActivity(before, entry);
    const changes = change === null ? [] : [changeDraft(change, agentIdOf(change.handle))];
    switch (kind) {
      case conversation.name: {
        const event = conversation.read(entry);
        const key = entry.stream.slice(conversation.name.length + 1);
        const runId = "runId" in event ? event.runId : undefined;
        const run = runId === undefined ? undefined : before.runs[runId];
        const drafts = runDrafts(event, agentIdOf(handleOf(key)), run);
        return { activity, told: own(entry, [...drafts, ...changes], runId, key) };
      }
      case approval.name:
      case question.name:
        if (change === null) return { activity, told: [] };
        return { activity, told: own(entry, changes, change.runId, change.key) };
      default:
        return { activity, told: [] };
    }
  };
}

function placed(
  { seq }: Entry,
  signal: SignalEnvelope,
  index: number,
  isKept: boolean,
): ToldSignal {
  return new ToldSignal(signal, placeText(seq, index), isKept);
}

function changeDraft({ from, to, reason }: StateChange, agentId: string): Draft {
  const why = reason === null ? {} : { reason: cut(reason, LONGEST_SUMMARY) };
  return { type: "agent_state_change", payload: { agentId, from, to, ...why } };
}

function runDrafts(
  event: ConversationEvent,
  agentId: string,
  run: RunUnderWay | undefined,
): readonly Draft[] {
  switch (event.type) {
    case "run.requested": {
      const { runId: taskId, text, from } = event;
      const description = cut(text, LONGEST_SUMMARY);
      const payload = { taskId, from: from.name ?? from.clientId, to: agentId, description };
      return [{ type: "task_dispatch", payload }];
    }
    case "run.tool.called": {
      const { name: toolName, callId, input } = event;
      return [
        { type: "tool_call", payload: { toolName, agentId, callId, input: objectOf(input) } },
      ];
    }
    case "run.tool.returned": {
      const { name: toolName, callId, text, isError } = event;
      const output = { text: cut(text, LONGEST_OUTPUT) };
      const payload = { toolName, agentId, success: !isError, callId, output };
      return [{ type: "tool_result", payload }];
    }
    case "run.delivered": {
      const { artifactId, name, mediaType, bytes, digest } = event;
      return [
        { type: "artifact", payload: { agentId, artifactId, name, mediaType, bytes, digest } },
      ];
    }
    case "message.injected":
      return [{ type: "text_delta", payload: { agentId, content: event.text } }];
    case "run.merged": {
      const result = `answered by ${event.into}`;
      const payload = { taskId: event.runId, success: true, agentId, result };
      return [{ type: "completion", payload }];
    }
    case "run.completed":
    case "run.failed":
    case "run.aborted":
      return endDrafts(event, agentId, run);
    case "run.started":
    case "run.stopping":
    case "conversation.opened":
    case "conversation.patched":
    case "conversation.reset":
    case "conversation.deleted":
      return [];
  }
}

type Ended = Extract<
  ConversationEvent,
  { readonly type: "run.completed" | "run.failed" | "run.aborted" }
>;

function endDrafts(event: Ended, agentId: string, run: RunUnderWay | undefined): readonly Draft[] {
  const { runId: taskId, text, usage } = event;
  const { inputTokens: promptTokens, outputTokens: completionTokens } = usage;
  const drafts: Draft[] = [];
  if (text !== "") {
    drafts.push({ type: "text_delta", payload: { agentId, content: text }, isKept: true });
  }
  if (promptTokens + completionTokens > 0) {
    const model = run === undefined ? {} : { model: run.model };
    const payload = { agentId, promptTokens, completionTokens, ...model };
    drafts.push({ type: "token_usage", payload });
  }
  if (event.type === "run.failed") {
    const { reason: message, kind: code } = event;
    drafts.push({ type: "error", payload: { message, severity: "error", agentId, code } });
  }
  const success = event.type === "run.completed";
  const result = cut(event.type === "run.completed" ? text : event.reason, LONGEST_SUMMARY);
  drafts.push({ type: "completion", payload: { taskId, success, agentId, result } });
  return drafts;
}

function objectOf(input: unknown): Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return { value: input };
  return { ...input };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

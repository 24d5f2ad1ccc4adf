/**
 * Says something in another conversation and waits for its answer.
 *
 * Bounded in every direction: nobody waits longer than the limit, a conversation never waits for one that
 * waits for it, and a message that led to a message that led to a message is passed on only so often. How
 * often is part of the run's id, so that it is known wherever the run is taken up.
 */
import {
  resolveKey,
  type ConversationKey,
  type Conversations,
  type CrewMember,
  type Ids,
} from "@atrium/core";
import { Type } from "@atrium/schema";
import type { ToolResult } from "../agents/turn/agent-runtime.ts";
import type { ToolCallContext } from "../runs/agent-policy.ts";
import type { MessageIntake } from "../runs/message-intake.ts";
import type { RunStatus, RunStatuses } from "../runs/run-statuses.ts";
import { defineTool, objection, refusedResult, textResult } from "./define-tool.ts";
import type { Tool } from "./toolbox.ts";

export interface SessionsSendDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly intake: Pick<MessageIntake, "send">;
  readonly runs: Pick<RunStatuses, "wait">;
  readonly ids: Ids;
}

const DEFAULT_WAIT_S = 30;
const MAX_WAIT_S = 300;
const MS_PER_SECOND = 1_000;
const MAX_HOPS = 4;
const MAX_CHARS = 100_000;

export function sessionsSendTool(deps: SessionsSendDeps): Tool {
  /** Which conversation waits for which; one that waits has a turn under way, so it waits for one. */
  const waits = new Map<string, string>();
  return defineTool({
    name: "sessions_send",
    mayQuote: true,
    description:
      "Sends a message to another conversation, for example to another agent's main one (agent:<id>:main), and waits for the answer.",
    input: {
      sessionKey: Type.String({ minLength: 1 }),
      message: Type.String({ minLength: 1, maxLength: MAX_CHARS }),
      timeoutSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_WAIT_S })),
    },
    async call({ sessionKey, message, timeoutSeconds = DEFAULT_WAIT_S }, context) {
      const key = resolveKey(deps.crew, sessionKey);
      if (!key.ok) return refusedResult(key);
      const refusal = whyNot(key.value, context, deps, waits);
      if (refusal !== undefined) return objection(refusal);
      const runId = `relay-${hopsOf(context.runId) + 1}-${deps.ids.next()}`;
      const sent = await deps.intake.send({
        key: key.value,
        runId,
        text: message,
        from: { clientId: "sessions_send", clientMode: "agent", name: context.agentId },
        mode: "followup",
        isPlain: true,
      });
      if (!sent.ok) return refusedResult(sent);
      if (context.runId !== null) waits.set(context.key, key.value.text);
      try {
        const limit = AbortSignal.timeout(timeoutSeconds * MS_PER_SECOND);
        const signal = AbortSignal.any([context.signal, limit]);
        return answerOf(runId, key.value.text, await deps.runs.wait(runId, signal));
      } finally {
        if (context.runId !== null) waits.delete(context.key);
      }
    },
  });
}

function whyNot(
  { text, isMain }: ConversationKey,
  { key, runId }: ToolCallContext,
  { conversations }: SessionsSendDeps,
  waits: ReadonlyMap<string, string>,
): string | undefined {
  if (!isMain && conversations.get(text) === undefined) return `There is no conversation ${text}.`;
  if (runId === null) return undefined;
  if (text === key) return "This is the conversation you are in. Say it in your answer.";
  if (hopsOf(runId) >= MAX_HOPS) {
    return `This message was passed on ${MAX_HOPS} times already. Answer it yourself.`;
  }
  for (let waiting = waits.get(text); waiting !== undefined; waiting = waits.get(waiting)) {
    if (waiting === key) return `${text} waits for your answer. Answer instead of asking back.`;
  }
  return undefined;
}

function hopsOf(runId: string | null): number {
  return Number(/^relay-(\d)-/.exec(runId ?? "")?.[1] ?? 0);
}

function answerOf(runId: string, sessionKey: string, report: RunStatus | undefined): ToolResult {
  const about = { runId, sessionKey };
  const ended = report?.ended;
  if (ended === undefined) {
    return textResult({
      ...about,
      status: "sent",
      note: "The message was delivered, but no answer came in time. Go on without it, or look later with sessions_history.",
    });
  }
  switch (ended.type) {
    case "run.completed":
      return textResult({ ...about, status: "answered", reply: ended.text });
    case "run.failed":
      return objection(`${sessionKey} failed to answer: ${ended.reason}`);
    case "run.aborted":
      return objection(`${sessionKey} was stopped before it had answered: ${ended.reason}`);
  }
}

/**
 * The front desk: takes messages in for every room.
 *
 * A message is taken once it is in the log with the run that will answer it; its files are kept before
 * that. Whoever wants the answer waits for the run (run-reports.ts).
 */
import {
  accept,
  conversation,
  refuse,
  type AnswerForm,
  type Author,
  type ConversationKey,
  type Dispatch,
  type Ids,
  type Outcome,
  type PastMessage,
  type QueueMode,
  type Send,
} from "@atrium/core";
import { keepCalls, type ClientAnswers, type ClientToolset } from "./client-calls/kept-calls.ts";
import {
  createStoreAttachments,
  type IncomingFile,
  type StoreAttachmentsDeps,
} from "./store-attachments.ts";

export type { IncomingFile };

export interface IncomingMessage {
  readonly key: ConversationKey;
  readonly runId: string;
  readonly text: string;
  readonly from: Author;
  readonly files?: readonly IncomingFile[];
  readonly mode?: QueueMode;
  /** Never taken for a command. */
  readonly isPlain?: boolean;
  readonly expectedSessionId?: string;
  /** What the conversation is called if this opens it. */
  readonly label?: string;
  readonly model?: string;
  readonly thinking?: string;
  readonly instructions?: string;
  /** What the sender says was said before, elsewhere. */
  readonly earlier?: readonly PastMessage[];
  /** What whoever answers should know of how things stand; nobody said it. */
  readonly context?: string;
  readonly form?: AnswerForm;
  /** 0 or none: the server's own limit. */
  readonly timeoutMs?: number;
  /** Tools that the sender makes the calls of. */
  readonly clientTools?: ClientToolset;
  /** What calls of its tools have returned. Left out: the sender makes none. */
  readonly answers?: ClientAnswers;
}

/** Under which a message is taken at most once. */
export interface OnceKey {
  readonly id: string;
  readonly digest: string;
}

export interface SendReceipt {
  /** The run that answers it. */
  readonly runId: string;
  /** Which part of the run's answer is for it, counted from 0; see run-parts.ts. */
  readonly part: number;
  /** The same message had been taken before. */
  readonly isRepeated: boolean;
}

export interface MessageIntake {
  send(message: IncomingMessage, once?: OnceKey): Promise<Outcome<SendReceipt>>;
  /** The runs that were stopped by this. */
  stop(
    key: string,
    runId: string | null,
    reason: string,
    once?: OnceKey,
  ): Promise<Outcome<readonly string[]>>;
}

export interface MessageIntakeDeps extends StoreAttachmentsDeps {
  readonly dispatch: Dispatch;
  readonly isCommand: (text: string) => boolean;
  /** Whether an agent can be given tools that a client makes the calls of. */
  readonly takesClientTools: (agentId: string) => boolean;
  readonly ids: Ids;
}

/** What is not said otherwise: heeded at once where the agent can, else answered in its turn. */
const DEFAULT_MODE: QueueMode = "steer";

export function createMessageIntake({ dispatch, ids, ...deps }: MessageIntakeDeps): MessageIntake {
  const keepFiles = createStoreAttachments(deps);
  return {
    async send(message, once) {
      const { key, runId, text, from, timeoutMs = 0 } = message;
      if (message.clientTools !== undefined && !deps.takesClientTools(key.agentId)) {
        return refuse("tools.unsupported", key.handle);
      }
      const files = await keepFiles(message.files ?? []);
      if (!files.ok) return files;
      const isCommand = message.isPlain !== true && deps.isCommand(text);
      const isStop = isCommand && text.trim().toLowerCase() === "/stop";
      const done = await dispatch(
        conversation,
        key.text,
        {
          type: "send",
          key,
          runId,
          messageId: ids.next(),
          sessionId: ids.next(),
          expectedSessionId: message.expectedSessionId ?? null,
          text,
          attachments: files.value,
          // A command is not something to tell the agent in the middle of its turn.
          mode: isStop ? "interrupt" : isCommand ? "followup" : (message.mode ?? DEFAULT_MODE),
          isCommand,
          from,
          model: message.model ?? null,
          thinking: message.thinking ?? null,
          instructions: message.instructions ?? null,
          // JSON has no Infinity, which is what seconds can become on their way to milliseconds.
          timeoutMs: timeoutMs === 0 ? null : Math.min(timeoutMs, Number.MAX_SAFE_INTEGER),
          ...(message.label !== undefined && { label: message.label }),
          ...(message.earlier !== undefined && { earlier: message.earlier }),
          ...(message.context !== undefined && { context: message.context }),
          ...(message.form !== undefined && { form: message.form }),
          ...(await keepClientCalls(message, deps.keep)),
        },
        once,
      );
      if (!done.ok) return done;
      const { events, repeated: isRepeated } = done.value;
      const answered = events.find((event) => event.type === "run.calls.answered");
      return accept(
        answered === undefined
          ? { runId, part: 0, isRepeated }
          : { runId: answered.runId, part: answered.number, isRepeated },
      );
    },
    async stop(key, runId, reason, once) {
      const stop = { type: "stop", runId, reason, messageId: ids.next() } as const;
      const done = await dispatch(conversation, key, stop, once);
      if (!done.ok) return done;
      return accept(done.value.events.flatMap((event) => ("runId" in event ? [event.runId] : [])));
    },
  };
}

/** Kept before the log speaks of them. */
async function keepClientCalls(
  { clientTools, answers }: IncomingMessage,
  keep: MessageIntakeDeps["keep"],
): Promise<Pick<Send, "clientTools" | "answers">> {
  const callIds = answers?.answers.map(({ callId }) => callId) ?? [];
  return {
    ...(clientTools !== undefined && { clientTools: await keepCalls(keep, clientTools) }),
    ...(answers !== undefined && {
      answers: { callIds, kept: callIds.length === 0 ? null : await keepCalls(keep, answers) },
    }),
  };
}

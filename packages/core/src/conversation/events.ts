/**
 * What happens in a conversation. A run belongs to the conversation it answers, and its events are in the
 * same stream: that there is at most one turn at a time, and in which order messages are answered, is
 * decided in one place.
 */
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Usage } from "./usage.ts";

export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** Under which the content is kept, outside the log. */
  readonly digest: string;
}

/** Who said it, as the client introduced itself. */
export interface Author {
  readonly clientId: string;
  readonly clientMode: string;
  readonly name: string | null;
  /** Which one of those who introduce themselves like this, where the door knows. */
  readonly userId?: string;
}

export interface ModelName {
  readonly provider: string;
  readonly model: string;
}

/**
 * What to do with a message that comes while a turn is under way: hand it to that turn, let it wait for
 * its own, answer it together with others that wait, or stop the turn for it.
 */
export type QueueMode = "steer" | "followup" | "collect" | "interrupt";

export interface ConversationSettings {
  readonly label: string | null;
  readonly model: string | null;
  readonly thinking: string | null;
  readonly isArchived: boolean;
  readonly isPinned: boolean;
  readonly isUnread: boolean;
  /** What clients keep with the conversation for themselves; we store it and attach no meaning to it. */
  readonly notes: Readonly<Record<string, string | number | boolean>>;
}

/** Something said before, as a turn is told of it. */
export interface PastMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** A message that wants an answer, and how it wants it. */
export interface RunRequest {
  readonly runId: string;
  readonly messageId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly mode: QueueMode;
  /** For the house, not for the agent. */
  readonly isCommand: boolean;
  readonly from: Author;
  readonly model: string | null;
  readonly thinking: string | null;
  readonly instructions: string | null;
  readonly timeoutMs: number | null;
  /** What was said before, elsewhere, as the sender tells it; it was not said in this conversation. */
  readonly earlier?: readonly PastMessage[];
  /** What whoever answers should know of how things stand; nobody said it. */
  readonly context?: string;
  /** What kind of answer is wanted; left out: any. */
  readonly form?: AnswerForm;
  /** Tools that the sender makes the calls of itself; kept outside the log. */
  readonly clientTools?: KeptOutput;
}

/** A plan that can be followed, or work on a task. */
export type AnswerForm = "plan" | "task";

export interface RunRequested extends RunRequest {
  readonly type: "run.requested";
}

/** How far a turn came: there is something to keep even when it did not end well. */
export interface TurnResult {
  readonly messageId: string;
  readonly text: string;
  readonly usage: Usage;
}

export type RunEnded = TaggedUnion<{
  "run.completed": {
    runId: string;
    stopReason: string;
    /** The request of which the agent offers to make a project. */
    offer?: string;
  } & TurnResult;
  "run.failed": { runId: string; kind: string; reason: string } & TurnResult;
  "run.aborted": { runId: string; reason: string } & TurnResult;
  /** Its message is answered by another run. */
  "run.merged": { runId: string; into: string };
}>;

/** What the agent sees of its turn was made shorter, to leave room for the rest of it. */
export interface Compacted {
  /** Old results became one line each, or all but the last steps became a text. */
  readonly how: "results" | "hand-over";
  /** That the step before had taken. */
  readonly inputTokens: number;
  /** How many results became a line. */
  readonly results: number;
  /** The hand-over; empty where there is none. */
  readonly text: string;
}

/** What a conversation is to the program of the agent that answers in it. */
export interface AgentSession {
  /** The name of the runtime; another's program knows nothing of it. */
  readonly runtime: string;
  readonly session: string;
}

/** All of what a tool wrote, where its text shows a part; kept outside the log. */
export interface KeptOutput {
  readonly digest: string;
  readonly bytes: number;
}

export type RunEvent =
  | TaggedUnion<{
      "run.started": {
        runId: string;
        model: ModelName;
        /** Runs whose messages this one answers too, in order. */
        collects: readonly string[];
      };
      "run.tool.called": {
        runId: string;
        messageId: string;
        callId: string;
        name: string;
        input: unknown;
      };
      "run.tool.returned": {
        runId: string;
        messageId: string;
        callId: string;
        name: string;
        text: string;
        isError: boolean;
        output?: KeptOutput;
        /** All files of its workspace after it, where it may have written any; stored before this is. */
        tree?: string;
      };
      /** Something was made; its content is kept outside the log. */
      "run.delivered": { runId: string; artifactId: string } & Attachment;
      "run.compacted": { runId: string } & Compacted;
      /** The agent that answers calls the conversation so, and finds it again by that. */
      "run.session.named": { runId: string } & AgentSession;
      /** It waits for whoever sent the message to make these calls. What they are is kept outside the log. */
      "run.calls.requested": {
        runId: string;
        /** Counted from 1: how often it has waited for calls. */
        number: number;
        callIds: readonly string[];
        /** How many characters of its answer had been written by then. */
        textLength: number;
        /** Of the run so far. */
        usage: Usage;
      } & KeptOutput;
      /** They were made, and it goes on. What they returned is kept outside the log. */
      "run.calls.answered": { runId: string; number: number } & KeptOutput;
      /** Someone asked for it to stop; it ends as soon as whoever drives it has let go. */
      "run.stopping": { runId: string; reason: string };
    }>
  | RunRequested
  | RunEnded;

export type ConversationEvent =
  | TaggedUnion<{
      "conversation.opened": {
        key: string;
        agentId: string;
        handle: string;
        isMain: boolean;
        sessionId: string;
      };
      "message.injected": { messageId: string; text: string; label: string | null };
      "conversation.patched": { changes: Partial<ConversationSettings> };
      /** What was said before is no longer part of the conversation; `erase` as below, left out: it stays in the log. */
      "conversation.reset": { sessionId: string; reason: string; erase?: "wanted" | "done" };
      /**
       * `erase`: whether its words are to go too, and whether they have, or are to stay in the log. Left out: an earlier version
       * wrote it, which could not erase; the words are to go.
       */
      "conversation.deleted": { erase?: "wanted" | "done" | "kept" };
    }>
  | RunEvent;

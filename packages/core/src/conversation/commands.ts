/** What can be asked of a conversation. */
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type {
  AgentSession,
  Attachment,
  Compacted,
  ConversationSettings,
  KeptOutput,
  ModelName,
  RunRequest,
} from "./events.ts";
import type { ConversationKey } from "./key.ts";
import type { Usage } from "./usage.ts";

interface Opening {
  readonly key: ConversationKey;
  /** Used when this is the first thing that happens in the conversation. */
  readonly sessionId: string;
}

export interface Open extends Opening {
  readonly type: "open";
  readonly settings: Partial<ConversationSettings>;
}

export interface Inject extends Opening {
  readonly type: "inject";
  readonly messageId: string;
  readonly text: string;
  readonly label: string | null;
}

export interface Send extends Opening, RunRequest {
  readonly type: "send";
  /** Refused when the conversation is no longer that one. */
  readonly expectedSessionId: string | null;
  /** What the conversation is called when this is the first thing that happens in it. */
  readonly label?: string;
  /**
   * The sender makes calls for the agent, and these are the results it has. The run that waits for them goes on; one that
   * waits for others is given up. Left out: the sender makes none.
   */
  readonly answers?: CallAnswers;
}

export interface CallAnswers {
  readonly callIds: readonly string[];
  /** Null: there are none. */
  readonly kept: KeptOutput | null;
}

/** The next message in line is being answered. */
export interface Start {
  readonly type: "start";
  readonly runId: string;
  readonly model: ModelName;
}

/** The turn under way has taken a waiting message in. */
export interface Merge {
  readonly type: "merge";
  readonly runId: string;
  readonly into: string;
}

export interface CallTool {
  readonly type: "call-tool";
  readonly runId: string;
  readonly messageId: string;
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ReturnTool {
  readonly type: "return-tool";
  readonly runId: string;
  readonly messageId: string;
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly output?: KeptOutput;
  readonly tree?: string;
}

/** Something that was made in the turn. */
export interface Deliver {
  readonly type: "deliver";
  readonly runId: string;
  readonly artifactId: string;
  readonly artifact: Attachment;
}

export interface NoteCompaction {
  readonly type: "note-compaction";
  readonly runId: string;
  readonly compacted: Compacted;
}

export interface NoteSession extends AgentSession {
  readonly type: "note-session";
  readonly runId: string;
}

/** The turn waits for whoever sent the message to make these calls. */
export interface RequestCalls {
  readonly type: "request-calls";
  readonly runId: string;
  readonly callIds: readonly string[];
  readonly textLength: number;
  readonly usage: Usage;
  readonly kept: KeptOutput;
}

/** `runId` null: whatever is under way or waiting. */
export interface Stop {
  readonly type: "stop";
  readonly runId: string | null;
  readonly reason: string;
  /** For the messages of runs that end here and now. */
  readonly messageId: string;
}

export type Ending = TaggedUnion<
  {
    completed: { stopReason: string; offer?: string };
    failed: { kind: string; reason: string };
    aborted: { reason: string };
  },
  "how"
>;

export interface Settle {
  readonly type: "settle";
  readonly runId: string;
  readonly messageId: string;
  readonly text: string;
  readonly usage: Usage;
  readonly ending: Ending;
}

export type RunCommand =
  | Start
  | Merge
  | CallTool
  | ReturnTool
  | Deliver
  | NoteCompaction
  | NoteSession
  | RequestCalls
  | Stop
  | Settle;

export type ConversationCommand =
  | TaggedUnion<{
      patch: { changes: Partial<ConversationSettings> };
      reset: {
        sessionId: string;
        reason: string;
        /** Refused when the conversation is no longer that one. */
        expectedSessionId: string | null;
        /** The run that asks for it, and goes on. */
        by: string | null;
        /** What was said before is erased. */
        isErased?: boolean;
      };
      delete: {
        expectedSessionId: string | null;
        /** Its words go too. */
        isErased?: boolean;
      };
    }>
  | Open
  | Inject
  | Send
  | RunCommand;

/**
 * What drives an agent's turn: the port every runtime implements.
 *
 *   turn (what is asked) -> start -> text, thinking, tool calls, usage, artifacts ... -> one end
 *
 * A runtime knows nothing of conversations, logs or peers: it is given a turn and a host, and yields
 * what happens. The host is its only way to the world: tools, questions and permissions go through it,
 * time comes from it. agent-runtime.contract.ts is what every runtime must do.
 */
import type { ApprovalWrite, Compacted, KeptOutput, Usage } from "@atrium/core";

/** A file that came with a message. `data` is base64. */
export interface TurnAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly data: string;
}

export interface TurnMessage {
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
}

/** One message as it was sent: by whom, through which channel, and when. */
export interface TurnInbound {
  readonly messageId: string;
  readonly text: string;
  readonly sender: {
    /** Of the sender, as far as the channel knows it. */
    readonly id: string;
    readonly name: string;
  };
  /** `webchat`, `cli`, `office`, `openai`, … */
  readonly channel: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly attachments: readonly TurnAttachment[];
}

/** Where a turn works. */
export interface TurnWorkspace {
  /** Its own to change. An absolute path, with no link in it. */
  readonly folder: string;
  /** Git's data of the folder, to be read only; null where it has none. */
  readonly store: string | null;
  /** For what programs keep that work there, such as their sessions. Left out: they keep nothing. */
  readonly programs?: string;
}

/** Instructions for certain work: a folder with a SKILL.md. */
export interface Skill {
  readonly name: string;
  /** What it is for and when to use it. */
  readonly description: string;
  /** An absolute path, with no link in it. */
  readonly folder: string;
}

export interface Turn {
  readonly runId: string;
  readonly conversation: { readonly key: string; readonly sessionId: string };
  /** What the runtime last told with `session`, if the conversation still is the same one. */
  readonly session?: string;
  readonly agent: { readonly id: string; readonly name: string; readonly role: string };
  readonly instructions: string;
  /**
   * The part of the instructions without which it cannot do what is asked. A runtime that cannot give
   * its agent instructions says this with the message.
   */
  readonly briefing?: string;
  /** What was said before, oldest first. */
  readonly history: readonly TurnMessage[];
  readonly prompt: string;
  /** How things stand, in a few lines; not said by anybody. A runtime that talks with a model adds it to the prompt. */
  readonly context?: string;
  readonly attachments: readonly TurnAttachment[];
  /** The messages that the prompt is made of, for runtimes that pass on each by itself. */
  readonly inbound?: readonly TurnInbound[];
  /** What the conversation asks for beyond the runtime's own settings. */
  readonly wishes: { readonly model?: string; readonly thinking?: string };
  /** Left out: the turn has no folder of its own. */
  readonly workspace?: TurnWorkspace;
  /** What its agent has learned. A runtime that has a way of its own for skills hands them on by it. */
  readonly skills?: readonly Skill[];
  readonly env: Readonly<Record<string, string>>;
  /** What kind of answer is wanted; the instructions say how it should look. */
  readonly form: "any" | "plan" | "task";
  /** Tools, one of which must be called before the answer. The instructions say so too. */
  readonly mustCall?: readonly string[];
}

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Its result may take as long as people may take to answer. */
  readonly waitsForPeople?: true;
  /** Several calls of it, and of others like it, may be made at the same time. */
  readonly isParallel?: true;
}

export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  /** The files of the workspace that it changed; left out: it may have changed any. */
  readonly wrote?: readonly string[];
  /** All of what the text shows a part of. */
  readonly output?: KeptOutput;
}

export interface TurnQuestion {
  readonly text: string;
  /** None: any text answers it. */
  readonly options: readonly string[];
  /** Only the options answer it; otherwise own words do too. */
  readonly isClosed?: boolean;
}

export interface PermissionRequest {
  readonly tool: string;
  /** The whole of what the tool would be given, or words: all of it is read, and an "always" covers exactly that. */
  readonly input: unknown;
  /** What the agent says of it, for reading only. */
  readonly details?: string;
  readonly cwd?: string;
  /** Where it would be done; left out: on this machine. */
  readonly host?: string;
  readonly nodeId?: string;
  /** What would be written, where the input does not show it. */
  readonly writes?: readonly ApprovalWrite[];
  readonly warning?: string;
  /** The five letters whoever asks knows it by already; people are told these unless they are in use. */
  readonly code?: string;
  /** What is known of it is less than what would be done, so "always" is no answer to it. */
  readonly mayAlways?: false;
}

export type Permission = "allowed" | "denied" | "expired";

/** With a denial, what the person said about it. */
export type PermissionAnswer =
  | Permission
  | { readonly permission: "denied"; readonly note: string };

export function readPermission(answer: PermissionAnswer): {
  readonly permission: Permission;
  readonly note?: string;
} {
  return typeof answer === "string" ? { permission: answer } : answer;
}

export interface TurnHost {
  /** Aborted when the turn must end: stop soon, say nothing more, and end with what there is. */
  readonly signal: AbortSignal;
  readonly tools: readonly ToolDeclaration[];
  now(): number;
  /** Rejects with the reason when the turn, or the given signal, is aborted meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Throwing is an error result to the agent, never the end of its turn. The signal: nobody waits for the result any more.
   * With the id under which the call was told, people see its output as it comes.
   */
  callTool(
    name: string,
    input: unknown,
    signal?: AbortSignal,
    callId?: string,
  ): Promise<ToolResult>;
  /** The text or option chosen; null when nobody answered in time. The signal withdraws the question. */
  ask(question: TurnQuestion, signal?: AbortSignal): Promise<string | null>;
  /** The signal withdraws the request, when it has been settled elsewhere. */
  requestPermission(request: PermissionRequest, signal?: AbortSignal): Promise<PermissionAnswer>;
  /** What people have added since the turn began. Taking it is promising to heed it. */
  takeSteering(): readonly string[];
  /** The same, each as it was sent. */
  takeMessages?(): readonly TurnInbound[];
  /** Tells whenever there may be something to take, until what it returns is called. */
  onSteering?(listener: () => void): () => void;
}

/** With what it cost, where the runtime is told or can work it out. */
export type TurnUsage = Usage;

export type TurnFailureKind =
  | "refusal"
  | "timeout"
  | "rate_limit"
  | "context_length"
  | "budget"
  | "unavailable"
  | "unknown";

export type TurnEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  | {
      readonly type: "tool.called";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  /** What a tool of the agent's own puts out while it works: plain text, for people who watch. */
  | { readonly type: "tool.output"; readonly id: string; readonly text: string }
  | ({ readonly type: "tool.returned"; readonly id: string } & ToolResult)
  /** The whole turn's usage so far. */
  | { readonly type: "usage"; readonly usage: TurnUsage }
  | {
      readonly type: "artifact";
      readonly name: string;
      readonly mediaType: string;
      readonly text: string;
    }
  /** What is being done, in words for people; how much of it is done, where that is known. */
  | { readonly type: "progress"; readonly text: string; readonly percent?: number }
  | ({ readonly type: "compacted" } & Compacted)
  /** The agent's own name for the conversation, by which a later turn finds it again. */
  | { readonly type: "session"; readonly id: string }
  /** A retry is about to be made; for people who wait. */
  | { readonly type: "retrying"; readonly attempt: number; readonly reason: string }
  /**
   * `stop` (said all there was), `length` (cut at the longest answer allowed), `max_steps` (cut at the
   * most rounds of tools allowed), or `aborted`, which is how every aborted turn ends.
   */
  | {
      readonly type: "completed";
      readonly stopReason: string;
      /** A request that it offers to make a project of; people take it up or do not. */
      readonly offer?: string;
    }
  | {
      readonly type: "failed";
      readonly kind: TurnFailureKind;
      /** For a person: what went wrong and what can be done. */
      readonly reason: string;
    };

export interface RuntimeModel {
  readonly provider: string;
  readonly id: string;
  readonly contextTokens: number;
}

/** How a person goes on with a session in a terminal of theirs. */
export interface TerminalProgram {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Where the program keeps its sessions, as the server has it; none of these is secret. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the other variables that the program has from the server, which may be keys. */
  readonly variables: readonly string[];
}

export interface AgentRuntime {
  readonly name: string;
  readonly type: string;
  readonly model: RuntimeModel;
  /** It reads, changes and runs files by itself, and is offered no tools of ours for that. */
  readonly hasFileTools?: true;
  /** Its agent cannot be given tools, ours or a client's. */
  readonly takesNoTools?: true;
  /**
   * Yields what happens and ends with exactly one `completed` or `failed`, also when the turn is
   * aborted. Never throws for what the world does; a throw is a bug of the runtime.
   */
  start(turn: Turn, host: TurnHost): AsyncIterable<TurnEvent>;
  /**
   * Ends its process that has the session of the turn's conversation, and says how the session goes on in a terminal; a text
   * says why it cannot. To be called while no turn of the conversation is under way. Left out: no session of it can.
   */
  readonly releaseToTerminal?: (
    turn: Turn,
    signal: AbortSignal,
  ) => Promise<TerminalProgram | string>;
  /** Whether that would do for a turn that is under way, as far as can be known before; left out: it would not. */
  readonly isReleasable?: (turn: Turn) => boolean | Promise<boolean>;
  /** Ends what it keeps running between turns; no turn is started afterwards. */
  close?(): Promise<void>;
}
